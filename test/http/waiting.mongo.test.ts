// X-Projection-Wait-For: read what one has written.
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { activate, createModel, writeBudget, writeSpace } from '../read-store/write-model.ts';
import { type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let served: Served;
let token: string;

test.before(async () => {
  served = await serve(mongo, 'http_waiting');
  token = await served.issue('anna');
  await writeSpace(served.model, 's1', ['anna']);
  await writeSpace(served.model, 's2', ['ben']);
  for (const id of ['b1', 'b2', 'b3', 'b4', 'b5', 'outside']) {
    await writeBudget(served.model, { id, spaceId: 's1', sequence: 5 });
  }
  await writeBudget(served.model, { id: 'foreign', spaceId: 's2', sequence: 100 });
});

mongo.beforeStop(async () => {
  await served?.stop();
});

/** Less than the ten seconds that a request was told to wait, however slow the machine is. */
const LONG_MS = 9000;

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function wait(budgetId: string, sequence: number, seconds?: number, asker = token) {
  const headers: Record<string, string> = { 'X-Projection-Wait-For': String(sequence) };
  if (seconds !== undefined) headers['X-Projection-Wait-Seconds'] = String(seconds);
  const startedAtMs = performance.now();
  const answer = await served.api(`/payees?budget_id=${budgetId}`, { token: asker, headers });
  return { ...answer, ms: performance.now() - startedAtMs };
}

async function advance(budgetId: string, sequence: number): Promise<void> {
  // As the projector does: the whole head is replaced.
  const head = await served.model.heads.findOne({ _id: budgetId });
  if (head === null) throw new Error('Expected a head');
  const { _id, ...fields } = head;
  await served.model.heads.replaceOne({ _id }, { ...fields, sequence });
}

test('A position that is reached already answers at once', async t => {
  for (const sequence of [1, 5]) {
    const { status, headers, ms } = await wait('b1', sequence, 10);
    t.is(status, 200);
    t.is(headers.get('x-projection-position'), '5');
    t.true(ms < LONG_MS, `${ms} ms`);
  }
});

test('The reader waits until the budget has reached it', async t => {
  const waiting = wait('b2', 7, 10);
  await pause(300);
  await advance('b2', 6);
  await pause(100);
  await advance('b2', 8);
  const { status, headers, ms } = await waiting;
  t.is(status, 200);
  t.is(headers.get('x-projection-position'), '8');
  t.true(ms >= 400 && ms < LONG_MS, `${ms} ms`);
});

test('Not reached in time: 503 unavailable with Retry-After; default 2 seconds', async t => {
  const { status, headers, body, ms } = await wait('b3', 6);
  t.is(status, 503);
  t.is(body.error.code, 'unavailable');
  t.regex(headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
  t.true(ms >= 1990, `${ms} ms`);
  t.is(headers.get('x-projection-position'), null);
});

test('X-Projection-Wait-Seconds: 0 means no wait', async t => {
  const eight = wait('b3', 6, 8);
  const first = await Promise.race([
    eight,
    wait('b3', 6, 0).then(() => 'the one that did not wait'),
  ]);
  t.is(first, 'the one that did not wait');
  t.is((await eight).status, 503);
  t.is((await wait('b3', 6, 0)).status, 503);
  t.is((await wait('b3', 5, 0)).status, 200);
});

test('Absent and foreign budgets wait too, then 404, the foreign one also where it is far enough', async t => {
  for (const id of ['nowhere', 'foreign']) {
    const { status, body, ms } = await wait(id, 6, 1);
    t.is(status, 404, id);
    t.is(body.error.code, 'not_found');
    t.true(ms >= 990, `${id} ${ms} ms`);
  }
});

test('A budget outside the token is 403 at once', async t => {
  const narrowed = await served.issue('anna', { budgets: ['b1'] });
  const { status, ms } = await wait('outside', 99, 10, narrowed);
  t.is(status, 403);
  t.true(ms < LONG_MS, `${ms} ms`);
});

test('A budget that comes to be while waiting is answered', async t => {
  const waiting = wait('born', 1, 10);
  await pause(300);
  await writeBudget(served.model, { id: 'born', spaceId: 's1', sequence: 1 });
  const { status, ms } = await waiting;
  t.is(status, 200);
  t.true(ms < LONG_MS, `${ms} ms`);
});

test('A budget that comes into reach while waiting is answered', async t => {
  await writeSpace(served.model, 's3', ['ben']);
  await writeBudget(served.model, { id: 'shared', spaceId: 's3', sequence: 3 });
  const waiting = wait('shared', 3, 10);
  await pause(300);
  await writeSpace(served.model, 's3', ['ben', 'anna'], { sequence: 2 });
  const { status, ms } = await waiting;
  t.is(status, 200);
  t.true(ms < LONG_MS, `${ms} ms`);
});

test('Many who wait are woken by one watcher', async t => {
  const waiting = Array.from({ length: 30 }, () => wait('b4', 9, 10));
  await pause(300);
  await advance('b4', 9);
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  t.deepEqual(new Set(statuses), new Set([200]));
});

test('If-None-Match while waiting: 304 where nothing changed, 200 with the new state', async t => {
  const before = await wait('b5', 5);
  const headers = (sequence: number) => ({
    'X-Projection-Wait-For': String(sequence),
    'X-Projection-Wait-Seconds': '10',
    'if-none-match': before.headers.get('etag') ?? '',
  });
  const same = await served.api('/payees?budget_id=b5', { token, headers: headers(5) });
  t.is(same.status, 304);
  const waiting = served.api('/payees?budget_id=b5', { token, headers: headers(6) });
  await pause(100);
  await advance('b5', 6);
  t.is((await waiting).status, 200);
});

test("Malformed is 400 with the header's name as param", async t => {
  const headers = { 'x-projection-wait-for': '0', 'x-projection-wait-seconds': 'x' };
  const { status, body } = await served.api('/payees?budget_id=b1', { token, headers });
  t.is(status, 400);
  t.deepEqual(
    body.error.details.map(({ param }: { param: string }) => param),
    ['X-Projection-Wait-For', 'X-Projection-Wait-Seconds'],
  );
});

test.serial('Waiting follows a switch of generation', async t => {
  const waiting = wait('b1', 50, 10);
  await pause(400);
  const next = await createModel(served.db, 'g2');
  await activate(served.db, 'g1');
  await writeSpace(next, 's1', ['anna']);
  await writeBudget(next, { id: 'b1', spaceId: 's1', sequence: 49 });
  await activate(served.db, 'g2');
  await pause(200);
  await next.heads.updateOne({ _id: 'b1' }, { $set: { sequence: 50 } });
  const { status, headers } = await waiting;
  t.is(status, 200);
  t.is(headers.get('x-projection-position'), '50');
  await activate(served.db, 'g1');
});
