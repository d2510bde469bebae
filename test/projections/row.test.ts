// A row as text: the stored text is the served text (rules/api.md#transaction).
import test from 'ava';
import { Long } from 'mongodb';
import type { Row } from '../../projections/documents.ts';
import { isUncategorized, renderRow, sortLabels } from '../../projections/row.ts';
import { shownTime } from '../../projections/time.ts';
import definitions from '../../schemas/api/definitions.json' with { type: 'json' };
import example from '../../schemas/api/examples/transactions.json' with { type: 'json' };
import { rowOf, storedRow } from '../../src/store/row-codec.ts';
import { EXAMPLE, FOREIGN } from './example-rows.ts';

test('the text of a row is the transaction of the contract, byte for byte', t => {
  t.is(renderRow(EXAMPLE), JSON.stringify(example.transactions[0]));
});

test('the text of a row has exactly the fields of the contract, in their order', t => {
  const fields = Object.keys(definitions.$defs.Transaction.properties);
  for (const row of [EXAMPLE, FOREIGN])
    t.deepEqual(Object.keys(JSON.parse(renderRow(row))), fields);
});

test('Money: native amounts are decimal strings too, and the exchange rate is in its shortest form', t => {
  const served = JSON.parse(renderRow(FOREIGN));
  t.is(served.amount, '22517998136852.48');
  t.is(served.amountNative, '-22517998136852.48');
  t.true(renderRow(FOREIGN).includes('"exchangeRate":0.1,'));
  t.is(served.memo, FOREIGN.memo);
});

test('a stored row reads back unchanged', t => {
  for (const row of [EXAMPLE, FOREIGN]) t.deepEqual(rowOf(storedRow(row)), row);
});

test('a stored row leaves out null fields, so that partial indexes stay small', t => {
  const { place: _place, json: _json, ...stored } = storedRow(FOREIGN);
  t.deepEqual(stored, {
    _id: '0-0/transaction-1',
    set: '0-0',
    account: 'account-checking',
    transfer: 'account-savings',
    onBudget: true,
    internal: true,
    uncategorized: false,
    cleared: true,
    type: 'transfer',
    amount: Long.fromString('2251799813685248'),
    changed: 9,
    search: 'Aumlaut ü, "quote", \u2028 and \u{1f600}A',
  });
  const full = storedRow(EXAMPLE);
  t.false('type' in full);
  t.is(full.amount.toString(), '-2340');
  t.deepEqual(
    [full.category, full.payee, full.labels],
    ['category-food', 'payee-market', ['label-holiday']],
  );
});

test('uncategorizedCount counts rows on budget without category, except transfers to on-budget accounts', t => {
  const free: Row = { ...EXAMPLE, categoryId: null };
  t.true(isUncategorized(free));
  const transfer: Row = { ...free, type: 'transfer', transferAccountId: 'house' };
  t.true(isUncategorized(transfer));
  t.false(isUncategorized(EXAMPLE));
  t.false(isUncategorized({ ...free, onBudget: false }));
  t.false(isUncategorized({ ...free, internal: true }));
});

test('labels in a row are ordered by name key, then by id', t => {
  const label = (id: string, name: string) => ({ id, name });
  const sorted = sortLabels([
    label('b', 'apple'),
    label('c', 'Zoo'),
    label('a', 'APPLE'),
    label('d', 'ähnlich'),
    label('e', 'aside'),
  ]);
  t.deepEqual(
    sorted.map(({ id }) => id),
    ['a', 'b', 'e', 'c', 'd'],
  );
});

test('any fraction of a second is accepted, and truncated to milliseconds in the answer', t => {
  const cases = [
    ['2024-05-01T12:00:00Z', '2024-05-01T12:00:00.000Z'],
    ['2024-05-01T12:00:00.5Z', '2024-05-01T12:00:00.500Z'],
    ['2024-05-01T12:00:00.123Z', '2024-05-01T12:00:00.123Z'],
    ['2024-05-01T23:59:59.999999999Z', '2024-05-01T23:59:59.999Z'],
  ] as const;
  for (const [time, shown] of cases) t.is(shownTime(time), shown);
});
