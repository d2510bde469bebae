// The parameters of each endpoint are those of the contract (rules/api.md#strict-parameters), with the limits of
// rules/api.md#pages.
import test from 'ava';
import { QUERY_SCHEMAS } from '../../schemas/generated/query-schemas.ts';
import { readQueries } from '../../scripts/generate/query-schemas.ts';
import type { JsonSchema } from '../../scripts/generate/schema-files.ts';
import { checkAt, createAjv } from '../../src/process/validation.ts';

const WAITS = 'X-Projection-Wait-For X-Projection-Wait-Seconds';
const PARAMETERS: Record<string, string> = {
  budgets: '',
  accounts: `budget_id name ${WAITS}`,
  transactions: `budget_id account_id category_id payee_id label_id type min_amount max_amount start_date end_date search uncategorized uncleared limit offset ${WAITS}`,
  categories: `budget_id include_hidden name limit offset ${WAITS}`,
  payees: `budget_id name limit offset ${WAITS}`,
  labels: `budget_id name limit offset ${WAITS}`,
  months: `month budget_id ${WAITS}`,
  transaction: `transaction_id budget_id ${WAITS}`,
  token: '',
  events: '',
  changes: `budget_id cursor limit wait ${WAITS}`,
  'month-list': `budget_id start_month end_month ${WAITS}`,
  'category-months': `budget_id start_month end_month category_id include_hidden ${WAITS}`,
  balances: `budget_id start_date end_date interval account_id ${WAITS}`,
  sums: `budget_id group_by interval start_date end_date account_id category_id payee_id label_id on_budget transfers limit offset ${WAITS}`,
};

const REQUIRED: Record<string, string[]> = {
  budgets: [],
  token: [],
  events: [],
  months: ['month', 'budget_id'],
  transaction: ['transaction_id', 'budget_id'],
  'month-list': ['budget_id', 'start_month', 'end_month'],
  'category-months': ['budget_id', 'start_month', 'end_month'],
  balances: ['budget_id', 'start_date', 'end_date'],
  sums: ['budget_id', 'group_by'],
};

const FILES = readQueries();
const ajv = createAjv();
for (const { path, schema } of FILES) ajv.addSchema(schema, path);

for (const { name, schema } of FILES) {
  test(`rules/api.md#strict-parameters: ${name} has its parameters and no others`, t => {
    const names = (PARAMETERS[name] ?? 'none').split(' ').filter(Boolean);
    t.deepEqual(Object.keys(schema.properties as object), names);
    t.false(schema.additionalProperties);
    t.deepEqual(schema.required ?? [], REQUIRED[name] ?? ['budget_id']);
    t.deepEqual(QUERY_SCHEMAS[name as keyof typeof QUERY_SCHEMAS] as unknown, schema);
  });
}

const IN_PATH = ['month', 'transaction_id'];

test('the month and a transaction are in the path, waits are in headers, all else is in the query', t => {
  for (const { schema } of FILES) {
    for (const [name, property] of Object.entries(
      schema.properties as Record<string, JsonSchema>,
    )) {
      const place = IN_PATH.includes(name) ? 'path' : name.startsWith('X-') ? 'header' : undefined;
      t.is(property['x-in'], place, name);
    }
  }
});

function rule(parameter: `${string}/${string}`, taken: unknown[], refused: unknown[]): void {
  const [query, name] = parameter.split('/');
  test(`${query}: ${name} accepts valid values and refuses others`, t => {
    const check = checkAt(ajv, `schemas/api/queries/${query}.json#/properties/${name}`);
    for (const value of taken) t.true(check(value), JSON.stringify(value));
    for (const value of refused) t.false(check(value), JSON.stringify(value));
  });
}

rule('transactions/limit', [1, 1000], [0, 1001, -1, 1.5, '10']);
rule('categories/limit', [1, 500], [0, 501]);
rule('payees/limit', [1, 500], [0, 501]);
rule('labels/limit', [1, 500], [0, 501]);
rule('labels/offset', [0, 2147483647], [-1, 2147483648, 0.5]);
rule('transactions/search', ['a', '😀'.repeat(200), '.*'], ['', 'a'.repeat(201), '\ud800']);
rule('transactions/start_date', ['0001-01-01', '2024-02-29'], ['2024-02-30', '2024-2-1', '']);
rule('transactions/end_date', ['9999-12-31'], ['0000-01-01', '2023-02-29']);
rule('transactions/uncleared', [true, false], ['true', 1, 0]);
rule('transactions/account_id', ['a', 'x'.repeat(128)], ['', 'a b', 'x'.repeat(129)]);
rule('transactions/payee_id', ['a', 'null'], ['', 'a/b', 'x'.repeat(129)]);
rule('transactions/label_id', ['a'], ['', 'ä', 'x'.repeat(129)]);
rule(
  'transactions/type',
  ['standard', 'transfer', 'startingBalance', 'reconciliation'],
  ['', 'Standard', 'other', 'standard '],
);
const AMOUNTS = ['0.00', '-12.30', '0.01', '-0.01', '22517998136852.48', '-22517998136852.48'];
const NO_AMOUNTS = [
  ...['', '1', '1.0', '1.000', '.50', '007.00', '00.00', '-0.00', '+1.00', '1,00', '1e2', ' 1.00'],
  ...[
    '1.00 ',
    '--1.00',
    'NaN',
    '22517998136852.49',
    '-22517998136852.49',
    '99999999999999999.00',
    1,
  ],
];
rule('transactions/min_amount', AMOUNTS, NO_AMOUNTS);
rule('transactions/max_amount', AMOUNTS, NO_AMOUNTS);
rule('transaction/transaction_id', ['a', '.', '..', 'x'.repeat(128)], ['', 'a/b', 'x'.repeat(129)]);
for (const list of ['accounts', 'categories', 'payees', 'labels'] as const) {
  rule(`${list}/name`, ['a', ' ', '😀'.repeat(200)], ['', 'a'.repeat(201), '\ud800']);
}
rule('changes/limit', [1, 1000], [0, 1001]);
rule('changes/cursor', ['x', 'x'.repeat(200)], ['', 'x'.repeat(201), 5]);
rule('accounts/budget_id', ['b-1'], ['', 'b/1']);
rule('months/month', ['0001-01', '9999-12'], ['0000-01', '2024-13', '2024-1', '']);
const MONTHS = ['0001-01', '9999-12', 'current'];
const NO_MONTHS = ['0000-01', '2024-13', '2024-1', 'Current', 'current ', '2024-01current', ''];
rule('month-list/start_month', MONTHS, NO_MONTHS);
rule('category-months/end_month', MONTHS, NO_MONTHS);
rule('balances/start_date', ['0001-01-01', '9999-12-31'], ['2023-02-29', 'today', 'current']);
rule('balances/interval', ['day', 'week', 'month'], ['year', 'Day', '']);
rule(
  'sums/group_by',
  ['account', 'category', 'categoryGroup', 'payee', 'label', 'none'],
  ['Payee', 'category_group', '', null],
);
rule('sums/interval', ['none', 'month', 'year'], ['day', 'Month', '']);
rule('sums/transfers', ['exclude', 'include', 'only'], ['true', 'Only', '']);
rule('sums/on_budget', [true, false], ['true', 1]);
rule('sums/limit', [1, 1000], [0, 1001]);
rule('months/X-Projection-Wait-For', [1, 2147483647], [0, -1, 2147483648]);
rule('accounts/X-Projection-Wait-Seconds', [0, 10], [-1, 11, 1.5]);

test('rules/api.md#pages: absent parameters have their defaults', t => {
  const filled = (query: keyof typeof PARAMETERS, values: object) => {
    const check = createAjv({ useDefaults: true });
    const file = FILES.find(({ name }) => name === query);
    check.addSchema(file?.schema ?? {}, file?.path);
    const copy = { ...values };
    t.true(check.validate({ $ref: file?.path }, copy));
    return copy;
  };
  const wait = { 'X-Projection-Wait-Seconds': 2 };
  t.deepEqual(filled('transactions', { budget_id: 'b' }), {
    budget_id: 'b',
    limit: 1000,
    offset: 0,
    ...wait,
  });
  t.deepEqual(filled('categories', { budget_id: 'b' }), {
    budget_id: 'b',
    include_hidden: false,
    limit: 500,
    offset: 0,
    ...wait,
  });
  t.deepEqual(filled('sums', { budget_id: 'b', group_by: 'payee' }), {
    budget_id: 'b',
    group_by: 'payee',
    interval: 'none',
    transfers: 'exclude',
    limit: 1000,
    offset: 0,
    ...wait,
  });
  t.deepEqual(filled('budgets', {}), {});
});
