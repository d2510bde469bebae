// Whether a client can go on from its cursor.
import test from 'ava';
import { PROJECTIONS_VERSION } from '../../../../projections/version.ts';
import {
  cursorAt,
  endOfChanges,
  expectedCursor,
  type MarkedBudget,
} from '../../../../src/store/reading/queries/change-order.ts';

const ranges = (text: string) =>
  text.split(' ').map((range): [number, number] => {
    const [first, last] = range.split('-');
    return [Number(first), Number(last)];
  });

const BUDGET: MarkedBudget = {
  id: 'b1',
  sequence: 9,
  budget: { createdAt: '2024-01-01T00:00:00.000Z' },
  skipped: ranges('4-5'),
  version: PROJECTIONS_VERSION,
};
const CURSOR = cursorAt(BUDGET, { base: 7, place: endOfChanges(9) });
const OTHER = 'of this budget, and from a time when its events were read as they are now';

test('a cursor knows the position at which it was given', t => {
  t.deepEqual({ ...CURSOR, mark: '' }, { mark: '', base: 7, position: 9, place: endOfChanges(9) });
  t.regex(CURSOR.mark, /^[A-Za-z0-9_-]{11}$/);
});

const ROWS: readonly (readonly [string, Partial<MarkedBudget>, string | null])[] = [
  ['the same state', {}, null],
  ['a later position', { sequence: 12 }, null],
  [
    'later events skipped',
    {
      sequence: 12,
      skipped: ranges('4-5 10-11'),
    },
    null,
  ],
  [
    'the next event skipped, after a skipped one',
    {
      sequence: 10,
      skipped: ranges('4-5 10-10'),
    },
    null,
  ],
  ['an earlier position', { sequence: 8 }, 'up to the position of this budget'],
  ['another budget', { id: 'b2' }, OTHER],
  ['a budget that was made again', { budget: { createdAt: '2024-01-01T00:00:00.001Z' } }, OTHER],
  ['an earlier event skipped too', { skipped: ranges('3-5') }, OTHER],
  ['an earlier event not skipped', { skipped: ranges('5-5') }, OTHER],
  ['as many other events skipped', { skipped: ranges('6-7') }, OTHER],
  [
    'the last event skipped',
    {
      skipped: ranges('4-5 9-9'),
    },
    OTHER,
  ],
  ['nothing skipped', { skipped: [] }, OTHER],
  ['a version that reads old events otherwise', { version: 3 }, OTHER],
];

for (const [name, changes, expected] of ROWS) {
  test(`${name}: ${expected === null ? 'the client goes on' : 'the client starts again'}`, t => {
    t.is(expectedCursor({ ...BUDGET, ...changes }, CURSOR), expected);
  });
}

test('versions 2 and 3 read all events alike, and version 4 reads old ones otherwise', t => {
  const at = (version: number) => cursorAt({ ...BUDGET, version }, CURSOR).mark;
  t.is(at(2), at(3));
  t.not(at(3), at(4));
  t.is(at(PROJECTIONS_VERSION), at(PROJECTIONS_VERSION + 1));
});
