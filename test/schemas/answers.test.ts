// Answers and errors: the examples are valid, the fields are those of the rules, and new fields are allowed.
import test from 'ava';
import { type JsonSchema, readFolder, readJson } from '../../scripts/generate/schema-files.ts';
import { checkAt, createAjv } from '../../src/process/validation.ts';

const ajv = createAjv();
ajv.addSchema(readJson('schemas/api/error.json'), 'schemas/api/error.json');
for (const { path, schema } of readFolder('schemas/api/answers')) ajv.addSchema(schema, path);
const check = (reference: string, value: unknown) => checkAt(ajv, reference)(value);
const why = (reference: string) => JSON.stringify(checkAt(ajv, reference).errors);

const DEFINITIONS = readJson('schemas/api/definitions.json').$defs as Record<string, JsonSchema>;

/** The fields of each shape (rules/api.md#shapes); ? marks those that may be null. */
const SHAPES: Record<string, string> = {
  Budget: 'id spaceId spaceName? name currency createdAt? archivedAt?',
  Account:
    'id name type currency? onBudget closed balance clearedBalance unclearedBalance nativeBalance transactionCount lastTransactionDate? createdAt?',
  Transaction:
    'id date accountId accountName? payeeId? payeeName? categoryId? categoryName? memo amount amountNative? exchangeRate? currency? type cleared reconciled transferAccountId? splitGroupId? labels createdAt?',
  CategoryGroup: 'id name hidden budgetMode categories',
  Category: 'id groupId name hidden note?',
  Payee: 'id name',
  Label: 'id name',
  Month:
    'month readyToAssign assigned cashBalance overspentTotal overspentCount uncategorizedCount heldForNextMonth',
  CategoryMonth:
    'categoryId categoryName groupId groupName hidden assigned activity available carriesOver',
  CategoryMonths: 'month categories',
  Pagination: 'limit offset has_more',
  CategoryGroupSummary: 'id name hidden budgetMode',
  Deletion: 'kind id',
  Sum: 'period? id? name? inflow outflow net count',
  Token: 'userId name lastFour scopes budgets? createdAt expiresAt',
};

const example = (name: string) => readJson(`schemas/api/examples/${name}.json`);
const first = (name: string, list: string) => (example(name)[list] as JsonSchema[])[0] ?? {};
const group = first('categories', 'categoryGroups');

/** An object of each shape, from the examples. */
const EXAMPLES: Record<string, JsonSchema> = {
  Budget: first('budgets', 'budgets'),
  Account: first('accounts', 'accounts'),
  Transaction: first('transactions', 'transactions'),
  CategoryGroup: group,
  Category: (group.categories as JsonSchema[])[0] ?? {},
  Payee: first('payees', 'payees'),
  Label: first('labels', 'labels'),
  Month: example('months'),
  CategoryMonth: (first('category-months', 'months').categories as JsonSchema[])[0] ?? {},
  CategoryMonths: first('category-months', 'months'),
  Pagination: example('payees').pagination as JsonSchema,
  CategoryGroupSummary: first('changes', 'categoryGroups'),
  Deletion: first('changes', 'deleted'),
  Token: example('token'),
  Sum: first('sums', 'sums'),
};

for (const [shape, fields] of Object.entries(SHAPES)) {
  test(`rules/api.md#shapes: ${shape} always has its fields, and only those marked may be null`, t => {
    const names = fields.split(' ').map(field => field.replace('?', ''));
    const definition = DEFINITIONS[shape];
    t.deepEqual(Object.keys(definition?.properties as object), names);
    t.deepEqual(definition?.required, names);
    const whole = EXAMPLES[shape];
    const reference = `schemas/api/definitions.json#/$defs/${shape}`;
    t.true(check(reference, whole), why(reference));
    for (const field of fields.split(' ')) {
      const name = field.replace('?', '');
      t.is(check(reference, { ...whole, [name]: null }), field.endsWith('?'), field);
      t.false(check(reference, { ...whole, [name]: undefined }), field);
    }
  });
}

test('rules/api.md#balances: a point of balances has the figures of a budget, or those of an account', t => {
  const reference = 'schemas/api/definitions.json#/$defs/BalancePoint';
  const ofBudget = first('balances', 'points');
  t.deepEqual(Object.keys(ofBudget), ['date', 'total', 'onBudget']);
  const ofAccount = { date: '2026-03-14', balance: '-1.10', nativeBalance: '-1.00' };
  for (const point of [ofBudget, ofAccount]) {
    t.true(check(reference, point), why(reference));
    for (const name of Object.keys(point)) t.false(check(reference, { ...point, [name]: null }));
    t.false(check(reference, { ...point, date: undefined }));
  }
});

test('the example of a stream is a text of whole events and comments', t => {
  const text: unknown = example('events');
  t.true(check('schemas/api/answers/events.json', text));
  for (const block of String(text).split('\n\n').slice(0, -1)) {
    t.regex(block, /^(:|retry: 5000|event: (position|gone)\ndata: \{"budgetId":"\w+".*\})$/);
  }
});

for (const { name, schema } of readFolder('schemas/api/answers')) {
  if (schema.type === 'string') continue;
  const reference = `schemas/api/answers/${name}.json`;
  const body = example(name);

  test(`${name}: the example is valid, also with an unknown field`, t => {
    t.true(check(reference, body), why(reference));
    t.true(check(reference, { ...body, fresh: 1 }));
  });

  test(`rules/api.md#shapes: the keys of ${name} are those of the contract`, t => {
    const keys = {
      budgets: ['budgets'],
      accounts: ['accounts'],
      transactions: ['transactions', 'pagination'],
      categories: ['categoryGroups', 'pagination'],
      payees: ['payees', 'pagination'],
      labels: ['labels', 'pagination'],
      months: Object.keys(DEFINITIONS.Month?.properties as object),
      changes:
        'accounts categoryGroups categories payees labels transactions deleted cursor has_more'.split(
          ' ',
        ),
      token: Object.keys(DEFINITIONS.Token?.properties as object),
      transaction: Object.keys(DEFINITIONS.Transaction?.properties as object),
      'month-list': ['months'],
      'category-months': ['months'],
      balances: ['points'],
      sums: ['sums', 'pagination'],
    }[name];
    t.deepEqual(Object.keys(body), keys);
    if (!('$ref' in schema)) t.deepEqual(schema.required, keys);
  });
}

test('rules/api.md#open-enumerations: unknown values are valid', t => {
  const at = (shape: string) => `schemas/api/definitions.json#/$defs/${shape}`;
  t.true(check(at('Account'), { ...EXAMPLES.Account, type: 'crypto' }));
  t.true(check(at('Transaction'), { ...EXAMPLES.Transaction, type: 'adjustment' }));
  t.true(check(at('CategoryGroup'), { ...EXAMPLES.CategoryGroup, budgetMode: 'shared' }));
  t.false(check(at('Account'), { ...EXAMPLES.Account, type: 5 }));
});

test('money in answers has two digits and no -0.00, and may exceed the limit of one amount', t => {
  const month = (readyToAssign: unknown) =>
    check('schemas/api/definitions.json#/$defs/Month', { ...EXAMPLES.Month, readyToAssign });
  for (const money of ['0.00', '-0.01', '90071992547409.91']) t.true(month(money), money);
  for (const money of ['-0.00', '1', '01.00', '+1.00', 1, null]) t.false(month(money), `${money}`);
});

test('rules/api.md#errors: the body has all its fields and accepts new codes', t => {
  const reference = 'schemas/api/error.json';
  const error = { code: 'not_found', message: 'No', param: null, requestId: 'r', details: [] };
  const details = [{ param: 'limit', code: 'invalid_parameter', message: 'No' }];
  t.true(check(reference, { error }));
  t.true(check(reference, { error: { ...error, code: 'new_code', param: 'limit', details } }));
  for (const name of Object.keys(error)) {
    t.false(check(reference, { error: { ...error, [name]: undefined } }), name);
  }
  t.false(check(reference, { error: { ...error, details: [{ param: 'limit' }] } }));
  t.false(check(reference, error));
});

test('rules/api.md#errors: the schema lists the known codes', t => {
  const schema = readJson('schemas/api/error.json') as {
    properties?: { error: { properties: { code: JsonSchema } } };
  };
  t.deepEqual(schema.properties?.error.properties.code['x-extensible-enum'], [
    'missing_parameter',
    'invalid_parameter',
    'unknown_parameter',
    'unauthenticated',
    'invalid_token',
    'insufficient_scope',
    'budget_not_allowed',
    'not_found',
    'method_not_allowed',
    'rate_limited',
    'internal_error',
    'unavailable',
  ]);
});
