// Files that share a process: none runs beside another, or stops another.
import test from 'ava';
import { type SharingFile, sharingFile, takeTurns, type WaitingTest } from './file-turns.ts';

function scene() {
  const done: string[] = [];
  const does = (what: string) => async () => {
    done.push(what);
    await Promise.resolve();
    done.push(`${what} ended`);
  };
  const waits = (file: SharingFile, title: string, isSerial = false): WaitingTest => ({
    file,
    isSerial,
    start: does(title),
    fail: error => void done.push(`${title}: ${(error as Error).message}`),
  });
  return { done, does, waits };
}

const fails = (message: string) => async () => {
  throw new Error(message);
};

test('a file begins when the hooks of the one before have ended; serial tests come first', async t => {
  const { done, does, waits } = scene();
  const [a, b] = [sharingFile('a'), sharingFile('b')];
  a.before.push(does('open'), does('fill'));
  a.after.push(does('close'), does('empty'));
  t.deepEqual(
    await takeTurns([waits(a, 'one'), waits(a, 'two'), waits(b, 'other'), waits(a, 'first', true)]),
    [],
  );
  t.deepEqual(done, [
    ...['open', 'open ended', 'fill', 'fill ended'],
    ...['first', 'first ended', 'one', 'two', 'one ended', 'two ended'],
    ...['empty', 'empty ended', 'close', 'close ended'],
    ...['other', 'other ended'],
  ]);
});

test('a hook that fails before the tests fails those of its file alone', async t => {
  const { done, does, waits } = scene();
  const [a, b] = [sharingFile('a'), sharingFile('b')];
  a.before.push(fails('no server'));
  a.after.push(does('close'));
  t.deepEqual(await takeTurns([waits(a, 'one'), waits(a, 'two', true), waits(b, 'other')]), []);
  const failed = ['one: no server', 'two: no server', 'close', 'close ended'];
  t.deepEqual(done, [...failed, 'other', 'other ended']);
});

test('a hook that fails after the tests stops nothing, and its error is returned', async t => {
  const { done, does, waits } = scene();
  const [a, b] = [sharingFile('a'), sharingFile('b')];
  a.after.push(does('close'), fails('still open'));
  const [failed, ...more] = await takeTurns([waits(a, 'one'), waits(b, 'other')]);
  t.is((failed as Error).message, 'still open');
  t.is(more.length, 0);
  t.deepEqual(done, ['one', 'one ended', 'close', 'close ended', 'other', 'other ended']);
});
