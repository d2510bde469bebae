// Many requests at one moment on one reader: bounds shed what is too much, and nothing keeps other requests away.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Registry } from 'prom-client';
import { type BoundName, createBounds } from '../../src/http/bounds.ts';
import { createHttpMetrics } from '../../src/management/metrics/http-metrics.ts';
import { type StartedMongo, startMongo } from '../helpers/mongo.ts';
import { account, budget, space, steps } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { type Answered, type Served, serve } from './serve.ts';

// A mongod of its own, because a test locks it.
let mongo: StartedMongo;
const readers: Served[] = [];

test.before(async () => {
  const { TEST_MONGODB_URL: _, ...env } = process.env;
  mongo = await startMongo(env);
});

test.after.always(async () => {
  for (const one of readers) await one.stop();
  await mongo?.stop();
});

async function start(maxima: Partial<Record<BoundName, number>> = {}): Promise<Served> {
  const served = await serve(mongo, 'stampede', { bounds: createBounds(maxima) });
  readers.push(served);
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', budget('s1'), account('home'));
  return served;
}

function isShed({ status, headers, body }: Answered): string | null {
  if (status !== 503) return `Expected 503, got ${status}`;
  if (headers.get('retry-after') === null) return 'Expected Retry-After';
  if (headers.get('x-ratelimit-remaining') === null) return 'Expected X-RateLimit-Remaining';
  return holdsTo('error', body);
}

const waitFor = (sequence: number, seconds = 10) => ({
  'x-projection-wait-for': String(sequence),
  'x-projection-wait-seconds': String(seconds),
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

test.serial('600 requests wait for a position, others are answered, then all are', async t => {
  t.timeout(60_000);
  const served = await start();
  const token = await served.issue('anna');
  const ask = (headers = {}) => served.api('/accounts?budget_id=b1', { token, headers });
  const waiting = Array.from({ length: 600 }, () => ask(waitFor(5)));
  await until(() => served.bounds.waits.taken() === 600);
  t.is(served.bounds.requests.taken(), 0);
  const others = await Promise.all(Array.from({ length: 100 }, () => ask()));
  t.deepEqual(new Set(others.map(({ status }) => status)), new Set([200]));
  await served.model.project('b1', ...steps(3));
  const answers = await Promise.all(waiting);
  t.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  t.is(served.bounds.waits.taken(), 0);
});

test.serial('a wait beyond the bound is 503 at once, and metrics show it', async t => {
  const served = await start({ waits: 3 });
  const token = await served.issue('anna');
  const ask = () => served.api('/accounts?budget_id=b1', { token, headers: waitFor(9) });
  const waiting = Array.from({ length: 3 }, ask);
  await until(() => served.bounds.waits.taken() === 3);
  t.is(isShed(await ask()), null);
  const registry = new Registry();
  createHttpMetrics(registry).watch(served.bounds);
  const text = await registry.metrics();
  for (const line of ['taken{bound="waits"} 3', 'max{bound="waits"} 3']) {
    t.true(text.includes(`budgeting_bound_${line}`), line);
  }
  t.true(text.includes('budgeting_bound_refusals_total{bound="waits"} 1'));
  await served.model.project('b1', ...steps(9));
  for (const answer of await Promise.all(waiting)) t.is(answer.status, 200);
});

test.serial(
  'a connection beyond the bound gets 503, and its place is free again later',
  async t => {
    const served = await start({ connections: 2 });
    const token = await served.issue('anna');
    const ask = () =>
      served.api('/accounts?budget_id=b1', { token, headers: { ...waitFor(9, 2) } });
    const waiting = [ask(), ask()];
    await until(() => served.bounds.waits.taken() === 2);
    const answer = await served.raw('GET /api/v1/token HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    t.regex(answer, /^HTTP\/1.1 503 /);
    t.regex(answer, /retry-after: 2/i);
    t.regex(answer, /x-ratelimit-remaining: \d/i);
    t.regex(answer, /connection: close/i);
    t.is(served.bounds.connections.refused(), 1);
    const page = await served.raw('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    t.regex(page, /^HTTP\/1.1 503 /);
    for (const { status } of await Promise.all(waiting)) t.is(status, 503);
  },
);

test.serial(
  'requests that cannot be counted wait up to a bound, others are 503 at once',
  async t => {
    const served = await start({ uncounted: 10 });
    const admin = mongo.client.db('admin');
    await admin.command({ fsync: 1, lock: true });
    try {
      const startedAtMs = performance.now();
      const answers = await Promise.all(
        Array.from({ length: 40 }, async () => {
          const answer = await served.api('/openapi.json');
          return { answer, ms: performance.now() - startedAtMs };
        }),
      );
      const shed = answers.filter(({ answer }) => answer.status === 503);
      t.is(shed.length, 30);
      for (const { answer, ms } of shed) {
        t.is(isShed(answer), null);
        t.true(ms < 1900, `${ms} ms`);
      }
      t.is(answers.filter(({ answer }) => answer.status === 200).length, 10);
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
    t.is((await served.api('/openapi.json')).status, 200);
  },
);
