// Every rule of the events' data refuses values that break it, and accepts the nearest valid ones.
import test from 'ava';
import { judged } from './judged.ts';

const ids = (number: number) => Array.from({ length: number }, (_, index) => `id-${index}`);

/** A rule, a type and a field that it applies to, values that it accepts and values that it refuses. */
const RULES: [rule: string, type: string, field: string, taken: unknown[], refused: unknown[]][] = [
  [
    'rules/events.md#value-grammar: ids are 1 to 128 characters of A–Z a–z 0–9 _ - . : ~',
    'account.closed',
    'accountId',
    ['a', 'x'.repeat(128), 'AZaz09_-.:~', '__proto__'],
    ['', 'x'.repeat(129), 'a/b', 'a b', 'é', 'a\n', ' a', 'a|b', 5, {}],
  ],
  [
    'rules/events.md#value-grammar: names 1 to 200 characters (code points)',
    'payee.added',
    'name',
    ['a', 'x'.repeat(200), '𝒳'.repeat(200), ' ', '\u0000', 'é\u0301\u2028'],
    ['', 'x'.repeat(201), '𝒳'.repeat(201), 7, true],
  ],
  [
    'well-formed Unicode: a lone surrogate is refused',
    'payee.added',
    'name',
    ['\ud83d\ude00'],
    ['\ud83d', 'a\ude00b', '\ude00\ud83d'],
  ],
  [
    'rules/events.md#value-grammar: memo up to 1000 characters',
    'transaction.entered',
    'memo',
    ['', 'x'.repeat(1000), '😀'.repeat(1000)],
    ['x'.repeat(1001), '😀'.repeat(1001), '\ud83d', 1],
  ],
  [
    'a note has no limit of its own',
    'category.added',
    'note',
    ['', 'x'.repeat(5000)],
    ['\udc00', false],
  ],
  [
    'rules/events.md#value-grammar: money spelled -0.00, 007.00, +1.00 is refused',
    'transaction.entered',
    'amount',
    ['0.00', '-0.01', '0.10', '7.00', '-1.00', '10.05'],
    [
      '-0.00',
      '007.00',
      '00.00',
      '+1.00',
      '1',
      '1.0',
      '1.000',
      '1,00',
      '.50',
      '1.',
      '',
      ' 1.00',
      1.5,
    ],
  ],
  [
    'rules/api.md#money: at most 2^51 hundredths either way',
    'envelope.assigned',
    'amount',
    ['22517998136852.48', '-22517998136852.48', '9999999999999.99'],
    ['22517998136852.49', '-22517998136852.49', '99999999999999.99', '1e3', '100000000000000.00'],
  ],
  [
    'rules/events.md#value-grammar: month.held amount ≥ 0',
    'month.held',
    'amount',
    ['0.00', '22517998136852.48'],
    ['-0.01', '-0.00', '22517998136852.49', null],
  ],
  [
    'rules/events.md#value-grammar: dates exist, years 0001 to 9999',
    'transaction.entered',
    'date',
    ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '2023-12-31'],
    ['0000-12-31', '10000-01-01', '2023-02-29', '1900-02-29', '2024-02-30', '2024-04-31'],
  ],
  [
    'rules/events.md#value-grammar: dates are YYYY-MM-DD',
    'transaction.entered',
    'date',
    ['2024-01-31'],
    ['2024-1-31', '2024-00-10', '2024-13-01', '2024-01-00', '20240131', '2024-01-31T00:00:00Z', ''],
  ],
  [
    'rules/events.md#value-grammar: months from 0001-01 to 9999-12',
    'envelope.assigned',
    'month',
    ['0001-01', '9999-12', '2024-10'],
    ['0000-12', '2024-00', '2024-13', '2024-1', '2024-01-01', '10000-01', ''],
  ],
  [
    'rules/events.md#value-grammar: at most 50 labels on a row, none twice',
    'transaction.entered',
    'labelIds',
    [[], ['a'], ids(50)],
    [ids(51), ['a', 'b', 'a'], ['a b'], [''], [1], 'a'],
  ],
  [
    'rules/events.md#value-grammar: transactionIds 1 to 1000, none twice',
    'transaction.reconciled',
    'transactionIds',
    [['a'], ids(1000)],
    [[], ids(1001), ['a', 'a'], ['a/b'], [null], 'a'],
  ],
  [
    'rules/events.md#value-grammar: exchangeRate is a number > 0',
    'transaction.entered',
    'exchangeRate',
    [0.000001, 1, 1234.5678],
    [0, -1, '1.5'],
  ],
  [
    'rules/events.md#reconciled-implies-cleared: reconciled with cleared false is refused',
    'transaction.entered',
    'reconciled',
    [true, false],
    ['true', 1],
  ],
  [
    'rules/events.md#value-grammar: currency is ISO 4217',
    'budget.created',
    'currency',
    ['EUR', 'USD', 'JPY', 'XCG', 'BGN'],
    ['eur', 'EURO', 'ABC', 'DEM', '', null, '978'],
  ],
  [
    'rules/events.md#value-grammar: an account has a currency or null',
    'account.opened',
    'currency',
    [null, 'USD'],
    ['usd', ''],
  ],
  [
    'rules/api.md#open-enumerations: Account.type',
    'account.type-changed',
    'type',
    'checking savings cash creditCard lineOfCredit mortgage autoLoan studentLoan personalLoan medicalDebt otherDebt otherAsset otherLiability'.split(
      ' ',
    ),
    ['Checking', 'bank', ''],
  ],
  [
    'rules/api.md#open-enumerations: Transaction.type',
    'transaction.changed',
    'type',
    ['standard', 'transfer', 'startingBalance', 'reconciliation'],
    ['income', ''],
  ],
  [
    'rules/api.md#open-enumerations: CategoryGroup.budgetMode',
    'category-group.added',
    'budgetMode',
    ['envelope', 'income', 'unfunded'],
    ['Envelope', 'none', null],
  ],
  [
    'rules/events.md#value-grammar: position may be any integer',
    'account.moved',
    'position',
    [0, -5, 2 ** 40],
    [1.5, '1', null],
  ],
  ['booleans are booleans', 'account.opened', 'onBudget', [true, false], ['true', 0, null]],
];

for (const [rule, type, field, taken, refused] of RULES) {
  test(`${rule} (${type})`, t => {
    for (const value of taken)
      t.is(judged(type, { [field]: value }), 'event', JSON.stringify(value));
    for (const value of refused) {
      t.true(judged(type, { [field]: value }).startsWith('schema: '), JSON.stringify(value));
    }
  });
}

test('rules/events.md#reconciled-implies-cleared: reconciled true with cleared false is refused in both transaction events', t => {
  for (const type of ['transaction.entered', 'transaction.changed']) {
    t.is(judged(type, { reconciled: true, cleared: true }), 'event');
    t.is(judged(type, { reconciled: false, cleared: false }), 'event');
    t.is(
      judged(type, { reconciled: true, cleared: false }),
      'schema: Expected data.cleared to be true, got false',
    );
  }
});

test('rules/events.md#contradictions: the schema accepts values that contradict only earlier events', t => {
  t.is(judged('transaction.entered', { type: 'transfer' }), 'event');
  t.is(judged('transaction.entered', { transferAccountId: 'other' }), 'event');
  t.is(judged('transaction.entered', { amountNative: '1.00' }), 'event');
  t.is(judged('payee.merged', { payeeId: 'a', intoPayeeId: 'a' }), 'event');
});
