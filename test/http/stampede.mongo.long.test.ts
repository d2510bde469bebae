// Many requests at one moment on one reader: bounds shed what is too much, and nothing keeps other requests away.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { Registry } from 'prom-client';
import { type BoundName, createBounds } from '../../src/http/bounds.ts';
import { QUERY_MS_MAX } from '../../src/http/routes/read-budget.ts';
import { createHttpMetrics } from '../../src/pages/operators/metrics/http-metrics.ts';
import { type StartedMongo, startMongo } from '../helpers/mongo.ts';
import { account, budget, space, steps } from '../model/scene.ts';
import { PAUSED } from './ask-again.ts';
import { holdsTo } from './contract.ts';
import { type Answered, type Served, serve } from './serve.ts';

// A mongod of its own, because a test locks it.
let mongo: StartedMongo;
const readers: Served[] = [];

/** How long requests wait for their count: no test is about a slow one, unless it says so. */
const COUNT_MS = 120_000;
const WAITING = 600;
/** So few begin to wait together that their first reads are quick on any machine. */
const ARRIVING = 50;

test.before(async () => {
  const { TEST_MONGODB_URL: _, ...env } = process.env;
  mongo = await startMongo(env);
});

test.after.always(async () => {
  for (const one of readers) await one.stop();
  await mongo?.stop();
});

async function start(
  maxima: Partial<Record<BoundName, number>> = {},
  countMs = COUNT_MS,
): Promise<Served> {
  const served = await serve(mongo, 'stampede', {
    bounds: createBounds(maxima),
    limiterOptions: { timeoutMs: countMs },
    patient: true,
    expectsPauses: true,
  });
  readers.push(served);
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', budget('s1'), account('home'));
  return served;
}

function shedProblem({ status, headers, body }: Answered): string | null {
  if (status !== 503) return `Expected 503, got ${status}`;
  if (headers.get('retry-after') === null) return 'Expected Retry-After';
  if (headers.get('x-ratelimit-remaining') === null) return 'Expected X-RateLimit-Remaining';
  return holdsTo('error', body);
}

const waitFor = (sequence: number) => ({
  'x-projection-wait-for': String(sequence),
  'x-projection-wait-seconds': '10',
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

test.serial('600 requests wait for a position, others are answered, then all are', async t => {
  const served = await start();
  const token = await served.issue('anna');
  const ask = (headers = {}) => served.api('/accounts?budget_id=b1', { token, headers });
  const waiting: Promise<{ answer: Answered; endedAtMs: number }>[] = [];
  let ended = 0;
  const wait = async () => {
    const answer = await ask(waitFor(5));
    ended += 1;
    return { answer, endedAtMs: performance.now() };
  };
  while (waiting.length < WAITING) {
    waiting.push(...Array.from({ length: ARRIVING }, wait));
    await until(() => served.bounds.waits.taken() + ended === waiting.length);
  }
  t.is(served.bounds.requests.taken(), 0);
  const others = await Promise.all(Array.from({ length: 100 }, () => ask()));
  t.deepEqual(new Set(others.map(({ status }) => status)), new Set([200]));
  t.is(served.bounds.waits.taken(), WAITING);
  const wokenAtMs = performance.now();
  await served.model.project('b1', ...steps(3));
  for (const { answer, endedAtMs } of await Promise.all(waiting)) {
    const { status, body } = answer;
    if (status === 200) continue;
    // On a slow machine 600 reads at once may take longer than one read may; nothing else may refuse one.
    t.like(answer, { status: 503, body: { error: { message: PAUSED } } }, JSON.stringify(body));
    t.true(endedAtMs - wokenAtMs >= QUERY_MS_MAX, `refused ${endedAtMs - wokenAtMs} ms later`);
    t.is((await ask(waitFor(5))).status, 200);
  }
  t.is(served.bounds.waits.taken(), 0);
});

test.serial('a wait beyond the bound is 503 at once, and metrics show it', async t => {
  const served = await start({ waits: 3 });
  const token = await served.issue('anna');
  const ask = () => served.api('/accounts?budget_id=b1', { token, headers: waitFor(9) });
  const waiting = Array.from({ length: 3 }, ask);
  await until(() => served.bounds.waits.taken() === 3);
  t.is(shedProblem(await ask()), null);
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
    const ask = () => served.api('/accounts?budget_id=b1', { token, headers: waitFor(9) });
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
    await served.model.project('b1', ...steps(9));
    for (const { status } of await Promise.all(waiting)) t.is(status, 200);
    // A refused connection may keep its place for a moment.
    let last = await ask();
    while (last.status === 503) last = await ask();
    t.is(last.status, 200);
  },
);

test.serial(
  'requests that cannot be counted wait up to a bound, others are 503 at once',
  async t => {
    // Long enough for all to arrive before the first gives up, however slow the machine is.
    const served = await start({ uncounted: 10 }, 15_000);
    const admin = mongo.client.db('admin');
    await admin.command({ fsync: 1, lock: true });
    try {
      const answers: Answered[] = [];
      await Promise.all(
        Array.from({ length: 40 }, async () => {
          answers.push(await served.api('/openapi.json'));
        }),
      );
      // In the order in which they came: those that are refused wait for none of the others.
      for (const answer of answers.slice(0, 30)) t.is(shedProblem(answer), null);
      t.deepEqual(new Set(answers.slice(30).map(({ status }) => status)), new Set([200]));
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
    t.is((await served.api('/openapi.json')).status, 200);
  },
);
