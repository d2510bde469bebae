import test from 'ava';
import { faultsOf, type SoakWindow, thirdOf } from '../../scripts/soak/summary.ts';

const windowOf = (memoryBytes: number, given: Partial<SoakWindow> = {}): SoakWindow => ({
  times: [10, 20],
  errors: [],
  memoryBytes,
  ...given,
});

test('the thirds are the first and the last windows', t => {
  const windows = [100, 110, 500, 900, 200, 220].map(bytes => windowOf(bytes));
  t.is(thirdOf(windows, 'first').memoryBytes, 105);
  t.is(thirdOf(windows, 'last').memoryBytes, 210);
  t.is(thirdOf([windowOf(7)], 'last').memoryBytes, 7);
  t.is(thirdOf([windowOf(7, { times: [1, 2, 90] })], 'first').p99Ms, 90);
  t.is(thirdOf([windowOf(7, { times: [] })], 'first').p99Ms, 0);
});

test('memory may grow by a tenth, and only a long soak judges it', t => {
  const windows = [100, 100, 110].map(bytes => windowOf(bytes));
  t.deepEqual(faultsOf(windows, true), []);
  const grown = [100, 100, 111].map(bytes => windowOf(bytes));
  t.deepEqual(faultsOf(grown, true), ['memory of the last third is 1.11 times that of the first']);
  t.deepEqual(faultsOf(grown, false), []);
});

test('any error is a fault', t => {
  const windows = [windowOf(1), windowOf(1, { errors: ['Expected 200, got 503', 'more'] })];
  t.deepEqual(faultsOf(windows, false), ['2 errors, the first: Expected 200, got 503']);
});
