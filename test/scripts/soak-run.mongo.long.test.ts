// A short soak of the whole product: no error while events are appended.
import test from 'ava';
import { runSoak } from '../../scripts/soak/run-soak.ts';
import { faultsOf } from '../../scripts/soak/summary.ts';

test('20 seconds at a rate that holds, with appends, without an error', async t => {
  const soak = await runSoak({
    seconds: 20,
    windowSeconds: 5,
    trialSeconds: 1,
    // Other tests run beside it.
    rateMax: 100,
    report: line => t.log(line),
    signal: new AbortController().signal,
  });
  t.is(soak.windows.length, 4);
  t.deepEqual(faultsOf(soak.windows, false), []);
  t.true(soak.appended >= 1);
  for (const { times, memoryBytes } of soak.windows) {
    t.true(times.length > 0);
    t.true(memoryBytes > 2 ** 20);
  }
});
