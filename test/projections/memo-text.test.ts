// Texts of memo blocks: memos in the order of entry, each after a key that no search can find.
import test from 'ava';
import { memoKey, placesIn, withMemo, withoutMemo } from '../../projections/memo-text.ts';
import { normalizeText } from '../../projections/normalize-text.ts';
import { placeOf } from '../../projections/place.ts';

const ROWS = [
  { entry: 256, date: '0001-01-01', memo: 'Bread and milk' },
  { entry: 257, date: '2024-02-29', memo: 'MILK, milk, Milk' },
  { entry: 300, date: '9999-12-31', memo: 'É\u0000\u{10400} 100 %' },
  { entry: 383, date: '2024-02-29', memo: ' ' },
] as const;
const BLOCK = 2;

const add = (text: string, { entry, date, memo }: (typeof ROWS)[number]) =>
  withMemo(text, memoKey(entry, date), memo);
const TEXT = ROWS.reduce(add, '');

test('the text does not depend on the order of the events', t => {
  const [a, b, c, d] = ROWS;
  for (const order of [
    [d, c, b, a],
    [b, d, a, c],
    [c, a, d, b],
  ]) {
    t.is(order.reduce(add, ''), TEXT);
  }
});

test('removing a memo leaves the others unchanged', t => {
  for (const row of ROWS) {
    const others = ROWS.filter(one => one !== row).reduce(add, '');
    t.is(withoutMemo(TEXT, memoKey(row.entry, row.date)), others);
  }
  t.throws(() => withoutMemo(TEXT, memoKey(258, '2024-02-29')), { message: /Expected a memo/ });
});

test('a hit leads to the place of its row, each row once', t => {
  const found = (search: string) => placesIn(BLOCK, TEXT, normalizeText(search));
  const places = ROWS.map(({ date, entry }) => placeOf(date, entry));
  t.deepEqual(found('milk'), [places[0], places[1]]);
  t.deepEqual(found('Bread'), [places[0]]);
  t.deepEqual(found('\u0000\u{10400}'), [places[2]]);
  t.deepEqual(found(' '), [places[0], places[1], places[2], places[3]]);
  t.deepEqual(found('%'), [places[2]]);
});

test('a search finds nothing in keys, nor across the end of a memo', t => {
  for (const search of ['A', 'AAAAAAA', 'BQ', 'milkmilk', '% ', 'milkA']) {
    t.deepEqual(
      placesIn(BLOCK, TEXT, normalizeText(search)),
      search === 'A' ? [placeOf('0001-01-01', 256)] : [],
      search,
    );
  }
});
