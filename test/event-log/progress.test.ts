// The watchdog of stalled work: when it checks whether there is something to do, and when it reports a stall.
import type { ExecutionContext } from 'ava';
import { createWatchdog, type WatchedActivity } from '../../src/event-log/kafka/progress.ts';
import { test } from '../helpers/file-test.ts';

const STILL_MS = 200;
/** The checks before a report: the first that finds no progress, and those of the second half of the time. */
const ENOUGH = 5;

type IsBehind = (question: number, progress: WatchedActivity) => Promise<boolean>;

/** Watches until the report of a stall; returns the number of checks. */
async function questions(
  t: ExecutionContext,
  isBehind: IsBehind,
  notedAt?: () => number,
): Promise<number> {
  let asked = 0;
  const { message } = await new Promise<Error>(resolve => {
    const watchdog = createWatchdog(STILL_MS, resolve);
    t.teardown(watchdog.stop);
    const ask = () => {
      asked += 1;
      return isBehind(asked, progress);
    };
    const progress = watchdog.watch('It', ask, notedAt);
  });
  t.is(message, 'It made no progress for 0.2 s, though it should');
  return asked;
}

test('a stall is reported when every check of the second half of the time has found work to do', async t => {
  t.is(await questions(t, async () => true), ENOUGH);
});

test('the time begins again if there is nothing to do, or if the servers are away', async t => {
  t.is(await questions(t, async question => question !== 4), 4 + ENOUGH);
  const away: IsBehind = async question => {
    if (question === 4) throw new Error('Refused');
    return true;
  };
  t.is(await questions(t, away), 4 + ENOUGH);
});

test('progress begins the time again, even if no check comes soon enough to see it', async t => {
  const working: IsBehind = async (question, progress) => {
    if (question === 4) progress.note();
    return true;
  };
  t.is(await questions(t, working), 4 + ENOUGH);
  let achievedAt = 0;
  const achieving: IsBehind = async question => {
    // After this check, and already long ago at the next one.
    if (question === 3) {
      setImmediate(() => {
        achievedAt = Date.now() - STILL_MS / 2 - 1;
      });
    }
    return true;
  };
  t.is(await questions(t, achieving, () => achievedAt), 3 + ENOUGH);
});
