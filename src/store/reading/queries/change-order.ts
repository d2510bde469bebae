// The order of changes: by the event that made them, then by kind, then by id; and how far a client knows them (pure).
import { createHash } from 'node:crypto';
import { skippedUpTo } from '../../../../projections/skipped.ts';
import { readingOf } from '../../../../projections/version.ts';
import type { ReachedBudget } from './reach.ts';

/** The kinds of documents that changes are read from, in their order among the changes of one event. */
export const CHANGE_KINDS = [
  'accounts',
  'groups',
  'categories',
  'payees',
  'labels',
  'rows',
  'tombstones',
] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** A place in that order. */
export interface ChangePlace {
  /** Sequence of the event. */
  readonly changed: number;
  /** Index of the kind; `AFTER_KINDS` after all changes of the event. */
  readonly kind: number;
  /** Of the document within its set; empty after all changes of the event. */
  readonly id: string;
}

export const AFTER_KINDS = CHANGE_KINDS.length;

/** The place before all changes. */
export const BEFORE_CHANGES: ChangePlace = { changed: 0, kind: AFTER_KINDS, id: '' };

/** Returns the place after all changes up to a position. */
export function endOfChanges(sequence: number): ChangePlace {
  return { changed: sequence, kind: AFTER_KINDS, id: '' };
}

/** Returns whether a place is after all changes up to a position. */
export function isEndOfChanges({ changed, kind }: ChangePlace, sequence: number): boolean {
  return changed >= sequence && kind === AFTER_KINDS;
}

/** Ids consist of ASCII letters, which compare alike here and in the store. */
function comparePlaces(a: ChangePlace, b: ChangePlace): number {
  if (a.changed !== b.changed) return a.changed - b.changed;
  if (a.kind !== b.kind) return a.kind - b.kind;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** The changes of one kind after a place. */
export interface Remaining {
  /** All changes of later events than this one. */
  readonly after: number;
  /** Of the event that the place is in the midst of, those after an id; null where all or none of them remain. */
  readonly within: { readonly changed: number; readonly afterId: string } | null;
}

interface Bounds {
  /** Tombstones up to this position are left out. */
  readonly base: number;
  /** The budget's position: no change is later. */
  readonly sequence: number;
}

/** Returns what remains of a kind after a place; null where nothing can remain. */
export function remainingAfter(
  { changed, kind, id }: ChangePlace,
  of: ChangeKind,
  { base, sequence }: Bounds,
): Remaining | null {
  const index = CHANGE_KINDS.indexOf(of);
  const first = of === 'tombstones' ? base : 0;
  const after = Math.max(index > kind ? changed - 1 : changed, first);
  const placeInKind = index === kind && changed > first ? { changed, afterId: id } : null;
  return after < sequence || placeInKind !== null ? { after, within: placeInKind } : null;
}

/** The changes of one kind in their order; others follow where they are cut. */
export interface ChangeStream<T extends ChangePlace> {
  readonly changes: readonly T[];
  readonly isCut: boolean;
}

/**
 * Merges streams into one page of at most `limit` changes. Each stream must hold one change more than the limit if it has
 * that many; one that is cut holds at least one, and the page ends with its last one.
 */
export function mergeChanges<T extends ChangePlace>(
  streams: readonly ChangeStream<T>[],
  limit: number,
): { readonly changes: readonly T[]; readonly hasMore: boolean } {
  const ends = streams.flatMap(({ changes, isCut }) => (isCut ? changes.slice(-1) : []));
  const all = streams.flatMap(({ changes }) => changes).sort(comparePlaces);
  const known = all.filter(change => ends.every(end => comparePlaces(change, end) <= 0));
  return { changes: known.slice(0, limit), hasMore: ends.length > 0 || known.length > limit };
}

/**
 * How far a client knows the changes of a budget. It can go on from there only if the state that its last page came from and
 * the budget's state now follow in the same way from the events up to that page's position.
 */
export interface ChangesCursor {
  /** Differs between budgets, and between states that follow otherwise from the events up to the position. */
  readonly mark: string;
  /** The budget's position at the first page: what was deleted up to it was never sent. */
  readonly base: number;
  /** The budget's position at the last page. */
  readonly position: number;
  /** Every change up to this place was sent. */
  readonly place: ChangePlace;
}

export const MARK_LETTERS = 11;

/** A budget in a read model. */
export interface MarkedBudget extends Pick<ReachedBudget, 'id' | 'sequence' | 'skipped'> {
  readonly budget: Pick<ReachedBudget['budget'], 'createdAt'>;
  /** Version of the projections. */
  readonly version: number;
}

/** Returns the cursor at a place, for a page that is read now. */
export function cursorAt(
  budget: MarkedBudget,
  { base, place }: Pick<ChangesCursor, 'base' | 'place'>,
): ChangesCursor {
  const position = budget.sequence;
  return { mark: markOf(budget, position), base, position, place };
}

/** Returns what the cursor should be, in words; null if the client can go on from it. */
export function expectedCursor(
  budget: MarkedBudget,
  { mark, position }: ChangesCursor,
): string | null {
  if (position > budget.sequence) return 'up to the position of this budget';
  if (mark === markOf(budget, position)) return null;
  return 'of this budget, and from a time when its events were read as they are now';
}

/**
 * Names a budget (one that has the id of an earlier one, of a log that was made again, was made at another time) and all
 * that its state up to a position follows from, besides its events.
 */
function markOf({ id, budget, version, skipped }: MarkedBudget, position: number): string {
  const parts = [id, budget.createdAt, readingOf(version), skippedUpTo(skipped, position)];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  return hash.digest('base64url').slice(0, MARK_LETTERS);
}
