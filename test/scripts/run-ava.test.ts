import test from 'ava';
import { concurrencyOf } from '../../scripts/test/concurrency.ts';
import { avaCommand } from '../../scripts/test/run-ava.ts';

test('coverage is measured where it is asked for, and adds to that of earlier runs', t => {
  t.deepEqual(avaCommand(['a'], { tap: false, coverage: false }), ['ava', 'a']);
  t.deepEqual(avaCommand(['a'], { tap: true, coverage: true }), [
    'c8',
    '--clean=false',
    'ava',
    '--tap',
    'a',
  ]);
});

test('as many files run at once as the processors and the memory allow', t => {
  const gigabytes = 2 ** 30;
  t.is(concurrencyOf({ processors: 2, memory: 24 * gigabytes }), 3);
  t.is(concurrencyOf({ processors: 8, memory: 24 * gigabytes }), 9);
  t.is(concurrencyOf({ processors: 8, memory: 6 * gigabytes }), 4);
  t.is(concurrencyOf({ processors: 1, memory: gigabytes }), 1);
});
