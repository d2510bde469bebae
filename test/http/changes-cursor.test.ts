// The cursor of /changes as text.
import test from 'ava';
import {
  type ChangesCursor,
  formatCursor,
  markOf,
  parseCursor,
} from '../../src/http/changes-cursor.ts';
import { AFTER_KINDS } from '../../src/read-store/queries/change-order.ts';
import type { ReachedBudget } from '../../src/read-store/queries/reach.ts';

const MARK = 'aB3_-xyz012';
const LONGEST = 'x'.repeat(128);

test('every cursor is read back as it was, and has at most 200 characters', t => {
  const cursors: ChangesCursor[] = [
    { mark: MARK, base: 1, place: { changed: 1, kind: 0, id: 'a' } },
    { mark: MARK, base: 7, place: { changed: 42, kind: 5, id: 'a.b:c~d-e_f' } },
    {
      mark: MARK,
      base: 2147483647,
      place: { changed: 2147483647, kind: 6, id: `categoryGroup/${LONGEST}` },
    },
    { mark: MARK, base: 9, place: { changed: 9, kind: AFTER_KINDS, id: '' } },
  ];
  for (const cursor of cursors) {
    const text = formatCursor(cursor);
    t.deepEqual(parseCursor(text), cursor, text);
    t.true(text.length <= 200, text);
  }
});

test('a text in another form is no cursor', t => {
  for (const text of [
    '',
    'x',
    '1',
    `1.${MARK}.1.1.7`,
    `2.${MARK}.1.1.7.`,
    `1.${MARK}x.1.1.7.`,
    `1.${MARK.slice(1)}.1.1.7.`,
    `1.${MARK}.0.1.7.`,
    `1.${MARK}.1.0.7.`,
    `1.${MARK}.01.1.7.`,
    `1.${MARK}.1.-1.7.`,
    `1.${MARK}.1.1e3.7.`,
    `1.${MARK}.1.12345678901.7.`,
    `1.${MARK}.1.1.8.`,
    `1.${MARK}.1.1.7.x`,
    `1.${MARK}.1.1.5.`,
    `1.${MARK}.1.1.5.a b`,
    `1.${MARK}.1.1.5.payee/a`,
    `1.${MARK}.1.1.6.a`,
    `1.${MARK}.1.1.6.payee/`,
    `1.${MARK}.1.1.6.pay.ee/a`,
    `1.${MARK}.1.1.5.${LONGEST}x`,
    ` 1.${MARK}.1.1.7.`,
    `1.${MARK}.1.1.7.\n`,
  ]) {
    t.is(parseCursor(text), null, JSON.stringify(text));
  }
});

test('the mark differs by budget and by the time when it was made', t => {
  const of = (id: string, createdAt: string) =>
    markOf({ id, budget: { createdAt } as ReachedBudget['budget'] });
  const marks = [of('b1', '2024-01-01T00:00:00.000Z'), of('b2', '2024-01-01T00:00:00.000Z')];
  marks.push(of('b1', '2024-01-01T00:00:00.001Z'));
  t.is(new Set(marks).size, 3);
  for (const mark of marks) t.regex(mark, /^[A-Za-z0-9_-]{11}$/);
});
