// A sleep that an abort ends, also one that came before it began.

import { createSleeper } from '../../src/process/waiting.ts';
import { test } from '../helpers/file-test.ts';

test('a signal that has aborted already lets the first sleep end at once', async t => {
  const sleeper = createSleeper(AbortSignal.abort());
  t.true(await sleeper.sleep(600_000));
});

test('a sleep ends by a wake, by an abort, and by its time', async t => {
  const stopping = new AbortController();
  const sleeper = createSleeper(stopping.signal);
  const woken = sleeper.sleep(600_000);
  sleeper.wake();
  t.true(await woken);
  t.false(await sleeper.sleep(1));
  const aborted = sleeper.sleep(600_000);
  stopping.abort();
  t.true(await aborted);
});
