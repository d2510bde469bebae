// Ranges of months and of points: what is refused, with which words, and what `current` means.
import test from 'ava';
import { ApiError } from '../../src/http/api-error.ts';
import { rangeOfMonths } from '../../src/http/ranges.ts';
import { check, problems } from './check-parameters.ts';

const MONTHS = ['month-list', 'category-months'] as const;
/** The date of the checks is 2026-03-14. */
const range = (start: string, end: string) => `budget_id=b&start_month=${start}&end_month=${end}`;
const days = (start: string, end: string, interval?: string) =>
  `budget_id=b&start_date=${start}&end_date=${end}${interval ? `&interval=${interval}` : ''}`;

function messageOf(name: (typeof MONTHS)[number] | 'balances', query: string): string | undefined {
  try {
    check(name, query);
    return undefined;
  } catch (error) {
    return (error as ApiError).message;
  }
}

for (const name of MONTHS) {
  test(`${name}: start_month may be end_month, and current is the month of today`, t => {
    for (const [start, end] of [
      ['0001-01', '0001-01'],
      ['9999-12', '9999-12'],
      ['current', 'current'],
      ['2026-03', 'current'],
      ['current', '2026-03'],
    ] as const) {
      t.deepEqual(problems(name, range(start, end)), [], `${start} ${end}`);
    }
  });

  test(`${name}: a range that ends before it starts names end_month`, t => {
    for (const [start, end] of [
      ['2026-02', '2026-01'],
      ['2026-04', 'current'],
      ['current', '2026-02'],
    ] as const) {
      t.deepEqual(problems(name, range(start, end)), ['invalid_parameter end_month']);
    }
    t.is(
      messageOf(name, range('2026-04', 'current')),
      'Expected end_month not to be before start_month (2026-04), got current, 2026-03',
    );
  });

  test(`${name}: both are required, and bad ones are named alone`, t => {
    t.deepEqual(problems(name, 'budget_id=b'), [
      'missing_parameter start_month',
      'missing_parameter end_month',
    ]);
    t.deepEqual(problems(name, range('2026-13', '2026-01')), ['invalid_parameter start_month']);
    t.deepEqual(problems(name, `${range('2026-01', '2025-01')}&start_month=2024-01`), [
      'invalid_parameter start_month',
    ]);
    t.is(
      messageOf(name, range('today', '2026-01')),
      'Expected start_month to be a month, YYYY-MM from 0001-01 to 9999-12, or current, got "today"',
    );
  });
}

test('at most 120 months of /months, 60 of /category-months', t => {
  t.deepEqual(problems('month-list', range('2016-04', 'current')), []);
  t.deepEqual(problems('month-list', range('9990-01', '9999-12')), []);
  t.is(
    messageOf('month-list', range('2016-03', 'current')),
    'Expected at most 120 months from start_month (2016-03) to end_month (current, 2026-03), got 121',
  );
  t.deepEqual(problems('category-months', range('2021-04', 'current')), []);
  t.deepEqual(problems('category-months', range('2021-03', 'current')), [
    'invalid_parameter end_month',
  ]);
  t.deepEqual(problems('category-months', range('0001-01', '9999-12')), [
    'invalid_parameter end_month',
  ]);
});

test('a range that is impossible when it is read, because a month ended, is refused then', t => {
  const { months, checkRange, dependsOn } = rangeOfMonths(2);
  const query = { start_month: 'current', end_month: '2026-03' };
  t.is(checkRange(query, '2026-03-31'), null);
  t.deepEqual(months(query, '2026-03-31'), ['2026-03']);
  const error = t.throws(() => months(query, '2026-04-01'), { instanceOf: ApiError });
  t.is(error?.status, 400);
  t.deepEqual(dependsOn(query, '2026-03-31'), ['2026-03']);
  t.deepEqual(dependsOn({ ...query, start_month: '2026-02' }, '2026-03-31'), []);
});

test('balances: interval is day unless it is given', t => {
  t.is(check('balances', days('2026-01-01', '2026-01-02')).interval, 'day');
  t.is(
    messageOf('balances', days('2026-01-01', '2026-01-02', 'year')),
    'Expected interval to be one of day, week, month, got "year"',
  );
});

test('balances: at most 1000 points, whatever the interval', t => {
  for (const [query, taken] of [
    [days('2021-01-01', '2023-09-27'), true],
    [days('2021-01-01', '2023-09-28'), false],
    [days('2021-01-03', '2040-02-26', 'week'), true],
    [days('2021-01-03', '2040-02-27', 'week'), false],
    [days('2021-01-01', '2104-04-01', 'month'), true],
    [days('2021-01-01', '2104-05-01', 'month'), false],
    [days('0001-01-01', '9999-12-31', 'month'), false],
  ] as const) {
    t.deepEqual(problems('balances', query), taken ? [] : ['invalid_parameter end_date'], query);
  }
  t.is(
    messageOf('balances', days('2021-01-01', '2023-09-28')),
    'Expected at most 1000 points from start_date (2021-01-01) to end_date (2023-09-28), got 1001',
  );
});

test('balances: start_date is not after end_date, and then points are not counted', t => {
  const query = days('2026-01-02', '2026-01-01');
  t.deepEqual(problems('balances', query), ['invalid_parameter end_date']);
  t.is(
    messageOf('balances', query),
    'Expected end_date not to be before start_date (2026-01-02), got 2026-01-01',
  );
});
