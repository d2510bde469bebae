// Order of lists: position, name key, id, all by code point.
import test from 'ava';
import { byName, byPosition } from '../../../../src/store/reading/queries/by-position.ts';

test('Position first, rows without one last, then name key, then id; negative positions too', t => {
  const one = (id: string, position: number | null, nameKey = 'x') => ({ id, position, nameKey });
  const sorted = [
    one('e', null, 'a'),
    one('d', null, 'b'),
    one('c', 3),
    one('b', -2, 'z'),
    one('a2', -2, 'a'),
    one('a1', -2, 'a'),
    one('f', 0),
  ].sort(byPosition);
  t.deepEqual(
    sorted.map(({ id }) => id),
    ['a1', 'a2', 'b', 'f', 'c', 'e', 'd'],
  );
});

test('Order by code point, not by UTF-16 unit', t => {
  const names = ['\u{1F600}', '\uFF41', 'z', '\uE000'].map(nameKey => ({ id: '1', nameKey }));
  t.deepEqual(
    names.sort(byName).map(({ nameKey }) => nameKey),
    ['z', '\uE000', '\uFF41', '\u{1F600}'],
  );
});
