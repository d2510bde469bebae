// How far a client knows the changes of a budget, and whether it can go on from there: only if the state that its last page
// came from and the budget's state now follow in the same way from the events up to that page's position (pure).
import { createHash } from 'node:crypto';
import { readingOf } from '../../../../projections/reading.ts';
import { skippedUpTo } from '../../../../projections/skipped.ts';
import type { ChangePlace } from './change-order.ts';
import type { ReachedBudget } from './reach.ts';

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
