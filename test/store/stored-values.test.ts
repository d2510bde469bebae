// Values as the database stores them.
import test from 'ava';
import { Long } from 'mongodb';
import { createRandom } from '../../src/process/random.ts';
import { money } from '../../src/store/stored-form.ts';

const EDGES = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 51, Number.MAX_SAFE_INTEGER];

test('money is the 64-bit integer of the same value', t => {
  const random = createRandom(1);
  const amounts = [...EDGES];
  for (let bits = 1; bits <= 53; bits += 1) amounts.push(random.below(2 ** Math.min(bits, 31)));
  for (let n = 0; n < 500; n += 1)
    amounts.push(random.below(2 ** 21) * 2 ** 31 + random.below(2 ** 31));
  for (const amount of amounts.flatMap(one => [one, -one])) {
    t.true(money(amount).equals(Long.fromNumber(amount)), String(amount));
    t.is(money(amount).toNumber(), amount === 0 ? 0 : amount);
  }
});
