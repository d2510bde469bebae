import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import { coalesced } from '../../src/event-log/folder/view.ts';

test('runs never overlap, and a call resolves with a run that began after it', async t => {
  let begun = 0;
  let running = 0;
  const call = coalesced(async () => {
    begun += 1;
    running += 1;
    t.is(running, 1);
    for (let turns = 0; turns < 3; turns += 1) await turn();
    running -= 1;
  });
  const calls: Promise<void>[] = [];
  for (let n = 0; n < 100; n += 1) {
    const before = begun;
    calls.push(
      call().then(() => {
        t.true(begun > before);
      }),
    );
    if (n % 4 === 0) await turn();
  }
  await Promise.all(calls);
  t.true(begun < 50, `${begun} runs`);
});

test('a failure rejects the calls that shared the run, and the next call begins a new run', async t => {
  let fails = true;
  const call = coalesced(async () => {
    await turn();
    if (fails) throw new Error('No disk');
  });
  const shared = [call(), call()];
  for (const one of shared) await t.throwsAsync(one, { message: 'No disk' });
  fails = false;
  await t.notThrowsAsync(call());
});
