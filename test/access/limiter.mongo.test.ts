import test from 'ava';
import { type Db, MongoClient } from 'mongodb';
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { createLimiter } from '../../src/access/limiter.ts';
import type { LimitStatus, RateLimiter } from '../../src/access/rate-limits.ts';
import type { RateLimits } from '../../src/config.ts';
import { startMongo, type TestMongo } from '../helpers/mongo.ts';

const LIMITS: RateLimits = {
  addressPerMinute: 300,
  tokenReadsPerMinute: 60,
  tokenWritesPerMinute: 30,
  userPerMinute: 120,
  userPerDay: 20_000,
};

/** Far enough ahead that the database does not remove the counts as outdated. */
const NOON = Date.parse('2099-03-14T12:00:15.500Z');
const NEXT_MINUTE = Date.parse('2099-03-14T12:01:00Z') / 1000;
const NEXT_DAY = Date.parse('2099-03-15T00:00:00Z') / 1000;

let mongo: TestMongo;
test.before(async () => {
  mongo = await startMongo();
});
test.after.always(() => mongo?.stop());

/** A limiter whose database clock stands still. Its process clock is another one altogether. */
function limiterAt(db: Db, ms: number, limits: Partial<RateLimits> = {}): RateLimiter {
  return createLimiter(
    db,
    { ...LIMITS, ...limits },
    { databaseClock: { $literal: new Date(ms) }, timeoutMs: 30_000 },
  );
}

async function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

const passed = (statuses: LimitStatus[]) => statuses.filter(({ allowed }) => allowed).length;

test('Limits: 200 requests at once with one token, exactly 60 reads pass', async t => {
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

test('Limits: exactly 30 requests of the write class pass, beside the reads', async t => {
  const limiter = limiterAt(mongo.database('limits'), NOON);
  const token = { id: 't1', owner: 'u1' };
  const [reads, writes] = await Promise.all([
    times(100, () => limiter.countToken(token, 'read')),
    times(100, () => limiter.countToken(token, 'write')),
  ]);
  t.is(passed(reads), 60);
  t.is(passed(writes), 30);
});

test('Limits: all tokens of a user share 120 a minute, over two processes', async t => {
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

test('a refused request is not charged to the other windows', async t => {
  const db = mongo.database('limits');
  const limiter = limiterAt(db, NOON, { tokenReadsPerMinute: 2, userPerMinute: 3 });
  const token = { id: 't1', owner: 'u1' };
  for (let index = 0; index < 10; index += 1) await limiter.countToken(token, 'read');
  const counts = () => db.collection('limits_user').findOne({}, { projection: { _id: 0 } });
  t.like(await counts(), { count: 2, dayCount: 2, tokens: { t1_read: 2 } });
  // The user's minute has one left, whichever token asks; then its refusals charge no token.
  t.true((await limiter.countToken({ id: 't2', owner: 'u1' }, 'read')).allowed);
  t.false((await limiter.countToken({ id: 't2', owner: 'u1' }, 'read')).allowed);
  t.false((await limiter.countToken({ id: 't3', owner: 'u1' }, 'read')).allowed);
  const after = await counts();
  t.like(after, { count: 3, dayCount: 3 });
  t.deepEqual(after?.tokens, { t1_read: 2, t2_read: 1 });
});

test('a refused address is not counted further', async t => {
  const db = mongo.database('limits');
  for (let index = 0; index < 3; index += 1) {
    await limiterAt(db, NOON, { addressPerMinute: 1 }).countAddress('1.2.3.4');
  }
  t.like(await db.collection('limits_address').findOne({}), { count: 1 });
});

test('the window with the smallest remaining count is described', async t => {
  const limiter = limiterAt(mongo.database('limits'), NOON, { userPerDay: 130 });
  const token = { id: 't1', owner: 'u1' };
  t.deepEqual(await limiter.countToken(token, 'read'), {
    allowed: true,
    limit: 60,
    remaining: 59,
    resetAt: NEXT_MINUTE,
    retryAfterSeconds: 45,
  });
  for (let index = 0; index < 59; index += 1) await limiter.countToken(token, 'read');
  // 60 of the user's minute are left and 70 of its day.
  t.like(await limiter.countToken({ id: 't2', owner: 'u1' }, 'write'), { limit: 30 });
});

test('on a tie, the window that resets last is described', async t => {
  const limiter = limiterAt(mongo.database('limits'), NOON, { userPerDay: 60 });
  t.deepEqual(await limiter.countToken({ id: 't1', owner: 'u1' }, 'read'), {
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
  const minute = { allowed: false, limit: 1, remaining: 0, resetAt: NEXT_MINUTE };
  t.like(await limiter.countToken(token, 'read'), { ...minute, retryAfterSeconds: 45 });
  await limiter.countToken(token, 'write');
  const day = { allowed: false, limit: 2, remaining: 0, resetAt: NEXT_DAY };
  t.like(await limiter.countToken(token, 'read'), { ...day, retryAfterSeconds: 43_185 });
});

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

test('the document of a user forgets tokens with the minute', async t => {
  const db = mongo.database('limits');
  await times(5, index => limiterAt(db, NOON).countToken({ id: `t${index}`, owner: 'u1' }, 'read'));
  await limiterAt(db, NOON + 60_000).countToken({ id: 't9', owner: 'u1' }, 'read');
  const counts = await db.collection('limits_user').findOne({});
  t.deepEqual(counts?.tokens, { t9_read: 1 });
  t.like(counts, { count: 1, dayCount: 6 });
});

test('by default windows are cut by the database’s own clock', async t => {
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

test('the stored start of a window decides: an older one is over', async t => {
  const db = mongo.database('limits');
  const limiter = () => createLimiter(db, { ...LIMITS, userPerDay: 1 }, { timeoutMs: 30_000 });
  const token = { id: 't1', owner: 'u1' };
  t.true((await limiter().countToken(token, 'read')).allowed);
  await db.collection('limits_user').updateMany({}, { $set: { day: new Date(0) } });
  t.true((await limiter().countToken(token, 'read')).allowed);
});

test('a refused address is refused in the process, until the window of the database ends', async t => {
  const db = mongo.database('limits');
  let now = 5_000_000;
  const options = { databaseClock: { $literal: new Date(NOON) }, timeoutMs: 30_000 };
  const limits = { ...LIMITS, addressPerMinute: 1 };
  const limiter = createLimiter(db, limits, { ...options, now: () => now });
  await limiter.countAddress('1.2.3.4');
  t.false((await limiter.countAddress('1.2.3.4')).allowed);
  // Were the database asked now, it would let the request through.
  await db.collection('limits_address').deleteMany({});
  now += 44_499;
  const status = { limit: 1, remaining: 0, resetAt: NEXT_MINUTE, retryAfterSeconds: 1 };
  t.deepEqual(await limiter.countAddress('1.2.3.4'), { allowed: false, ...status });
  t.true((await limiter.countAddress('1.2.3.5')).allowed);
  now += 1;
  t.true((await limiter.countAddress('1.2.3.4')).allowed);
});

test('counts are removed by the database, but never within their window', async t => {
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

test('a database that answers too late: the address is counted in the process', async t => {
  const db = mongo.database('limits');
  const reasons: unknown[] = [];
  const limiter = createLimiter(db, LIMITS, {
    timeoutMs: 200,
    // The clock of this database takes half a second to read.
    databaseClock: {
      $function: { body: '() => { sleep(500); return new Date(); }', args: [], lang: 'js' },
    },
    onUnavailable: error => reasons.push(error),
  });
  t.like(await limiter.countAddress('1.2.3.4'), { allowed: true, remaining: 299, degraded: true });
  t.is(reasons.length, 1);
  await t.throwsAsync(limiter.countToken({ id: 't1', owner: 'u1' }, 'read'));
});
