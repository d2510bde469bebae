// Amounts and dates of YNAB in every format that its settings offer.
import test from 'ava';
import {
  detectAmounts,
  detectDateOrder,
  readAmount,
  readDate,
  readMonth,
} from '../../src/import/ynab/amounts-and-dates.ts';

const cases: readonly (readonly [string, readonly (readonly [string, number | null])[]])[] = [
  [
    'dollars',
    [
      ['$0.00', 0],
      ['-$1,234.56', -123456],
      ['$-12.30', -1230],
      ['$1.5', null],
      ['$1.234.56', null],
    ],
  ],
  [
    'euros',
    [
      ['0,00€', 0],
      ['-1.234,56€', -123456],
      ['1.234.567,89€', 123456789],
      ['1,234,56€', null],
    ],
  ],
  [
    'crowns',
    [
      ['kr 0,00', 0],
      ['−kr 1\u00a0234,50', -123450],
      ['kr. 12,00', 1200],
      ['12,00-', null],
    ],
  ],
  [
    'francs',
    [
      ["CHF 1'234.50", 123450],
      ['CHF 0.00', 0],
      ["CHF 1'23.50", null],
    ],
  ],
  [
    'rupees',
    [
      ['₹12,34,567.00', 123456700],
      ['₹0.00', 0],
    ],
  ],
  [
    'odd separators',
    [
      ['123 456-78', 12345678],
      ['-0-50', -50],
      ['5-5', null],
    ],
  ],
  [
    'slashes',
    [
      ['$123/456.78', 12345678],
      ['$0.00', 0],
    ],
  ],
  [
    'slashes as decimal marks',
    [
      ['123,456/78', 12345678],
      ['-0/50', -50],
      ['0.50', null],
    ],
  ],
  [
    'yen',
    [
      ['¥0', 0],
      ['-¥1,234', -123400],
      ['¥1,23', null],
      ['', 0],
    ],
  ],
  [
    'dinars',
    [
      ['د.ت0.000', 0],
      ['1,234.560', 123456],
      ['0.005', null],
      ['1.23', null],
    ],
  ],
  [
    "the accountant's parentheses",
    [
      ['$0.00', 0],
      ['($1.00)', -100],
      ['$(1,234.50)', -123450],
      ['(€ 1.00)', -100],
      ['(1.00 kr)', -100],
      ['–$1.00', -100],
      ['($1.00', null],
      ['$1.00)', null],
      ['-($1.00)', null],
      ['(-$1.00)', null],
      ['()$1.00', null],
      ['$1.00()', null],
      [')$1.00(', null],
      ['--$1.00', null],
    ],
  ],
  [
    'size',
    [
      ['$0.00', 0],
      ['$9999999999999.99', 999999999999999],
      ['$10000000000000.00', null],
    ],
  ],
];

for (const [name, amounts] of cases) {
  test(`amounts are read: ${name}`, t => {
    const good = amounts.filter(([, amount]) => amount !== null).map(([text]) => text);
    const format = detectAmounts(good);
    for (const [text, amount] of amounts) {
      t.is(readAmount(text, format), amount, text);
    }
  });
}

test('the order of day and month follows from the whole file', t => {
  t.is(detectDateOrder(['01/02/2026', '13/02/2026']), 'DMY');
  t.is(detectDateOrder(['01.02.2026', '02.13.2026']), 'MDY');
  t.is(detectDateOrder(['2026-02-01']), 'YMD');
  t.is(detectDateOrder(['01/02/2026', '03/03/2026']), null);
  t.is(detectDateOrder(['03/03/2026']), 'DMY');
  t.is(detectDateOrder([]), 'DMY');
});

test('a date that does not exist is null', t => {
  t.is(readDate('29.02.2024', 'DMY'), '2024-02-29');
  t.is(readDate('2/9/2024', 'MDY'), '2024-02-09');
  t.is(readDate('2024/02/29', 'YMD'), '2024-02-29');
  for (const text of ['29/02/2026', '1/1/26', '2026-01-01', 'today', '']) {
    t.is(readDate(text, 'DMY'), null, text);
  }
  t.is(readMonth('Jan 2026'), '2026-01');
  t.is(readMonth('December 2026'), '2026-12');
  t.is(readMonth('Foo 2026'), null);
});
