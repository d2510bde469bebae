// The database goes away and comes back, simulated by a proxy that drops its connections.
import { connect, createServer, type Socket } from 'node:net';
import { MongoClient } from 'mongodb';
import { createLimiter } from '../../src/access/limiter.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { startFailingMongo } from '../projector/failing-mongo.ts';

const LIMITS = {
  addressPerMinute: 3,
  tokenReadsPerMinute: 60,
  tokenWritesPerMinute: 30,
  userPerMinute: 120,
  userPerDay: 20_000,
};

const mongo = useMongo(test);

async function createProxy(url: string) {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let open = true;
  const server = createServer(inner => {
    if (!open) return inner.destroy();
    const outer = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
    return inner;
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const proxy = new URL(url);
  proxy.host = `127.0.0.1:${port}`;
  proxy.searchParams.delete('replicaSet');
  proxy.searchParams.set('directConnection', 'true');
  return {
    url: proxy.href,
    open: () => {
      open = true;
    },
    cut: () => {
      open = false;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Resolves once the database has answered this client. */
async function reach(client: MongoClient): Promise<void> {
  for (;;) {
    try {
      await client.db('admin').command({ ping: 1 });
      return;
    } catch {
      // Not reachable yet: try again.
    }
  }
}

test('the process counts addresses while the database is away, and tokens fail', async t => {
  const db = mongo.database('away');
  const proxy = await createProxy(mongo.url);
  const client = new MongoClient(proxy.url, { serverSelectionTimeoutMS: 1000 });
  t.teardown(async () => {
    await client.close();
    await proxy.close();
  });
  const reasons: unknown[] = [];
  const limiter = createLimiter(client.db(db.databaseName), LIMITS, {
    databaseClock: { $literal: new Date('2099-03-14T12:00:15Z') },
    now: () => Date.parse('2001-01-01T00:00:30Z'),
    timeoutMs: 30_000,
    onUnavailable: error => reasons.push(error),
  });
  const token = { id: 't1', owner: 'u1' };
  await reach(client);
  const first = await limiter.countAddress('1.2.3.4');
  t.is(first.remaining, 2);
  t.is(first.degraded, undefined, 'counted by the database');
  t.true((await limiter.countToken(token, 'read')).allowed);

  proxy.cut();
  const local = await Promise.all(
    Array.from({ length: 10 }, () => limiter.countAddress('1.2.3.4')),
  );
  t.true(local.every(({ degraded }) => degraded));
  t.is(local.filter(({ allowed }) => allowed).length, 2, 'the request before counts too');
  t.deepEqual(
    local.find(({ allowed }) => !allowed),
    {
      window: 'address_minute',
      allowed: false,
      limit: 3,
      remaining: 0,
      resetAt: Date.parse('2099-03-14T12:01:00Z') / 1000,
      retryAfterSeconds: 45,
      degraded: true,
    },
  );
  t.is(reasons.length, 1, 'reported once');

  let tried = false;
  const trying = limiter.countAddress('1.2.3.5').then(() => {
    tried = true;
  });
  await Promise.all(Array.from({ length: 10 }, () => limiter.countAddress('1.2.3.5')));
  t.false(tried, 'only one request waits for the database');
  await trying;

  await t.throwsAsync(limiter.countToken(token, 'read'));
  const value = `service_pat_${'0'.repeat(30)}000000`;
  const tokens = createTokenStore(client.db(db.databaseName));
  t.is(await tokens.find(value), null, 'a wrong checksum needs no query');

  proxy.open();
  let status = await limiter.countAddress('1.2.3.4');
  while (status.degraded) status = await limiter.countAddress('1.2.3.4');
  t.deepEqual(status, {
    window: 'address_minute',
    allowed: false,
    limit: 3,
    remaining: 0,
    resetAt: Date.parse('2099-03-14T12:01:00Z') / 1000,
    retryAfterSeconds: 45,
  });
});

for (const [what, how] of [
  ['a closed connection', { closeConnection: true }],
  ['a primary that steps down', { errorCode: 10107 }],
] as const) {
  test(`${what} costs a count at most one retry`, async t => {
    const failing = await startFailingMongo();
    t.teardown(() => failing.stop());
    const { databaseName } = failing.database('limits');
    const { countToken } = createLimiter(failing.harmed.db(databaseName), LIMITS, {
      databaseClock: { $literal: new Date('2099-03-14T12:00:15Z') },
      timeoutMs: 30_000,
    });
    const token = { id: 't1', owner: 'u1' };
    await failing.fail(1, ['findAndModify'], how);
    t.like(await countToken(token, 'read'), { allowed: true, remaining: 59 });
    await failing.fail(2, ['findAndModify'], how);
    await t.throwsAsync(countToken(token, 'read'));
    t.like(await countToken(token, 'read'), { allowed: true, remaining: 58 });
  });
}
