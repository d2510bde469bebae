import test from 'ava';
import { concurrencyOf } from '../../scripts/test/concurrency.ts';

test('as many files run at once as the processors and the memory allow', t => {
  const gigabytes = 2 ** 30;
  t.is(concurrencyOf({ processors: 2, memory: 24 * gigabytes }, true), 4);
  t.is(concurrencyOf({ processors: 2, memory: 24 * gigabytes }, false), 3);
  t.is(concurrencyOf({ processors: 8, memory: 24 * gigabytes }, true), 16);
  t.is(concurrencyOf({ processors: 8, memory: 24 * gigabytes }, false), 9);
  t.is(concurrencyOf({ processors: 8, memory: 6 * gigabytes }, false), 4);
  t.is(concurrencyOf({ processors: 1, memory: gigabytes }, true), 1);
});
