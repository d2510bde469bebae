// A big change: its stream is held while a new document set is written aside in small transactions, then one
// more swaps it in (projections.md, held streams). Every step can be the last one of a process.
import { isInvalid } from '../../../projections/change.ts';
import type { Head } from '../../../projections/documents.ts';
import { placeOf } from '../../../projections/place.ts';
import { lastDateOf } from '../../../projections/settle.ts';
import { createWorkingSet } from '../../../projections/working-set.ts';
import type { BudgetEvent } from '../../../schemas/generated/events.ts';
import { type Aside, readAside } from '../../read-store/asides.ts';
import { NO_FOLD_WRITES } from '../../read-store/commit.ts';
import { loadHeads } from '../../read-store/heads.ts';
import {
  loadDeclared,
  loadSums,
  readCatalogue,
  readRowsAfter,
} from '../../read-store/load-documents.ts';
import { refusePaused } from '../../read-store/parking-alarm.ts';
import { documentWrites } from '../../read-store/write-documents.ts';
import { firstWaiting } from '../drain.ts';
import type { ProjectorStore } from '../store.ts';
import { addRows, beginSet, rowsAfter } from './new-set.ts';

/** Rows of one step: others' chunks go in between. */
const STEP_ROWS_MAX = 2000;

/** What an aside works on. */
interface Work {
  readonly aside: Aside;
  readonly head: Head & { readonly set: string; readonly budget: NonNullable<Head['budget']> };
  readonly event: BudgetEvent;
  /** Queue entry of the event, and its time as it is shown. */
  readonly entry: string;
  readonly time: string;
}

/** `done`: the new set is swapped in. `parked`: the event is invalid. `left`: another process has it, or nobody. */
export type Ran = 'done' | 'parked' | 'left';

/**
 * Writes a stream's new set and swaps it in.
 *
 * @throws PausedError when the generation is paused
 */
export async function runAside(
  store: ProjectorStore,
  subject: string,
  owner: string,
  signal: AbortSignal,
): Promise<Ran> {
  for (;;) {
    if (signal.aborted) return 'left';
    await refusePaused(store.collections);
    const aside = await readAside(store.collections.asides, subject);
    if (aside?.owner !== owner) return 'left';
    const work = await workOf(store, aside);
    if (!work) {
      await store.session.commit({
        ...NO_FOLD_WRITES,
        swept: [aside.set],
        aside: { from: aside, to: null },
      });
      return 'left';
    }
    if (!aside.begun) {
      if (!(await begin(store, work))) return 'parked';
    } else if (!(await copyRows(store, work))) {
      await swap(store, work);
      return 'done';
    }
  }
}

// Null: the budget was deleted meanwhile.
async function workOf({ collections }: ProjectorStore, aside: Aside): Promise<Work | null> {
  // An operator's rebuild that was given up with its process.
  if (aside.kind === 'rebuild') return null;
  const head = (await loadHeads(collections.heads, [aside.subject])).get(aside.subject);
  if (head?.held?.why !== 'change' || head.set === null || head.budget === null) return null;
  const [first] = await firstWaiting({ collections }, aside.subject, 1);
  if (!first) return null;
  const { delivery, id: entry } = first;
  const { set, budget } = head;
  // A held budget's next event is a budget's event, or it would not have been too big.
  const event = delivery.event as BudgetEvent;
  return { aside, head: { ...head, set, budget }, event, entry, time: delivery.time };
}

/** Writes what does not come from rows; false when the event is invalid, which parks the stream. */
async function begin(
  { collections, session }: ProjectorStore,
  { aside, head, event, entry, time }: Work,
): Promise<boolean> {
  const begun = beginSet(head, aside.set, await readCatalogue(collections, head.set), event);
  if (isInvalid(begun)) {
    const why = { since: time, why: 'parked', reason: begun.invalid, entry } as const;
    const held = head.held && { ...head.held, ...why };
    const heads = [{ loaded: head, now: { ...head, held } }];
    await session.commit({ ...NO_FOLD_WRITES, heads, aside: { from: aside, to: null } });
    return false;
  }
  const to = { ...aside, begun: true, absolute: begun.absolute };
  const documents = documentWrites(begun.documents);
  await session.commit({ ...NO_FOLD_WRITES, documents, aside: { from: aside, to } });
  return true;
}

/** Takes the next rows over; false when there are none left. */
async function copyRows(store: ProjectorStore, { aside, head, event }: Work): Promise<boolean> {
  const { collections, session } = store;
  const rows = await readRowsAfter(
    collections,
    head.set,
    Number(aside.cursor ?? -1),
    STEP_ROWS_MAX,
  );
  const last = rows.at(-1);
  if (!last) return false;
  const before = createWorkingSet();
  await loadDeclared(collections, before, { set: head.set, event });
  const after = rowsAfter(before, rows, head, event, aside.set);
  const documents = createWorkingSet();
  await loadSums(collections, documents, aside.set, after);
  const absolute = aside.absolute + addRows(documents, after);
  const to = { ...aside, cursor: String(placeOf(last.date, last.entry)), absolute };
  const writes = { ...NO_FOLD_WRITES, documents: documentWrites(documents) };
  await session.commit({ ...writes, aside: { from: aside, to } });
  return true;
}

async function swap(store: ProjectorStore, { aside, head, event, entry }: Work): Promise<void> {
  const documents = createWorkingSet();
  await loadSums(store.collections, documents, aside.set, []);
  const lastDate = lastDateOf(documents, aside.set);
  const queued = (head.held?.queued ?? 1) - 1;
  const now: Head = {
    ...head,
    set: aside.set,
    sequence: event.sequence,
    eventId: event.id,
    held: head.held && queued > 0 ? { ...head.held, queued } : null,
    budget: { ...head.budget, absolute: aside.absolute, lastDate },
  };
  await store.session.commit({
    ...NO_FOLD_WRITES,
    heads: [{ loaded: head, now }],
    done: [entry],
    swept: [head.set],
    aside: { from: aside, to: null },
  });
}
