import test from 'ava';
import fc from 'fast-check';
import { formatMoney, MONEY_MAX, parseMoney } from '../../projections/money.ts';

test('Conventions 1: money is a decimal string with two fraction digits, and negative means outflow', t => {
  const cases: [string, number][] = [
    ['0.00', 0],
    ['0.01', 1],
    ['-0.01', -1],
    ['12.30', 1230],
    ['-1234567.89', -123456789],
    ['22517998136852.48', MONEY_MAX],
  ];
  for (const [text, amount] of cases) {
    t.is(parseMoney(text), amount);
    t.is(formatMoney(amount), text);
  }
});

test('Money: there is no -0.00', t => {
  t.is(formatMoney(-0), '0.00');
  t.true(Object.is(parseMoney('0.00'), 0));
});

test('every amount within the guard converts to text and back', t => {
  fc.assert(
    fc.property(fc.integer({ min: -MONEY_MAX, max: MONEY_MAX }), amount => {
      const text = formatMoney(amount);
      return /^-?(0|[1-9]\d*)\.\d{2}$/.test(text) && parseMoney(text) === amount;
    }),
  );
  t.pass();
});

test('a float or an unsafe amount is refused', t => {
  t.throws(() => formatMoney(0.5), { message: 'Not whole hundredths: 0.5' });
  t.throws(() => parseMoney('90071992547409.93'), { instanceOf: RangeError });
});
