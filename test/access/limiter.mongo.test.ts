import { MongoClient } from 'mongodb';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { limiterAt, NEXT_DAY, NEXT_MINUTE, NOON, passed, times } from './limiter-scene.ts';

const mongo = useMongo(test);

test('Limits: exactly 60 of 200 simultaneous reads with one token pass', async t => {
  const limiter = limiterAt(mongo.database('limits'), NOON);
  const token = { id: 't1', owner: 'u1' };
  const statuses = await times(200, () => limiter.countToken(token, 'read'));
  t.is(passed(statuses), 60);
  const remaining = statuses.filter(({ allowed }) => allowed).map(status => status.remaining);
  t.deepEqual(
    remaining.toSorted((a, b) => a - b),
    Array.from({ length: 60 }, (_, index) => index),
  );
});

test('Limits: exactly 30 requests of the write class pass, independently of the reads', async t => {
  const limiter = limiterAt(mongo.database('limits'), NOON);
  const token = { id: 't1', owner: 'u1' };
  const [reads, writes] = await Promise.all([
    times(100, () => limiter.countToken(token, 'read')),
    times(100, () => limiter.countToken(token, 'write')),
  ]);
  t.is(passed(reads), 60);
  t.is(passed(writes), 30);
});

test('Limits: all tokens of a user share 120 requests a minute, over two processes', async t => {
  const db = mongo.database('limits');
  const other = await new MongoClient(mongo.url).connect();
  t.teardown(() => other.close());
  const limiters = [limiterAt(db, NOON), limiterAt(other.db(db.databaseName), NOON)] as const;
  const statuses = await times(300, index =>
    limiters[index % 2 === 0 ? 0 : 1].countToken({ id: `t${index % 5}`, owner: 'u1' }, 'read'),
  );
  t.is(passed(statuses), 120);
  const stranger = await limiters[0].countToken({ id: 't9', owner: 'u2' }, 'read');
  t.true(stranger.allowed);
});

test('Limits: exactly 300 requests of one address pass, over two processes', async t => {
  const db = mongo.database('limits');
  const limiters = [limiterAt(db, NOON), limiterAt(db, NOON)] as const;
  const statuses = await times(400, index =>
    limiters[index % 2 === 0 ? 0 : 1].countAddress(index % 3 === 0 ? '::ffff:1.2.3.4' : '1.2.3.4'),
  );
  t.is(passed(statuses), 300);
  t.true((await limiters[0].countAddress('1.2.3.5')).allowed);
});

test('an IPv6 client cannot leave its window by changing its address within the /64', async t => {
  const limiter = limiterAt(mongo.database('limits'), NOON, { addressPerMinute: 2 });
  const allowed = [];
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1']) {
    allowed.push((await limiter.countAddress(address)).allowed);
  }
  t.deepEqual(allowed, [true, true, false, true]);
});

test('a refused request does not count in the other windows', async t => {
  const db = mongo.database('limits');
  const limiter = limiterAt(db, NOON, { tokenReadsPerMinute: 2, userPerMinute: 3 });
  const token = { id: 't1', owner: 'u1' };
  for (let index = 0; index < 10; index += 1) await limiter.countToken(token, 'read');
  const counts = () => db.collection('limits_user').findOne({}, { projection: { _id: 0 } });
  t.like(await counts(), { count: 2, dayCount: 2, tokens: { t1_read: 2 } });
  // One request is left in the user's minute, for any token; the refusals after it count for no token.
  t.true((await limiter.countToken({ id: 't2', owner: 'u1' }, 'read')).allowed);
  t.false((await limiter.countToken({ id: 't2', owner: 'u1' }, 'read')).allowed);
  t.false((await limiter.countToken({ id: 't3', owner: 'u1' }, 'read')).allowed);
  const after = await counts();
  t.like(after, { count: 3, dayCount: 3 });
  t.deepEqual(after?.tokens, { t1_read: 2, t2_read: 1 });
});

test('a refused address does not count any further', async t => {
  const db = mongo.database('limits');
  for (let index = 0; index < 3; index += 1) {
    await limiterAt(db, NOON, { addressPerMinute: 1 }).countAddress('1.2.3.4');
  }
  t.like(await db.collection('limits_address').findOne({}), { count: 1 });
});

test('the status describes the window with the smallest remaining count', async t => {
  const limiter = limiterAt(mongo.database('limits'), NOON, { userPerDay: 130 });
  const token = { id: 't1', owner: 'u1' };
  t.deepEqual(await limiter.countToken(token, 'read'), {
    window: 'token_reads_minute',
    allowed: true,
    limit: 60,
    remaining: 59,
    resetAt: NEXT_MINUTE,
    retryAfterSeconds: 45,
  });
  for (let index = 0; index < 59; index += 1) await limiter.countToken(token, 'read');
  // 60 remain in the user's minute, 70 in its day.
  t.like(await limiter.countToken({ id: 't2', owner: 'u1' }, 'write'), { limit: 30 });
});

test('on a tie, the status describes the window that resets last', async t => {
  const limiter = limiterAt(mongo.database('limits'), NOON, { userPerDay: 60 });
  t.deepEqual(await limiter.countToken({ id: 't1', owner: 'u1' }, 'read'), {
    window: 'user_day',
    allowed: true,
    limit: 60,
    remaining: 59,
    resetAt: NEXT_DAY,
    retryAfterSeconds: 43_185,
  });
});

test('a refusal names the exhausted window that resets last, and only an exhausted one', async t => {
  const limiter = limiterAt(mongo.database('limits'), NOON, {
    tokenReadsPerMinute: 1,
    tokenWritesPerMinute: 1,
    userPerDay: 2,
  });
  const token = { id: 't1', owner: 'u1' };
  await limiter.countToken(token, 'read');
  const window = 'token_reads_minute';
  const minute = { window, allowed: false, limit: 1, remaining: 0, resetAt: NEXT_MINUTE };
  t.like(await limiter.countToken(token, 'read'), { ...minute, retryAfterSeconds: 45 });
  await limiter.countToken(token, 'write');
  const day = { window: 'user_day', allowed: false, limit: 2, remaining: 0, resetAt: NEXT_DAY };
  t.like(await limiter.countToken(token, 'read'), { ...day, retryAfterSeconds: 43_185 });
});

test('a refusal names its window, and the narrower of two equal ones', async t => {
  const token = (id: string) => ({ id, owner: 'u1' });
  for (const [limits, window] of [
    [{ userPerMinute: 1 }, 'user_minute'],
    [{ userPerMinute: 1, tokenWritesPerMinute: 1 }, 'user_minute'],
    [{ userPerMinute: 1, tokenReadsPerMinute: 1 }, 'token_reads_minute'],
  ] as const) {
    const limiter = limiterAt(mongo.database('limits'), NOON, limits);
    t.true((await limiter.countToken(token('t1'), 'read')).allowed);
    t.like(await limiter.countToken(token('t2'), 'read'), { allowed: false, window });
  }
});
