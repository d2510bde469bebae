// The cursor of /changes as text. It contains nothing of the stored form but sequences and ids, so it stays valid when the
// same events are projected again, elsewhere or by another version.
import { createHash } from 'node:crypto';
import { type ChangesCursor, MARK_LETTERS } from '../store/reading/queries/change-cursor.ts';
import type { ChangePlace } from '../store/reading/queries/change-order.ts';
import { AFTER_KINDS, CHANGE_KINDS } from '../store/reading/queries/change-order.ts';

const FORM = '2';
const CHECK_LETTERS = 6;
const SEQUENCE = '([1-9][0-9]{0,9})';
const CURSOR = new RegExp(
  `^${FORM}\\.([A-Za-z0-9_-]{${MARK_LETTERS}})\\.${SEQUENCE}\\.${SEQUENCE}\\.${SEQUENCE}\\.([0-${AFTER_KINDS}])\\.(.*)$`,
);
const ID = '[A-Za-z0-9_.:~-]{1,128}';
const DOCUMENT_ID = new RegExp(`^${ID}$`);
const TOMBSTONE_ID = new RegExp(`^[a-zA-Z]{1,13}/${ID}$`);

export function formatCursor({ mark, base, position, place }: ChangesCursor): string {
  const text = [FORM, mark, base, position, place.changed, place.kind, place.id].join('.');
  return `${text}.${checkOf(text)}`;
}

/** Returns null for a text that no budget's cursor can be, such as a part of one. */
export function parseCursor(text: string): ChangesCursor | null {
  const end = text.length - CHECK_LETTERS - 1;
  const checked = text.slice(0, Math.max(0, end));
  if (text !== `${checked}.${checkOf(checked)}`) return null;
  const [, mark = '', base, position, changed, kind, id = ''] = CURSOR.exec(checked) ?? [];
  if (base === undefined) return null;
  const place = { changed: Number(changed), kind: Number(kind), id };
  return isPlaceId(place) ? { mark, base: Number(base), position: Number(position), place } : null;
}

function checkOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, CHECK_LETTERS);
}

function isPlaceId({ kind, id }: ChangePlace): boolean {
  if (kind === AFTER_KINDS) return id === '';
  return (CHANGE_KINDS[kind] === 'tombstones' ? TOMBSTONE_ID : DOCUMENT_ID).test(id);
}
