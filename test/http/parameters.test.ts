// Parameters against the schemas of the endpoints: what is refused with which code, and what is taken.
import test from 'ava';
import { check, type Name, problems } from './check-parameters.ts';

test('limit: default = maximum, 1000 for /transactions, 500 for the other three; offset: default 0', t => {
  const values = (name: Name) => {
    const { limit, offset } = check(name, 'budget_id=b');
    return { limit, offset };
  };
  t.deepEqual(values('transactions'), { limit: 1000, offset: 0 });
  for (const name of ['categories', 'payees', 'labels'] as const) {
    t.deepEqual(values(name), { limit: 500, offset: 0 }, name);
  }
});

const refused: [title: string, name: Name, query: string, expected: string[]][] = [
  ['budget_id missing', 'accounts', '', ['missing_parameter budget_id']],
  ['an empty value', 'accounts', 'budget_id=', ['invalid_parameter budget_id']],
  ['a value without =', 'accounts', 'budget_id', ['invalid_parameter budget_id']],
  ['an id outside the grammar', 'accounts', 'budget_id=a/b', ['invalid_parameter budget_id']],
  [
    'an id of 129 characters',
    'accounts',
    `budget_id=${'a'.repeat(129)}`,
    ['invalid_parameter budget_id'],
  ],
  [
    'repeated, also where both agree',
    'accounts',
    'budget_id=b&budget_id=b',
    ['invalid_parameter budget_id'],
  ],
  ['unknown', 'accounts', 'budget_id=b&colour=1', ['unknown_parameter colour']],
  ['unknown and empty', 'accounts', 'budget_id=b&colour=', ['unknown_parameter colour']],
  ['unknown and repeated: once', 'accounts', 'x=1&budget_id=b&x=2', ['unknown_parameter x']],
  ['without a name', 'accounts', 'budget_id=b&=1', ['unknown_parameter ']],
  [
    'a name of the prototype',
    'accounts',
    'budget_id=b&constructor=1',
    ['unknown_parameter constructor'],
  ],
  ['__proto__', 'accounts', 'budget_id=b&__proto__=1', ['unknown_parameter __proto__']],
  [
    'parameters of another endpoint',
    'accounts',
    'budget_id=b&limit=1',
    ['unknown_parameter limit'],
  ],
  [
    'a name in another case',
    'accounts',
    'budget_id=b&Budget_Id=b',
    ['unknown_parameter Budget_Id'],
  ],
  [
    'a header sent as a parameter',
    'accounts',
    'budget_id=b&X-Projection-Wait-For=1',
    ['unknown_parameter X-Projection-Wait-For'],
  ],
  [
    'broken percent-encoding',
    'transactions',
    'budget_id=b&search=%zz',
    ['invalid_parameter search'],
  ],
  [
    'bytes that are no UTF-8',
    'transactions',
    'budget_id=b&search=%ff',
    ['invalid_parameter search'],
  ],
  ['a name that cannot be decoded', 'accounts', 'budget_id=b&%ff=1', ['invalid_parameter %ff']],
  ['any parameter of /budgets', 'budgets', 'budget_id=b', ['unknown_parameter budget_id']],
  ['limit 0', 'payees', 'budget_id=b&limit=0', ['invalid_parameter limit']],
  ['limit 501', 'payees', 'budget_id=b&limit=501', ['invalid_parameter limit']],
  ['limit 1001', 'transactions', 'budget_id=b&limit=1001', ['invalid_parameter limit']],
  ['limit=007', 'transactions', 'budget_id=b&limit=007', ['invalid_parameter limit']],
  ['limit=+1', 'transactions', 'budget_id=b&limit=%2B1', ['invalid_parameter limit']],
  ['limit=1.0', 'transactions', 'budget_id=b&limit=1.0', ['invalid_parameter limit']],
  ['limit=1e2', 'transactions', 'budget_id=b&limit=1e2', ['invalid_parameter limit']],
  ['offset=-1', 'transactions', 'budget_id=b&offset=-1', ['invalid_parameter offset']],
  [
    'offset=2147483648',
    'transactions',
    'budget_id=b&offset=2147483648',
    ['invalid_parameter offset'],
  ],
  [
    'offset of 30 digits',
    'transactions',
    `budget_id=b&offset=${'9'.repeat(30)}`,
    ['invalid_parameter offset'],
  ],
  [
    'a boolean that is not exactly true or false',
    'categories',
    'budget_id=b&include_hidden=True',
    ['invalid_parameter include_hidden'],
  ],
  [
    'a boolean as a number',
    'transactions',
    'budget_id=b&uncleared=1',
    ['invalid_parameter uncleared'],
  ],
  [
    '2024-02-30',
    'transactions',
    'budget_id=b&start_date=2024-02-30',
    ['invalid_parameter start_date'],
  ],
  ['2023-02-29', 'transactions', 'budget_id=b&end_date=2023-02-29', ['invalid_parameter end_date']],
  [
    'the year 0000',
    'transactions',
    'budget_id=b&start_date=0000-01-01',
    ['invalid_parameter start_date'],
  ],
  [
    'a date without leading zeros',
    'transactions',
    'budget_id=b&start_date=2024-1-1',
    ['invalid_parameter start_date'],
  ],
  [
    'start_date after end_date names end_date',
    'transactions',
    'start_date=2024-02-02&end_date=2024-02-01&budget_id=b',
    ['invalid_parameter end_date'],
  ],
  ['search empty', 'transactions', 'budget_id=b&search=', ['invalid_parameter search']],
  [
    'search of 201 code points',
    'transactions',
    `budget_id=b&search=${'é'.repeat(201)}`,
    ['invalid_parameter search'],
  ],
];

for (const [title, name, query, expected] of refused) {
  test(`400: ${title}`, t => {
    t.deepEqual(problems(name, query), expected);
  });
}

const taken: [
  title: string,
  name: Name,
  query: string,
  value: [string, string | number | boolean],
][] = [
  ['limit 1', 'transactions', 'budget_id=b&limit=1', ['limit', 1]],
  ['limit 1000', 'transactions', 'budget_id=b&limit=1000', ['limit', 1000]],
  ['limit 500', 'labels', 'budget_id=b&limit=500', ['limit', 500]],
  ['offset 2147483647', 'labels', 'budget_id=b&offset=2147483647', ['offset', 2147483647]],
  [
    'an id of 128 characters',
    'accounts',
    `budget_id=${'a'.repeat(128)}`,
    ['budget_id', 'a'.repeat(128)],
  ],
  [
    'every letter of the grammar of ids',
    'accounts',
    'budget_id=Az09_-.:~',
    ['budget_id', 'Az09_-.:~'],
  ],
  ['an id that is a number', 'accounts', 'budget_id=007', ['budget_id', '007']],
  ['2024-02-29', 'transactions', 'budget_id=b&start_date=2024-02-29', ['start_date', '2024-02-29']],
  ['0001-01-01', 'transactions', 'budget_id=b&start_date=0001-01-01', ['start_date', '0001-01-01']],
  ['9999-12-31', 'transactions', 'budget_id=b&end_date=9999-12-31', ['end_date', '9999-12-31']],
  [
    'search of 200 code points, beyond the basic plane',
    'transactions',
    `budget_id=b&search=${encodeURIComponent('\u{1F600}'.repeat(200))}`,
    ['search', '\u{1F600}'.repeat(200)],
  ],
  [
    'search that reads like a number or a boolean',
    'transactions',
    'budget_id=b&search=true',
    ['search', 'true'],
  ],
  ['false', 'transactions', 'budget_id=b&uncategorized=false', ['uncategorized', false]],
];

for (const [title, name, query, [param, value]] of taken) {
  test(`taken: ${title}`, t => {
    t.is(check(name, query)[param], value);
  });
}
