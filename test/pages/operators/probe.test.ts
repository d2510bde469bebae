// A probe does not repeat a question that hangs, and waits for it a limited time.
import { setTimeout as sleep } from 'node:timers/promises';
import { createProbe } from '../../../src/pages/operators/status-monitor.ts';
import { test } from '../../helpers/file-test.ts';
import { answeringSocket, stall } from '../../helpers/stall.ts';

test('a probe returns the answer, and null after a failure', async t => {
  t.is(await createProbe(async () => 1, 1000)(), 1);
  t.is(await createProbe(() => Promise.reject(new Error('away')), 1000)(), null);
});

test('a question that hangs is not repeated until it is answered', async t => {
  let asked = 0;
  let answer: (value: number) => void = () => {};
  const probe = createProbe(() => {
    asked += 1;
    return new Promise<number>(resolve => {
      answer = resolve;
    });
  }, 20);
  t.deepEqual(await Promise.all([probe(), probe()]), [null, null]);
  t.is(await probe(), null);
  t.is(asked, 1);
  const waiting = probe();
  answer(2);
  t.is(await waiting, 2);
  await sleep(0);
  t.is(await probe(), null);
  t.is(asked, 2);
});

test('an answer that arrived while the process stalled counts, although the time is over', async t => {
  const ask = await answeringSocket(t);
  const answer = createProbe(() => ask('7'), 20)();
  stall(100);
  t.is(await answer, '7');
});
