// Writes a big change: its stream is held while small transactions write a shadow set, and a last one swaps it in
// (rules/projecting.md#big-changes). A process may be killed after any step; the next owner goes on from there.
import { type Invalid, isInvalid } from '../../../projections/change.ts';
import type { Head } from '../../../projections/documents.ts';
import { placeOf } from '../../../projections/place.ts';
import { lastDateOf } from '../../../projections/reconcile.ts';
import { createWorkingSet } from '../../../projections/working-set.ts';
import type { BudgetEvent } from '../../../schemas/generated/events.ts';
import { loadHead } from '../../store/heads.ts';
import { readShadowSet, type ShadowSet } from '../../store/shadow-sets.ts';
import { noWrites } from '../../store/write-commands.ts';
import { NO_WRITES } from '../../store/writing/commit.ts';
import {
  loadDeclared,
  loadSums,
  readCatalogue,
  readRowsAfter,
  readTombstonesAfter,
} from '../../store/writing/load-documents.ts';
import { someOfSet } from '../../store/writing/sweep.ts';
import {
  type DocumentWrites,
  documentWrites,
  partsOfSet,
  tombstoneCopies,
} from '../../store/writing/write-documents.ts';
import { firstEntries } from '../queue/entries.ts';
import { beingApplied } from '../queue/held-after.ts';
import type { ProjectorStore } from '../store.ts';
import { addRows, beginShadowSet, rowsAfter } from './new-set.ts';

/** Documents that one step writes. Chunks of the log are committed between two steps. */
const STEP_DOCUMENTS_MAX = 2000;
/** Begins the cursor of a shadow set whose rows are all copied; the id of the last copied tombstone follows. */
const PAST_ROWS = 'tombstones/';

/** A big change under way. */
interface BigChange {
  readonly shadowSet: ShadowSet;
  readonly head: Head & { readonly set: string; readonly budget: NonNullable<Head['budget']> };
  readonly event: BudgetEvent;
  /** Id of the event's queue entry. */
  readonly entry: string;
  /** The event's time, in UTC with milliseconds. */
  readonly time: string;
}

/**
 * `done`: the new set is swapped in. `parked`: the event is invalid. `left`: nothing more to do here, because another
 * process owns the shadow set, it is gone or given up, or the signal aborted.
 */
export type ShadowOutcome = 'done' | 'parked' | 'left';

/**
 * Writes a stream's new set and swaps it in.
 *
 * @throws PausedError when the generation is paused
 */
export async function writeShadowSet(
  store: ProjectorStore,
  subject: string,
  { owner, signal }: { readonly owner: string; readonly signal: AbortSignal },
): Promise<ShadowOutcome> {
  let begun: CatalogueParts | null = null;
  for (;;) {
    if (signal.aborted) return 'left';
    const shadowSet = await readShadowSet(store.collections.shadowSets, subject);
    if (shadowSet?.owner !== owner) return 'left';
    const change = await readBigChange(store, shadowSet);
    if (!change) {
      await store.session.commit({
        ...NO_WRITES,
        swept: [shadowSet.set],
        shadowStep: { from: shadowSet, to: null },
      });
      return 'left';
    }
    if (!shadowSet.begun) {
      const left = await begin(store, change, begun);
      if (left === 'parked') return 'parked';
      begun = left;
    } else if (!(await copySome(store, change))) {
      await swap(store, change);
      return 'done';
    }
  }
}

/** Returns null when there is nothing to write any more, for instance because the budget was deleted. */
async function readBigChange(
  { collections }: ProjectorStore,
  shadowSet: ShadowSet,
): Promise<BigChange | null> {
  // An operator's rebuild ends when a projector takes its partition over.
  if (shadowSet.kind === 'rebuild') return null;
  const head = await loadHead(collections.heads, shadowSet.subject);
  if (head?.held?.why !== 'change' || head.set === null || head.budget === null) return null;
  // Not an entry with a lower sequence, which came meanwhile: it waits for its turn.
  const next = { eventsMax: 1, above: head.sequence };
  const [first] = await firstEntries({ collections }, shadowSet.subject, next);
  if (!first) return null;
  const { delivery, id: entry } = first;
  const { set, budget } = head;
  // Only events of budgets change too much for one transaction.
  const event = delivery.event as BudgetEvent;
  return { shadowSet, head: { ...head, set, budget }, event, entry, time: delivery.time };
}

/** The documents that do not follow from rows, in parts. They stay the same while they are written: the old set does. */
interface CatalogueParts {
  readonly entry: string;
  readonly parts: readonly (() => DocumentWrites)[];
  readonly absolute: number;
}

/** Writes the next part. Returns null after the last one, and `parked` when the event is invalid. */
async function begin(
  store: ProjectorStore,
  change: BigChange,
  known: CatalogueParts | null,
): Promise<CatalogueParts | 'parked' | null> {
  const { collections, session } = store;
  const { shadowSet, head, event, entry } = change;
  const { set, cursor } = shadowSet;
  let begun = known?.entry === entry ? known : null;
  if (!begun) {
    const catalogue = await readCatalogue(collections, head.set);
    const made = beginShadowSet(head, event, { set, catalogue });
    if (isInvalid(made)) return await refuse(store, change, made);
    const parts = partsOfSet(made.documents, set, STEP_DOCUMENTS_MAX);
    begun = { entry, parts, absolute: made.absolute };
  }
  const { parts, absolute } = begun;
  // Another release may cut it into other parts: they are written from the first one on.
  const [, done, count] = /^(\d+)\/(\d+)$/.exec(cursor ?? '') ?? [];
  const part = Number(count) === parts.length ? Number(done) : 0;
  const isLast = part + 1 >= parts.length;
  const to = isLast
    ? { ...shadowSet, begun: true, cursor: null, absolute }
    : { ...shadowSet, cursor: `${part + 1}/${parts.length}` };
  const documents = parts[part]?.() ?? NO_WRITES.documents;
  await session.commit({ ...NO_WRITES, documents, shadowStep: { from: shadowSet, to } });
  return isLast ? null : begun;
}

/**
 * Removes what a release wrote that took the event for valid, and then parks the stream. Each step moves the cursor: a
 * process that has lost the change, and found its old set swept, removes nothing of the set that is swapped in by now.
 */
async function refuse(
  { collections, session }: ProjectorStore,
  { shadowSet, head, entry, time }: BigChange,
  { invalid: reason }: Invalid,
): Promise<'parked' | null> {
  const { set, cursor } = shadowSet;
  const some = cursor && (await someOfSet(collections, set, STEP_DOCUMENTS_MAX));
  if (some) {
    const documents = new Map([[some.kind, { ...noWrites(), deletes: some.ids }]]);
    const to = { ...shadowSet, cursor: `removed ${some.ids.at(-1)}` };
    await session.commit({ ...NO_WRITES, documents, shadowStep: { from: shadowSet, to } });
    return null;
  }
  const held = head.held && ({ ...head.held, since: time, why: 'parked', reason, entry } as const);
  const heads = [{ loaded: head, now: { ...head, held } }];
  await session.commit({ ...NO_WRITES, heads, shadowStep: { from: shadowSet, to: null } });
  return 'parked';
}

/** Copies the next rows to the new set, and after them the tombstones; returns false when none are left. */
async function copySome(store: ProjectorStore, change: BigChange): Promise<boolean> {
  const { cursor } = change.shadowSet;
  if (cursor?.startsWith(PAST_ROWS)) {
    return await copyTombstones(store, change, cursor.slice(PAST_ROWS.length));
  }
  return (await copyRows(store, change)) || (await copyTombstones(store, change, ''));
}

/** Returns false when no rows are left. */
async function copyRows(
  store: ProjectorStore,
  { shadowSet, head, event }: BigChange,
): Promise<boolean> {
  const { collections, session } = store;
  const place = { set: head.set, after: Number(shadowSet.cursor ?? -1) };
  const rows = await readRowsAfter(collections, place, STEP_DOCUMENTS_MAX);
  const last = rows.at(-1);
  if (!last) return false;
  const before = createWorkingSet();
  await loadDeclared({ collections, documents: before }, { set: head.set, event });
  const after = rowsAfter(before, rows, { old: head, event, set: shadowSet.set });
  const documents = createWorkingSet();
  await loadSums({ collections, documents }, shadowSet.set, after.rows);
  const absolute = shadowSet.absolute + addRows(documents, after);
  const to = { ...shadowSet, cursor: String(placeOf(last.date, last.entry)), absolute };
  const writes = { ...NO_WRITES, documents: documentWrites(documents) };
  await session.commit({ ...writes, shadowStep: { from: shadowSet, to } });
  return true;
}

/** Returns false when no tombstones are left. */
async function copyTombstones(
  { collections, session }: ProjectorStore,
  { shadowSet, head }: BigChange,
  after: string,
): Promise<boolean> {
  const place = { set: head.set, after };
  const tombstones = await readTombstonesAfter(collections, place, STEP_DOCUMENTS_MAX);
  const last = tombstones.at(-1);
  if (!last) return false;
  const to = { ...shadowSet, cursor: `${PAST_ROWS}${last.id}` };
  const documents = tombstoneCopies(tombstones, shadowSet.set);
  await session.commit({ ...NO_WRITES, documents, shadowStep: { from: shadowSet, to } });
  return true;
}

async function swap(
  store: ProjectorStore,
  { shadowSet, head, event, entry }: BigChange,
): Promise<void> {
  const documents = createWorkingSet();
  await loadSums({ collections: store.collections, documents }, shadowSet.set, []);
  const lastDate = lastDateOf(documents, shadowSet.set);
  const { since = '', queued = 1 } = head.held ?? {};
  const now: Head = {
    ...head,
    set: shadowSet.set,
    sequence: event.sequence,
    eventId: event.id,
    held: beingApplied({ since, queued: queued - 1 }),
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
