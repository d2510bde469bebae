import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { DatabaseTimeoutError, within } from '../../src/access/within.ts';
import { isUnavailable } from '../../src/read-store/is-unavailable.ts';

test('work that is done in time settles as itself', async t => {
  t.is(await within(10_000, Promise.resolve(7)), 7);
  await t.throwsAsync(within(10_000, Promise.reject(new Error('no'))), { message: 'no' });
});

test('work that takes too long fails as a database that is away', async t => {
  const error = await t.throwsAsync(within(10, sleep(200)), { instanceOf: DatabaseTimeoutError });
  t.is(error.message, 'Expected the database to answer within 10 ms');
  t.true(isUnavailable(error));
});

test('a failure that comes too late is nobody’s', async t => {
  const late = sleep(30).then(() => {
    throw new Error('late');
  });
  await t.throwsAsync(within(5, late), { message: /within 5 ms/ });
  await sleep(60);
});
