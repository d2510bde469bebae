// Query strings are taken apart, not mended.
import test from 'ava';
import { parseQuery } from '../../src/http/query-string.ts';

const rows: [title: string, query: string, expected: [string, string | null][]][] = [
  ['nothing', '', []],
  ['nothing between ampersands', '&&a=1&&', [['a', '1']]],
  [
    'the order is kept, repeated ones too',
    'b=1&a=2&b=3',
    [
      ['b', '1'],
      ['a', '2'],
      ['b', '3'],
    ],
  ],
  ['+ is a space', 'a+b=c+d', [['a b', 'c d']]],
  ['an encoded + is a plus', 'a=%2B', [['a', '+']]],
  ['only the first = parts', 'a=b=c', [['a', 'b=c']]],
  ['without = the value is empty', 'a', [['a', '']]],
  ['a parameter without a name', '=1', [['', '1']]],
  ['UTF-8, in bytes and encoded', 'a=\xc3\xa9%C3%A9', [['a', 'éé']]],
  [
    'a broken percent-encoding',
    'a=%zz&b=%4',
    [
      ['a', null],
      ['b', null],
    ],
  ],
  [
    'bytes that are no UTF-8',
    'a=%ff&b=\xff&c=%ed%a0%80',
    [
      ['a', null],
      ['b', null],
      ['c', null],
    ],
  ],
  ['a name that cannot be decoded stays as it is', '%ff=1', [['%ff', null]]],
  ['NUL is a character', 'a=%00', [['a', '\0']]],
  ['a byte order mark is kept', 'a=%EF%BB%BF', [['a', '\ufeff']]],
];

for (const [title, query, expected] of rows) {
  test(`parseQuery: ${title}`, t => {
    t.deepEqual(
      parseQuery(query).map(({ name, value }) => [name, value]),
      expected,
    );
  });
}
