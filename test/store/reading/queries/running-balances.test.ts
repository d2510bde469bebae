// Balances from sums by month and by day, held against sums over rows.
import test from 'ava';
import fc from 'fast-check';
import {
  type Figures,
  monthsInDays,
  runningBalances,
} from '../../../../src/store/reading/queries/balances.ts';
import { pointDates } from '../../../../src/store/reading/queries/point-dates.ts';

interface Row {
  readonly date: string;
  readonly first: number;
  readonly second: number;
}

const FIRST = Date.parse('2023-11-01');
const dateAt = (day: number) => new Date(FIRST + day * 86_400_000).toISOString().slice(0, 10);
const day = fc.integer({ min: 0, max: 500 });
const amount = fc.integer({ min: -1000, max: 1000 });
const rows = fc.array(
  fc
    .tuple(day, amount, amount)
    .map(([on, first, second]): Row => ({ date: dateAt(on), first, second })),
  { maxLength: 60 },
);
const points = fc
  .tuple(day, day, fc.constantFrom('day' as const, 'week' as const, 'month' as const))
  .map(([a, b, interval]) => ({
    start: dateAt(Math.min(a, b)),
    end: dateAt(Math.max(a, b)),
    interval,
  }));

function plus(all: readonly Row[]): Figures {
  const start = { first: 0, second: 0 };
  return all.reduce(
    (sums, row) => ({ first: sums.first + row.first, second: sums.second + row.second }),
    start,
  );
}

function sumsOf(all: readonly Row[], inDays: ReadonlySet<string>): Map<string, Figures> {
  const periodOf = ({ date }: Row) => (inDays.has(date.slice(0, 7)) ? date : date.slice(0, 7));
  const periods = [...new Set(all.map(periodOf))];
  return new Map(periods.map(one => [one, plus(all.filter(row => periodOf(row) === one))]));
}

test('each point is the sum of the rows up to its date', t => {
  fc.assert(
    fc.property(rows, points, (all, asked) => {
      const dates = pointDates(asked);
      const found = runningBalances(sumsOf(all, monthsInDays(dates)), dates);
      const expected = dates.map(date => plus(all.filter(row => row.date <= date)));
      t.deepEqual(found, expected);
    }),
    { numRuns: 300 },
  );
});

test('days are needed only of months with a point inside', t => {
  const monthsOf = (interval: 'week' | 'month', start: string, end: string) => [
    ...monthsInDays(pointDates({ start, end, interval })),
  ];
  t.deepEqual(monthsOf('month', '2024-01-15', '2024-06-30'), []);
  t.deepEqual(monthsOf('month', '2024-01-15', '2024-06-29'), ['2024-06']);
  t.deepEqual(monthsOf('week', '2024-03-31', '2024-04-07'), ['2024-04']);
});
