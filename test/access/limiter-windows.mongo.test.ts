import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { createLimiter } from '../../src/access/limiter.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { LIMITS, limiterAt, NEXT_DAY, NEXT_MINUTE, NOON, times } from './limiter-scene.ts';

const mongo = useMongo(test);

test('a minute window starts at the full minute', async t => {
  const db = mongo.database('limits');
  const limits = { tokenReadsPerMinute: 1, addressPerMinute: 1 };
  const token = { id: 't1', owner: 'u1' };
  const ask = async (iso: string) => {
    const limiter = limiterAt(db, Date.parse(iso), limits);
    const [address, user] = await Promise.all([
      limiter.countAddress('1.2.3.4'),
      limiter.countToken(token, 'read'),
    ]);
    return [address.allowed, user.allowed];
  };
  t.deepEqual(await ask('2099-03-14T12:00:59.998Z'), [true, true]);
  t.deepEqual(await ask('2099-03-14T12:00:59.999Z'), [false, false]);
  t.deepEqual(await ask('2099-03-14T12:01:00.000Z'), [true, true]);
  t.deepEqual(await ask('2099-03-14T12:01:59.999Z'), [false, false]);
});

test('the daily window starts at 00:00 UTC', async t => {
  const db = mongo.database('limits');
  const ask = (iso: string) =>
    limiterAt(db, Date.parse(iso), { userPerDay: 1 }).countToken({ id: 't1', owner: 'u1' }, 'read');
  t.true((await ask('2099-03-14T00:00:00.000Z')).allowed);
  t.like(await ask('2099-03-14T23:59:59.999Z'), {
    allowed: false,
    limit: 1,
    resetAt: NEXT_DAY,
    retryAfterSeconds: 1,
  });
  t.true((await ask('2099-03-15T00:00:00.000Z')).allowed);
});

test('the document of a user drops its tokens at the end of the minute', async t => {
  const db = mongo.database('limits');
  await times(5, index => limiterAt(db, NOON).countToken({ id: `t${index}`, owner: 'u1' }, 'read'));
  await limiterAt(db, NOON + 60_000).countToken({ id: 't9', owner: 'u1' }, 'read');
  const counts = await db.collection('limits_user').findOne({});
  t.deepEqual(counts?.tokens, { t9_read: 1 });
  t.like(counts, { count: 1, dayCount: 6 });
});

test('windows follow the clock of the database by default', async t => {
  const db = mongo.database('limits');
  const limiter = createLimiter(db, LIMITS, { timeoutMs: 30_000 });
  const databaseSeconds = async () => {
    const { localTime } = await db.command({ hello: 1 });
    return (localTime as Date).getTime() / 1000;
  };
  const before = await databaseSeconds();
  const address = await limiter.countAddress('1.2.3.4');
  const user = await limiter.countToken({ id: 't1', owner: 'u1' }, 'read');
  const after = await databaseSeconds();
  for (const { resetAt } of [address, user]) {
    t.is(resetAt % 60, 0);
    t.true(resetAt > before && resetAt <= after + 60);
  }
});

test('a window counts only if its stored start is the current one', async t => {
  const db = mongo.database('limits');
  const limiter = () => createLimiter(db, { ...LIMITS, userPerDay: 1 }, { timeoutMs: 30_000 });
  const token = { id: 't1', owner: 'u1' };
  t.true((await limiter().countToken(token, 'read')).allowed);
  await db.collection('limits_user').updateMany({}, { $set: { day: new Date(0) } });
  t.true((await limiter().countToken(token, 'read')).allowed);
});

test('the process itself refuses a refused address until the window of the database ends', async t => {
  const db = mongo.database('limits');
  let now = 5_000_000;
  const databaseClock = { $literal: new Date(NOON) };
  const options = { databaseClock, timeoutMs: 30_000, now: () => now };
  const limiter = createLimiter(db, { ...LIMITS, addressPerMinute: 1 }, options);
  await limiter.countAddress('1.2.3.4');
  t.false((await limiter.countAddress('1.2.3.4')).allowed);
  // If the limiter asked the database now, its clock would leave 45 seconds.
  await db.collection('limits_address').deleteMany({});
  now += 44_499;
  const status = { limit: 1, remaining: 0, resetAt: NEXT_MINUTE, retryAfterSeconds: 1 };
  t.deepEqual(await limiter.countAddress('1.2.3.4'), {
    window: 'address_minute',
    allowed: false,
    ...status,
  });
  t.true((await limiter.countAddress('1.2.3.5')).allowed);
  now += 1;
  databaseClock.$literal = new Date(NEXT_MINUTE * 1000);
  t.true((await limiter.countAddress('1.2.3.4')).allowed);
});

test('the database removes counts, but never within their window', async t => {
  const db = mongo.database('limits');
  await ensureAccessIndexes(db);
  await ensureAccessIndexes(db);
  const limiter = limiterAt(db, NOON);
  await limiter.countAddress('1.2.3.4');
  await limiter.countToken({ id: 't1', owner: 'u1' }, 'read');
  for (const [name, end] of [
    ['limits_address', NEXT_MINUTE],
    ['limits_user', NEXT_DAY],
  ] as const) {
    const indexes = await db.collection(name).indexes();
    t.like(
      indexes.find(({ key }) => 'expiresAt' in key),
      { expireAfterSeconds: 0 },
    );
    const counts = await db.collection(name).findOne({});
    const keptSeconds = Number(counts?.expiresAt) / 1000 - end;
    t.true(keptSeconds >= 60 && keptSeconds <= 3600, name);
  }
});

test('the process counts an address when the database answers too late', async t => {
  const db = mongo.database('limits');
  const reasons: unknown[] = [];
  const limiter = createLimiter(db, LIMITS, {
    timeoutMs: 200,
    // The clock of this database takes half a second to read.
    databaseClock: {
      $function: { body: 'function() { sleep(500); return new Date(); }', args: [], lang: 'js' },
    },
    onUnavailable: error => reasons.push(error),
  });
  t.like(await limiter.countAddress('1.2.3.4'), { allowed: true, remaining: 299, degraded: true });
  t.is(reasons.length, 1);
  // Either the reader's own timeout or that of the database ends the wait.
  t.regex(String(reasons[0]), /within 200 ms|exceeded time limit/);
  await t.throwsAsync(limiter.countToken({ id: 't1', owner: 'u1' }, 'read'));
});
