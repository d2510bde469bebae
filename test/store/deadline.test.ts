import { setTimeout as sleep } from 'node:timers/promises';
import {
  DatabaseTimeoutError,
  isUnavailable,
  withDeadline,
} from '../../src/store/database-errors.ts';
import { test } from '../helpers/file-test.ts';
import { answeringSocket, stall } from '../helpers/stall.ts';

test('work that is done in time settles as itself', async t => {
  t.is(await withDeadline(10_000, Promise.resolve(7)), 7);
  await t.throwsAsync(withDeadline(10_000, Promise.reject(new Error('no'))), { message: 'no' });
});

test('work that takes too long fails as a database that is away', async t => {
  const work = new Promise(() => {});
  const error = await t.throwsAsync(withDeadline(10, work), { instanceOf: DatabaseTimeoutError });
  t.is(error.message, 'Expected the database to answer within 10 ms, got no answer');
  t.true(isUnavailable(error));
});

test('a failure that comes too late is nobody’s', async t => {
  let fail: (error: Error) => void = () => {};
  const late = new Promise((_, reject) => {
    fail = reject;
  });
  await t.throwsAsync(withDeadline(5, late), { message: /within 5 ms/ });
  fail(new Error('late'));
  // Time to be noticed as handled by nobody.
  await sleep(20);
});

test('an answer that came while the process stood still counts, although the time is up', async t => {
  const ask = await answeringSocket(t);
  const answer = withDeadline(20, ask('7'));
  stall(100);
  t.is(await answer, '7');
});
