// Several bad parameters: their order in details, months and headers.
import test from 'ava';
import { ApiError } from '../../src/http/api-error.ts';
import { check, problems } from './check-parameters.ts';

test('start_date may be end_date', t => {
  t.deepEqual(
    problems('transactions', 'budget_id=b&start_date=2024-02-02&end_date=2024-02-02'),
    [],
  );
});

test('details: in the order of the query, a repeated one once at its first place, missing ones last', t => {
  const query = 'limit=0&colour=1&start_date=x&limit=2&offset=&=';
  t.deepEqual(problems('transactions', query), [
    'invalid_parameter limit',
    'unknown_parameter colour',
    'invalid_parameter start_date',
    'invalid_parameter offset',
    'unknown_parameter ',
    'missing_parameter budget_id',
  ]);
});

test("details: the path's month first, headers after the query, missing ones last", t => {
  const sent = { path: { month: '2024-13' }, headers: { 'X-Projection-Wait-For': '0' } };
  t.deepEqual(problems('months', 'x=1', sent), [
    'invalid_parameter month',
    'unknown_parameter x',
    'invalid_parameter X-Projection-Wait-For',
    'missing_parameter budget_id',
  ]);
});

for (const [title, query, sent, expected] of [
  [
    "the path's is bad too",
    'month=2024-01&budget_id=b',
    { path: { month: '2024-13' } },
    ['invalid_parameter month', 'unknown_parameter month'],
  ],
  [
    'another stands before it',
    'budget_id=a%2Fb&month=2024-01',
    { path: { month: '2024-01' } },
    ['invalid_parameter budget_id', 'unknown_parameter month'],
  ],
  [
    'an unknown one stands before it',
    'foo=1&month=2024-01&budget_id=b',
    { path: { month: '2024-01' } },
    ['unknown_parameter foo', 'unknown_parameter month'],
  ],
  [
    'a header has its name',
    'X-Projection-Wait-For=1&budget_id=b',
    { path: { month: '2024-01' }, headers: { 'X-Projection-Wait-For': '1' } },
    ['unknown_parameter X-Projection-Wait-For'],
  ],
  [
    'a bad header has its name',
    'X-Projection-Wait-For=1&budget_id=b',
    { path: { month: '2024-01' }, headers: { 'X-Projection-Wait-For': '0' } },
    ['unknown_parameter X-Projection-Wait-For', 'invalid_parameter X-Projection-Wait-For'],
  ],
] as const) {
  test(`details: a name of the path or of a header in the query is unknown there: ${title}`, t => {
    t.deepEqual(problems('months', query, sent), expected);
  });
}

test('details: end_date stands at its own place when it is before start_date', t => {
  const query = 'end_date=2024-01-01&x=1&start_date=2024-01-02&budget_id=b';
  t.deepEqual(problems('transactions', query), [
    'invalid_parameter end_date',
    'unknown_parameter x',
  ]);
});

test('details: max_amount stands at its own place when it is below min_amount', t => {
  const range = 'max_amount=-100.00&x=1&min_amount=-12.30&budget_id=b';
  const expected = ['invalid_parameter max_amount', 'unknown_parameter x'];
  t.deepEqual(problems('transactions', range), expected);
  const both = `${range}&end_date=2024-01-01&start_date=2024-01-02`;
  t.deepEqual(problems('transactions', both), [...expected, 'invalid_parameter end_date']);
  const turned = `end_date=2024-01-01&start_date=2024-01-02&${range}`;
  t.deepEqual(problems('transactions', turned), ['invalid_parameter end_date', ...expected]);
});

test('min_amount may be max_amount, and amounts compare as numbers', t => {
  for (const [min, max] of [
    ['0.00', '0.00'],
    ['-100.00', '-12.30'],
    ['-0.01', '0.00'],
    ['9.00', '10.00'],
  ]) {
    const query = `budget_id=b&min_amount=${min}&max_amount=${max}`;
    t.deepEqual(problems('transactions', query), [], query);
  }
});

test('an amount that is malformed or repeated is not held against the other one', t => {
  for (const bad of ['min_amount=5', 'min_amount=5.00&min_amount=6.00', 'min_amount=-0.00']) {
    const query = `budget_id=b&${bad}&max_amount=1.00`;
    t.deepEqual(problems('transactions', query), ['invalid_parameter min_amount'], query);
  }
  const error = t.throws(
    () => check('transactions', 'budget_id=b&min_amount=2.00&max_amount=1.00'),
    {
      instanceOf: ApiError,
    },
  );
  t.is(error?.message, 'Expected max_amount not to be below min_amount (2.00), got 1.00');
});

test("details: the path's transaction first; its name in the query is unknown there", t => {
  const sent = { path: { transaction_id: 'a%2Fb' } };
  t.deepEqual(problems('transaction', 'x=1&transaction_id=t&budget_id=b', sent), [
    'invalid_parameter transaction_id',
    'unknown_parameter x',
    'unknown_parameter transaction_id',
  ]);
});

for (const id of ['a%2Fb', 'a%25b', '%', '%ff', '%C3', 'x'.repeat(129), '%20', 'a+b', '']) {
  test(`400: transaction ${id}`, t => {
    const sent = { path: { transaction_id: id } };
    t.deepEqual(problems('transaction', 'budget_id=b', sent), ['invalid_parameter transaction_id']);
  });
}

for (const [id, expected] of [
  ['.', '.'],
  ['..', '..'],
  ['%2E%2e', '..'],
  ['a%7Eb', 'a~b'],
  ['x'.repeat(128), 'x'.repeat(128)],
] as const) {
  test(`taken: transaction ${id}`, t => {
    const sent = { path: { transaction_id: id } };
    t.is(check('transaction', 'budget_id=b', sent).transaction_id, expected);
  });
}

test('a repeated date is not held against the other one', t => {
  const query = 'budget_id=b&start_date=2024-02-01&start_date=2024-01-01&end_date=2024-01-15';
  t.deepEqual(problems('transactions', query), ['invalid_parameter start_date']);
});

test('an unknown parameter that is repeated is what it was at its first place', t => {
  t.deepEqual(problems('accounts', 'foo=1&foo=%ff&budget_id=b'), ['unknown_parameter foo']);
  t.deepEqual(problems('accounts', 'foo=%ff&foo=1&budget_id=b'), ['invalid_parameter foo']);
});

test('code and message are those of the first problem', t => {
  const error = t.throws(() => check('transactions', 'colour=1&limit=5000'), {
    instanceOf: ApiError,
  });
  t.is(error?.code, 'unknown_parameter');
  t.is(error?.status, 400);
  t.regex(error?.message ?? '', /^Expected a parameter of this endpoint, got "colour"; it takes /);
  t.is(error?.details[1]?.message, 'Expected limit to be at most 1000, got 5000');
  t.is(error?.details[2]?.message, 'Expected budget_id, got none');
});

for (const [name, query, expected] of [
  [
    'transactions',
    'budget_id=b&since_date=2026-01-01',
    '"since_date"; did you mean start_date? It takes budget_id, account_id, category_id, payee_id, label_id, type, min_amount, max_amount, start_date, end_date, search, uncategorized, uncleared, limit, offset',
  ],
  ['accounts', 'budget_id=b&limit=1', '"limit"; it takes budget_id, name'],
  ['budgets', 'budget_id=b', '"budget_id"; it takes none'],
  ['months', 'budget_id=b&mnth=2026-03', '"mnth"; it takes budget_id'],
] as const) {
  test(`an unknown parameter of ${name}: the nearest one, and all that the query may have`, t => {
    const error = t.throws(() => check(name, query), { instanceOf: ApiError });
    t.is(error?.message, `Expected a parameter of this endpoint, got ${expected}`);
    t.is(error?.details[0]?.message, error?.message);
  });
}

test('details names the first 20, and the message says how many more there are', t => {
  const names = Array.from({ length: 50 }, (_, index) => `x${index}=`);
  const refused = (query: string) =>
    t.throws(() => check('payees', query), { instanceOf: ApiError });
  const many = refused(names.join('&'));
  t.deepEqual(
    many?.details.map(({ param }) => param),
    names.slice(0, 20).map(name => name.slice(0, -1)),
  );
  t.is(
    many?.message,
    'Expected a parameter of this endpoint, got "x0"; it takes budget_id, name, limit, offset; 31 more are wrong, which details leaves out',
  );
  const few = refused(names.slice(0, 19).join('&'));
  t.is(few?.details.length, 20);
  t.is(
    few?.message,
    'Expected a parameter of this endpoint, got "x0"; it takes budget_id, name, limit, offset',
  );
});

test('a long name is cut in messages', t => {
  const name = 'é'.repeat(200);
  const error = t.throws(() => check('payees', `budget_id=b&${encodeURIComponent(name)}=1`), {
    instanceOf: ApiError,
  });
  t.is(error?.details[0]?.param, name);
  t.is(
    error?.message,
    `Expected a parameter of this endpoint, got "${'é'.repeat(40)}" and more; it takes budget_id, name, limit, offset`,
  );
});

test('a query of more than 8192 bytes is refused as a whole', t => {
  const query = (length: number) => 'budget_id=b'.padEnd(length, '&');
  t.notThrows(() => check('payees', query(8192)));
  const error = t.throws(() => check('payees', query(8193)), { instanceOf: ApiError });
  t.like(error, {
    status: 400,
    code: 'invalid_parameter',
    message: 'Expected a query of at most 8192 bytes, got 8193',
    details: [],
  });
});

for (const month of [
  '2024-00',
  '2024-13',
  '2024-1',
  '0000-01',
  '10000-01',
  'a%2Fb',
  '%ff',
  '2024-01-01',
]) {
  test(`400: month ${month}`, t => {
    t.deepEqual(problems('months', 'budget_id=b', { path: { month } }), [
      'invalid_parameter month',
    ]);
  });
}

for (const month of ['0001-01', '9999-12', '2024%2D06']) {
  test(`taken: month ${month}`, t => {
    t.deepEqual(problems('months', 'budget_id=b', { path: { month } }), []);
  });
}

for (const [header, value] of [
  ['X-Projection-Wait-For', '0'],
  ['X-Projection-Wait-For', '-1'],
  ['X-Projection-Wait-For', '1, 2'],
  ['X-Projection-Wait-For', '01'],
  ['X-Projection-Wait-For', ''],
  ['X-Projection-Wait-For', '2147483648'],
  ['X-Projection-Wait-Seconds', '11'],
  ['X-Projection-Wait-Seconds', '1.5'],
  ['X-Projection-Wait-Seconds', 'soon'],
] as const) {
  test(`400 with the header's name as param: ${header}: ${value}`, t => {
    const sent = { headers: { [header]: value } };
    t.deepEqual(problems('accounts', 'budget_id=b', sent), [`invalid_parameter ${header}`]);
  });
}

test('X-Projection-Wait-Seconds: default 2, 0 to 10', t => {
  t.is(check('accounts', 'budget_id=b')['X-Projection-Wait-Seconds'], 2);
  for (const value of ['0', '10']) {
    const headers = { 'X-Projection-Wait-Seconds': value };
    t.is(check('accounts', 'budget_id=b', { headers })['X-Projection-Wait-Seconds'], Number(value));
  }
});
