// The cursor of /changes as text.
import { createHash } from 'node:crypto';
import test from 'ava';
import { formatCursor, parseCursor } from '../../src/http/routes/changes.ts';
import { AFTER_KINDS, type ChangesCursor } from '../../src/store/reading/queries/change-order.ts';

const MARK = 'aB3_-xyz012';
const LONGEST = 'x'.repeat(128);

const CURSORS: ChangesCursor[] = [
  { mark: MARK, base: 1, position: 1, place: { changed: 1, kind: 0, id: 'a' } },
  { mark: MARK, base: 7, position: 50, place: { changed: 42, kind: 5, id: 'a.b:c~d-e_f' } },
  {
    mark: MARK,
    base: 2147483647,
    position: 2147483647,
    place: { changed: 2147483647, kind: 6, id: `categoryGroup/${LONGEST}` },
  },
  { mark: MARK, base: 9, position: 9, place: { changed: 9, kind: AFTER_KINDS, id: '' } },
];

test('every cursor is read back as it was, and has at most 200 characters', t => {
  for (const cursor of CURSORS) {
    const text = formatCursor(cursor);
    t.deepEqual(parseCursor(text), cursor, text);
    t.true(text.length <= 200, text);
  }
});

test('a cursor that was cut, lengthened, doubled or altered is none', t => {
  for (const text of CURSORS.map(formatCursor)) {
    const others = [`${text}x`, `${text}.`, `${text}${text}`, `${text}.${text}`, ` ${text}`];
    for (let end = 0; end < text.length; end += 1) {
      others.push(text.slice(0, end), text.slice(end + 1), `${text}${text.slice(end)}`);
      others.push(`${text.slice(0, end)}${text[end] === '1' ? '2' : '1'}${text.slice(end + 1)}`);
    }
    for (const other of others) t.is(parseCursor(other), null, JSON.stringify(other));
  }
});

test('a text in another form is no cursor, even with the right check', t => {
  const checked = (text: string) =>
    `${text}.${createHash('sha256').update(text).digest('base64url').slice(0, 6)}`;
  t.not(parseCursor(checked(`2.${MARK}.1.1.1.7.`)), null);
  for (const text of [
    '',
    'x',
    '2',
    `2.${MARK}.1.1.1.7`,
    `1.${MARK}.1.1.7.`,
    `1.${MARK}.1.1.1.7.`,
    `2.${MARK}x.1.1.1.7.`,
    `2.${MARK.slice(1)}.1.1.1.7.`,
    `2.${MARK}.0.1.1.7.`,
    `2.${MARK}.1.0.1.7.`,
    `2.${MARK}.1.1.0.7.`,
    `2.${MARK}.01.1.1.7.`,
    `2.${MARK}.1.-1.1.7.`,
    `2.${MARK}.1.1.1e3.7.`,
    `2.${MARK}.1.1.12345678901.7.`,
    `2.${MARK}.1.1.1.8.`,
    `2.${MARK}.1.1.1.7.x`,
    `2.${MARK}.1.1.1.5.`,
    `2.${MARK}.1.1.1.5.a b`,
    `2.${MARK}.1.1.1.5.payee/a`,
    `2.${MARK}.1.1.1.6.a`,
    `2.${MARK}.1.1.1.6.payee/`,
    `2.${MARK}.1.1.1.6.pay.ee/a`,
    `2.${MARK}.1.1.1.5.${LONGEST}x`,
    ` 2.${MARK}.1.1.1.7.`,
    `2.${MARK}.1.1.1.7.\n`,
  ]) {
    t.is(parseCursor(checked(text)), null, JSON.stringify(text));
  }
});

test('a cursor of version 1.1 is none', t => {
  t.is(parseCursor('1.kRx0fVd2m_Q.42.42.7.'), null);
});
