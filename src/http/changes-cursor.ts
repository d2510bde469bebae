// The cursor of /changes: a place among the changes of one budget, as text. It contains nothing of the stored form but
// sequences and ids, so it stays valid when the same events are projected again, elsewhere or by another version.
import { createHash } from 'node:crypto';
import type { ChangePlace } from '../read-store/queries/change-order.ts';
import { AFTER_KINDS, CHANGE_KINDS } from '../read-store/queries/change-order.ts';
import type { ReachedBudget } from '../read-store/queries/reach.ts';

export interface ChangesCursor {
  /** Differs between budgets, and between two budgets that had the same id (a log that was made again). */
  readonly mark: string;
  /** The budget's position at the first page: what was deleted up to it was never sent. */
  readonly base: number;
  /** Every change up to this place was sent. */
  readonly place: ChangePlace;
}

const FORM = '1';
const MARK_LETTERS = 11;
const SEQUENCE = '([1-9][0-9]{0,9})';
const CURSOR = new RegExp(
  `^${FORM}\\.([A-Za-z0-9_-]{${MARK_LETTERS}})\\.${SEQUENCE}\\.${SEQUENCE}\\.([0-${AFTER_KINDS}])\\.(.*)$`,
);
const ID = '[A-Za-z0-9_.:~-]{1,128}';
const DOCUMENT_ID = new RegExp(`^${ID}$`);
const TOMBSTONE_ID = new RegExp(`^[a-zA-Z]{1,13}/${ID}$`);

export function markOf({ id, budget }: Pick<ReachedBudget, 'id' | 'budget'>): string {
  const hash = createHash('sha256').update(JSON.stringify([id, budget.createdAt]));
  return hash.digest('base64url').slice(0, MARK_LETTERS);
}

export function formatCursor({ mark, base, place }: ChangesCursor): string {
  return [FORM, mark, base, place.changed, place.kind, place.id].join('.');
}

/** Returns null for a text that no budget's cursor can be. */
export function parseCursor(text: string): ChangesCursor | null {
  const [, mark = '', base, changed, kind, id = ''] = CURSOR.exec(text) ?? [];
  if (base === undefined) return null;
  const place = { changed: Number(changed), kind: Number(kind), id };
  return isPlaceId(place) ? { mark, base: Number(base), place } : null;
}

function isPlaceId({ kind, id }: ChangePlace): boolean {
  if (kind === AFTER_KINDS) return id === '';
  return (CHANGE_KINDS[kind] === 'tombstones' ? TOMBSTONE_ID : DOCUMENT_ID).test(id);
}
