// Which months are answered from stored sums, and which days from rows.
import test from 'ava';
import type { SumsQuery } from '../../../../schemas/generated/queries.ts';
import { splitRange, sumsSourceOf } from '../../../../src/store/reading/queries/sums-source.ts';

const query = (groupBy: SumsQuery['group_by'], more: Partial<SumsQuery> = {}): SumsQuery => ({
  ...{ budget_id: 'b', group_by: groupBy, interval: 'none', transfers: 'exclude' },
  ...{ limit: 1000, offset: 0, 'X-Projection-Wait-Seconds': 2, ...more },
});

const WHOLE = { from: '0001-01', to: '9999-12' };

test('a range is its whole months, and the days before and after them', t => {
  const split = (from?: string, to?: string) => {
    const { months, days } = splitRange({ from, to });
    const range = (one: { from?: string; to?: string }) => `${one.from}..${one.to}`;
    return [months && range(months), ...days.map(one => range(one as { from: string }))];
  };
  t.deepEqual(split(), ['0001-01..9999-12']);
  t.deepEqual(split('2024-01-01', '2024-12-31'), ['2024-01..2024-12']);
  t.deepEqual(split('2024-02-01', '2024-02-29'), ['2024-02..2024-02']);
  t.deepEqual(split('2024-02-01', '2024-02-28'), [null, '2024-02-01..2024-02-28']);
  t.deepEqual(split('2024-02-02', '2024-02-29'), [null, '2024-02-02..2024-02-29']);
  t.deepEqual(split('2024-02-15', '2024-02-15'), [null, '2024-02-15..2024-02-15']);
  t.deepEqual(split('2024-01-15', '2024-02-15'), [null, '2024-01-15..2024-02-15']);
  t.deepEqual(split('2023-12-31', '2024-01-31'), ['2024-01..2024-01', '2023-12-31..2023-12-31']);
  t.deepEqual(split('2023-12-01', '2024-01-30'), ['2023-12..2023-12', '2024-01-01..2024-01-30']);
  t.deepEqual(split('2023-11-02', '2024-02-01'), [
    '2023-12..2024-01',
    '2023-11-02..2023-11-30',
    '2024-02-01..2024-02-01',
  ]);
  t.deepEqual(split('9999-12-02'), [null, '9999-12-02..9999-12-31']);
  t.deepEqual(split('9999-12-01'), ['9999-12..9999-12']);
  t.deepEqual(split(undefined, '0001-01-30'), [null, '0001-01-01..0001-01-30']);
  t.deepEqual(split(undefined, '0001-01-31'), ['0001-01..0001-01']);
});

test('stored sums answer every grouping without a filter, and the filter of its own kind', t => {
  const months = (asked: SumsQuery) => {
    const { months: found, days } = sumsSourceOf(asked);
    return found === null ? days : `${found.kind} ${found.id}`;
  };
  const byRows = [{ from: undefined, to: undefined }];
  t.is(months(query('none')), 'accounts null');
  t.is(months(query('account')), 'accounts null');
  t.is(months(query('categoryGroup')), 'categories null');
  t.is(months(query('label')), 'labels null');
  t.is(months(query('payee', { payee_id: 'p' })), 'payees p');
  t.is(months(query('categoryGroup', { category_id: 'c' })), 'categories c');
  t.is(months(query('none', { label_id: 'l' })), 'labels l');
  t.deepEqual(months(query('label', { label_id: 'l' })), byRows);
  t.deepEqual(months(query('label', { payee_id: 'p' })), byRows);
  t.deepEqual(months(query('payee', { account_id: 'a' })), byRows);
  t.deepEqual(months(query('none', { account_id: 'a', payee_id: 'p' })), byRows);
});

test('rows are read of days alone, and of all dates where no stored sums answer', t => {
  const range = { start_date: '2024-01-15', end_date: '2024-03-31' };
  t.deepEqual(sumsSourceOf(query('payee')), {
    months: { kind: 'payees', id: null, ...WHOLE },
    days: [],
  });
  t.deepEqual(sumsSourceOf(query('payee', range)), {
    months: { kind: 'payees', id: null, from: '2024-02', to: '2024-03' },
    days: [{ from: '2024-01-15', to: '2024-01-31' }],
  });
  t.deepEqual(sumsSourceOf(query('payee', { ...range, account_id: 'a' })), {
    months: null,
    days: [{ from: '2024-01-15', to: '2024-03-31' }],
  });
});
