// Waiting for work or for an abort leaves nothing behind: a round that does repeats for months.
import { getEventListeners } from 'node:events';
import test from 'ava';
import { unlessAborted } from '../../src/process/waiting.ts';

test('work that ends in time leaves no listener at a signal that lives longer', async t => {
  const { signal } = new AbortController();
  for (let round = 0; round < 20; round += 1) t.is(await unlessAborted(work(round), signal), round);
  await t.throwsAsync(unlessAborted(Promise.reject(new Error('broken')), signal));
  t.deepEqual(getEventListeners(signal, 'abort'), []);
});

test('an abort ends the wait with null, before it and during it', async t => {
  const stopping = new AbortController();
  const waiting = unlessAborted(new Promise(() => {}), stopping.signal);
  stopping.abort();
  t.is(await waiting, null);
  t.is(await unlessAborted(work(1), stopping.signal), null);
});

async function work(result: number): Promise<number> {
  return result;
}
