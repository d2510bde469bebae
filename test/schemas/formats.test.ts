// The formats as functions, compared with Date and BigInt over generated values.
import test from 'ava';
import fc from 'fast-check';
import {
  FORMATS,
  HUNDREDTHS_MAX,
  isCalendarDate,
  isCalendarMonth,
  isMoney,
  isUtcTime,
  isWellFormed,
} from '../../schemas/formats.ts';

const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
const two = (number: number) => String(number).padStart(2, '0');

test('every day from 0001-01-01 to 9999-12-31 is a valid date', t => {
  const days = fc.integer({ min: 0, max: Math.floor((LAST_MS - FIRST_MS) / DAY_MS) });
  fc.assert(
    fc.property(days, day =>
      isCalendarDate(new Date(FIRST_MS + day * DAY_MS).toISOString().slice(0, 10)),
    ),
  );
  t.pass();
});

test('a year, month and day is a valid date exactly if Date keeps it unchanged', t => {
  const parts = fc.tuple(
    fc.integer({ min: 1, max: 9999 }),
    fc.integer({ min: 0, max: 14 }),
    fc.integer({ min: 0, max: 33 }),
  );
  fc.assert(
    fc.property(parts, ([year, month, day]) => {
      const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
      const date = new Date(`${text}T00:00:00Z`);
      const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
      return isCalendarDate(text) === exists;
    }),
    { numRuns: 2000 },
  );
  t.pass();
});

test('every moment that Date can write is a valid time', t => {
  fc.assert(
    fc.property(fc.integer({ min: FIRST_MS, max: LAST_MS }), moment =>
      isUtcTime(new Date(moment).toISOString()),
    ),
  );
  t.pass();
});

test('money is every number of hundredths up to the limit, written in one way', t => {
  const spelled = (hundredths: bigint) => {
    const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0');
    return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };
  const limit = BigInt(HUNDREDTHS_MAX);
  fc.assert(
    fc.property(fc.bigInt({ min: -limit * 3n, max: limit * 3n }), hundredths => {
      const isWithin = hundredths >= -limit && hundredths <= limit;
      return isMoney(spelled(hundredths)) === isWithin;
    }),
  );
  for (const near of [-limit - 1n, limit + 1n]) t.false(isMoney(spelled(near)));
  for (const near of [-limit, limit, 0n, -1n]) t.true(isMoney(spelled(near)));
});

test('months go from 0001-01 to 9999-12, with two digits', t => {
  for (const month of ['0001-01', '9999-12', '2024-02']) t.true(isCalendarMonth(month));
  for (const month of ['0000-01', '2024-13', '2024-00', '2024-1', 'x']) {
    t.false(isCalendarMonth(month));
  }
});

test('text is well formed unless it holds half a surrogate pair', t => {
  for (const text of ['', 'a', '😀', '\u{10ffff}', '\ufffd']) t.true(isWellFormed(text));
  for (const text of ['\ud800', 'a\udfff', '\ude00\ud83d']) t.false(isWellFormed(text));
});

test('a check refuses a valid value with anything around it', t => {
  const good = {
    money: '1.00',
    'calendar-date': '2024-01-31',
    'calendar-month': '2024-01',
    'utc-time': '2024-01-31T00:00:00Z',
    'uri-reference': '/a',
  };
  for (const [name, value] of Object.entries(good)) {
    const check = FORMATS[name]?.check;
    t.true(check?.(value), name);
    for (const wrong of [`${value}\n`, ` ${value}`, `\n${value}`, '']) {
      t.false(check?.(wrong), `${name} ${JSON.stringify(wrong)}`);
    }
  }
});
