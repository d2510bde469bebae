// The watch over work that stands still: when it asks whether there is something to do, and when it has had enough.
import test, { type ExecutionContext } from 'ava';
import { createWatchdog, type Progress } from '../../src/event-log/kafka/progress.ts';

const STILL_MS = 200;
/** The check that first finds work still, and those of the second half of the time. */
const ENOUGH = 5;

type IsBehind = (question: number, progress: Progress) => Promise<boolean>;

/** Watches until it has had enough; answers how often it has asked. */
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

test('what is behind and stands still is found so by every check of the second half of the time', async t => {
  t.is(await questions(t, async () => true), ENOUGH);
});

test('where there is nothing to do, or the servers are away, that time begins anew', async t => {
  t.is(await questions(t, async question => question !== 4), 4 + ENOUGH);
  const away: IsBehind = async question => {
    if (question === 4) throw new Error('Refused');
    return true;
  };
  t.is(await questions(t, away), 4 + ENOUGH);
});

test('progress begins it anew, also where no check came soon enough to find it fresh', async t => {
  const working: IsBehind = async (question, progress) => {
    if (question === 4) progress.note();
    return true;
  };
  t.is(await questions(t, working), 4 + ENOUGH);
  let achievedAt = 0;
  const achieving: IsBehind = async question => {
    // After this check, and long ago when the next one comes.
    if (question === 3) {
      setImmediate(() => {
        achievedAt = Date.now() - STILL_MS / 2 - 1;
      });
    }
    return true;
  };
  t.is(await questions(t, achieving, () => achievedAt), 3 + ENOUGH);
});
