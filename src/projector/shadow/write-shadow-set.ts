// A big change: its stream is held while a shadow set is written in small transactions, then one
// more swaps it in (projections.md, held streams). Every step can be the last one of a process.
import { isInvalid } from '../../../projections/change.ts';
import type { Head } from '../../../projections/documents.ts';
import { placeOf } from '../../../projections/place.ts';
import { lastDateOf } from '../../../projections/settle.ts';
import { createWorkingSet } from '../../../projections/working-set.ts';
import type { BudgetEvent } from '../../../schemas/generated/events.ts';
import { NO_WRITES } from '../../read-store/commit.ts';
import { loadHeads } from '../../read-store/heads.ts';
import {
  loadDeclared,
  loadSums,
  readCatalogue,
  readRowsAfter,
} from '../../read-store/load-documents.ts';
import { refusePaused } from '../../read-store/parking-alarm.ts';
import { readShadowSet, type ShadowSet } from '../../read-store/shadow-sets.ts';
import { documentWrites } from '../../read-store/write-documents.ts';
import { firstEntries } from '../queue/entries.ts';
import type { ProjectorStore } from '../store.ts';
import { addRows, beginShadowSet, rowsAfter } from './new-set.ts';

/** Rows of one step: others' chunks go in between. */
const STEP_ROWS_MAX = 2000;

/** What the writing of a shadow set needs. */
interface Work {
  readonly shadowSet: ShadowSet;
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
export async function writeShadowSet(
  store: ProjectorStore,
  subject: string,
  owner: string,
  signal: AbortSignal,
): Promise<Ran> {
  for (;;) {
    if (signal.aborted) return 'left';
    await refusePaused(store.collections);
    const shadowSet = await readShadowSet(store.collections.asides, subject);
    if (shadowSet?.owner !== owner) return 'left';
    const work = await workOf(store, shadowSet);
    if (!work) {
      await store.session.commit({
        ...NO_WRITES,
        swept: [shadowSet.set],
        shadowStep: { from: shadowSet, to: null },
      });
      return 'left';
    }
    if (!shadowSet.begun) {
      if (!(await begin(store, work))) return 'parked';
    } else if (!(await copyRows(store, work))) {
      await swap(store, work);
      return 'done';
    }
  }
}

// Null: the budget was deleted meanwhile.
async function workOf({ collections }: ProjectorStore, shadowSet: ShadowSet): Promise<Work | null> {
  // An operator's rebuild that was given up with its process.
  if (shadowSet.kind === 'rebuild') return null;
  const head = (await loadHeads(collections.heads, [shadowSet.subject])).get(shadowSet.subject);
  if (head?.held?.why !== 'change' || head.set === null || head.budget === null) return null;
  const [first] = await firstEntries({ collections }, shadowSet.subject, { eventsMax: 1 });
  if (!first) return null;
  const { delivery, id: entry } = first;
  const { set, budget } = head;
  // A held budget's next event is a budget's event, or it would not have been too big.
  const event = delivery.event as BudgetEvent;
  return { shadowSet, head: { ...head, set, budget }, event, entry, time: delivery.time };
}

/** Writes what does not come from rows; false when the event is invalid, which parks the stream. */
async function begin(
  { collections, session }: ProjectorStore,
  { shadowSet, head, event, entry, time }: Work,
): Promise<boolean> {
  const begun = beginShadowSet(
    head,
    shadowSet.set,
    await readCatalogue(collections, head.set),
    event,
  );
  if (isInvalid(begun)) {
    const why = { since: time, why: 'parked', reason: begun.invalid, entry } as const;
    const held = head.held && { ...head.held, ...why };
    const heads = [{ loaded: head, now: { ...head, held } }];
    await session.commit({ ...NO_WRITES, heads, shadowStep: { from: shadowSet, to: null } });
    return false;
  }
  const to = { ...shadowSet, begun: true, absolute: begun.absolute };
  const documents = documentWrites(begun.documents);
  await session.commit({ ...NO_WRITES, documents, shadowStep: { from: shadowSet, to } });
  return true;
}

/** Takes the next rows over; false when there are none left. */
async function copyRows(store: ProjectorStore, { shadowSet, head, event }: Work): Promise<boolean> {
  const { collections, session } = store;
  const rows = await readRowsAfter(
    collections,
    head.set,
    Number(shadowSet.cursor ?? -1),
    STEP_ROWS_MAX,
  );
  const last = rows.at(-1);
  if (!last) return false;
  const before = createWorkingSet();
  await loadDeclared(collections, before, { set: head.set, event });
  const after = rowsAfter(before, rows, head, event, shadowSet.set);
  const documents = createWorkingSet();
  await loadSums(collections, documents, shadowSet.set, after);
  const absolute = shadowSet.absolute + addRows(documents, after);
  const to = { ...shadowSet, cursor: String(placeOf(last.date, last.entry)), absolute };
  const writes = { ...NO_WRITES, documents: documentWrites(documents) };
  await session.commit({ ...writes, shadowStep: { from: shadowSet, to } });
  return true;
}

async function swap(store: ProjectorStore, { shadowSet, head, event, entry }: Work): Promise<void> {
  const documents = createWorkingSet();
  await loadSums(store.collections, documents, shadowSet.set, []);
  const lastDate = lastDateOf(documents, shadowSet.set);
  const queued = (head.held?.queued ?? 1) - 1;
  const now: Head = {
    ...head,
    set: shadowSet.set,
    sequence: event.sequence,
    eventId: event.id,
    held: head.held && queued > 0 ? { ...head.held, queued } : null,
    budget: { ...head.budget, absolute: shadowSet.absolute, lastDate },
  };
  await store.session.commit({
    ...NO_WRITES,
    heads: [{ loaded: head, now }],
    done: [entry],
    swept: [head.set],
    shadowStep: { from: shadowSet, to: null },
  });
}
