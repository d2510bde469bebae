// The dates of balances over time, held against a walk day by day.
import test from 'ava';
import fc from 'fast-check';
import {
  countPoints,
  type Points,
  pointDates,
} from '../../../../src/store/reading/queries/point-dates.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('0001-01-01');
const DAYS = (Date.parse('9999-12-31') - FIRST) / DAY_MS;
const dateAt = (day: number) => new Date(FIRST + day * DAY_MS).toISOString().slice(0, 10);

/** Every day of the range that is a point. */
function walk(from: number, to: number, interval: Points['interval']): string[] {
  const dates: string[] = [];
  for (let day = from; day <= to; day += 1) {
    const isSunday = new Date(FIRST + day * DAY_MS).getUTCDay() === 0;
    const isLastOfMonth = new Date(FIRST + (day + 1) * DAY_MS).getUTCDate() === 1;
    const isRegular = { day: true, week: isSunday, month: isLastOfMonth }[interval];
    if (isRegular || day === to) dates.push(dateAt(day));
  }
  return dates;
}

for (const interval of ['day', 'week', 'month'] as const) {
  test(`${interval}: each regular day, and the end`, t => {
    const range = fc.tuple(fc.integer({ min: 0, max: DAYS }), fc.integer({ min: 0, max: 900 }));
    const isRight = ([from, length]: [number, number]) => {
      const to = Math.min(from + length, DAYS);
      const points = { start: dateAt(from), end: dateAt(to), interval };
      const expected = walk(from, to, interval);
      t.deepEqual(pointDates(points), expected, JSON.stringify(points));
      t.is(countPoints(points), expected.length);
    };
    fc.assert(fc.property(range, isRight), {
      numRuns: 300,
      examples: [[[0, 40]], [[DAYS, 0]], [[DAYS - 40, 40]], [[0, 0]]],
    });
  });
}

test('points are counted without being made', t => {
  const whole = { start: '0001-01-01', end: '9999-12-31' };
  t.is(countPoints({ ...whole, interval: 'day' }), DAYS + 1);
  t.is(countPoints({ ...whole, interval: 'week' }), Math.floor((DAYS + 1) / 7) + 1);
  t.is(countPoints({ ...whole, interval: 'month' }), 9999 * 12);
});
