// A few readings of one person at a time.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { ApiError } from '../../src/http/api-error.ts';
import { createReadingTurns } from '../../src/http/reading-turns.ts';
import { DatabaseTimeoutError } from '../../src/store/database-errors.ts';
import { gate } from '../helpers/gate.ts';

/** Each request has its own. */
const present = () => new AbortController().signal;
const never = () => new Promise<never>(() => {});

test('so many of a person run at a time, in their order; others do not wait for them', async t => {
  const turns = createReadingTurns(2);
  const began: string[] = [];
  const ends = new Map(['a', 'b', 'c', 'd', 'other'].map(name => [name, gate()]));
  const start = (person: string, name: string) =>
    turns.run(person, present(), async () => {
      began.push(name);
      await ends.get(name)?.opened;
      return name;
    });
  const all = ['a', 'b', 'c', 'd'].map(name => start('anna', name));
  const other = start('ben', 'other');
  await nextTurn();
  t.deepEqual(began, ['a', 'b', 'other']);
  ends.get('b')?.open();
  t.is(await all[1], 'b');
  await nextTurn();
  t.deepEqual(began, ['a', 'b', 'other', 'c']);
  for (const end of ends.values()) end.open();
  t.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd']);
  t.is(await other, 'other');
  t.deepEqual(began, ['a', 'b', 'other', 'c', 'd']);
});

test('a reading that failed gives its turn on', async t => {
  const turns = createReadingTurns(1);
  const failing = turns.run('anna', present(), async () => {
    throw new Error('a failure');
  });
  const last = turns.run('anna', present(), async () => 'last');
  await t.throwsAsync(failing, { message: 'a failure' });
  t.is(await last, 'last');
});

test('one whose client goes away leaves the line at once, and the others keep their order', async t => {
  const turns = createReadingTurns(1);
  const first = gate();
  const running = turns.run('anna', present(), () => first.opened);
  const abandoned = new AbortController();
  const began: string[] = [];
  const left = turns.run('anna', abandoned.signal, async () => void began.push('left'));
  const others = ['b', 'c'].map(name => turns.run('anna', present(), async () => began.push(name)));
  await nextTurn();
  abandoned.abort(new Error('left'));
  await t.throwsAsync(left, { message: 'left' });
  const gone = turns.run('anna', abandoned.signal, async () => void began.push('gone'));
  await t.throwsAsync(gone, { message: 'left' });
  t.deepEqual(began, []);
  first.open();
  await Promise.all([running, ...others]);
  t.deepEqual(began, ['b', 'c']);
});

test('a reading whose client has gone keeps nobody waiting, though it does not end', async t => {
  const turns = createReadingTurns(1);
  const abandoned = new AbortController();
  let given: AbortSignal | undefined;
  void turns.run('anna', abandoned.signal, async one => {
    given = one;
    await never();
  });
  const next = turns.run('anna', present(), async () => 'next');
  await nextTurn();
  abandoned.abort(new Error('left'));
  t.is(await next, 'next');
  t.is(given?.reason.message, 'left');
});

test('one that takes too long is stopped, and the next one runs', async t => {
  const turns = createReadingTurns(1, 1000);
  let given: AbortSignal | undefined;
  const slow = turns.run('anna', present(), async one => {
    given = one;
    await never();
  });
  await t.throwsAsync(slow, { instanceOf: DatabaseTimeoutError });
  t.true(given?.aborted);
  t.is(await turns.run('anna', present(), async () => 'next'), 'next');
});

test('one whose turn comes too late gets the reason: the database is not slow', async t => {
  const turns = createReadingTurns(1, 300);
  const first = turns.run('anna', present(), () => sleep(200)).catch(() => {});
  const message =
    'Too many of your requests are read at once: send fewer, or try again when they have ended';
  await t.throwsAsync(turns.run('anna', present(), never), { instanceOf: ApiError, message });
  await first;
});
