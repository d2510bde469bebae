// 503 when the service cannot answer now, 500 for its own faults; neither names internals.
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { createBounds } from '../../src/http/bounds.ts';
import type { PositionWatcher } from '../../src/store/reading/position-watcher.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { account, budget, row, space } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { type Answered, type Served, type ServeOptions, serve } from './serve.ts';

const mongo = useMongo(test);
const all: Served[] = [];

async function start(name: string, options: ServeOptions = {}): Promise<Served> {
  const served = await serve(mongo, name, options);
  all.push(served);
  if (options.empty) return served;
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project('b1', budget('s1'), account('home'), row('t1', { memo: 'private words' }));
  return served;
}

mongo.beforeStop(async () => {
  await Promise.all(all.map(served => served.stop()));
});

function unavailableProblem(answer: Answered): string | null {
  const { status, headers, body } = answer;
  if (status !== 503) return `Expected 503, got ${status}`;
  if (body.error.code !== 'unavailable') return body.error.code;
  if (!/^[1-9][0-9]*$/.test(headers.get('retry-after') ?? '')) return 'Expected Retry-After';
  if (headers.get('x-ratelimit-limit') === null) return 'Expected X-RateLimit-Limit';
  return holdsTo('error', body);
}

test('503 before a read model is built', async t => {
  const served = await start('http_no_model', { empty: true });
  const token = await served.issue('anna');
  t.is(unavailableProblem(await served.api('/budgets', { token })), null);
  t.is(unavailableProblem(await served.api('/accounts?budget_id=b1', { token })), null);
  t.is((await served.api('/openapi.json')).status, 200);
});

test('503 while the database of the read model is away; its cause is only in the log', async t => {
  const away = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 200 });
  const served = await start('http_away', { readModel: away.db('none'), expectsPauses: true });
  const token = await served.issue('anna');
  for (const path of ['/budgets', '/accounts?budget_id=b1']) {
    const answer = await served.api(path, { token });
    t.is(unavailableProblem(answer), null, path);
    t.false(/127\.0\.0\.1|mongo|ECONN|select/i.test(answer.text));
    const { requestId } = answer.body.error;
    const logged = served.lines.filter(line => line.requestId === requestId && line.level >= 40);
    t.is(logged.length, 1);
    t.regex(logged[0].reason, /^Mongo\w+: \S/);
    t.notRegex(JSON.stringify(logged), /stack|\n +at /);
  }
  await away.close();
});

test('503 while the process stops, and the connection is closed', async t => {
  const served = await start('http_stopping');
  t.is((await served.api('/openapi.json')).status, 200);
  served.stopping.abort();
  const answer = await served.api('/openapi.json');
  t.is(unavailableProblem(answer), null);
  t.is(answer.headers.get('connection'), 'close');
});

/** A watcher whose requests wait until the test releases them. */
function holdingWatcher() {
  let arrive = () => {};
  let release = () => {};
  const taken = new Promise<void>(resolve => {
    arrive = resolve;
  });
  const released = new Promise<null>(resolve => {
    release = () => resolve(null);
  });
  const watcher: PositionWatcher = {
    waitFor() {
      arrive();
      return released;
    },
    follow: () => () => {},
    stop: async () => release(),
  };
  return { watcher, taken, release };
}

test('503 beyond the number of requests in flight', async t => {
  const place = holdingWatcher();
  const served = await start('http_overload', {
    bounds: createBounds({ requests: 1 }),
    watcher: place.watcher,
  });
  const token = await served.issue('anna');
  const headers = { 'X-Projection-Wait-For': '99' };
  const slow = served.api('/accounts?budget_id=b1', { token, headers });
  await place.taken;
  t.is(unavailableProblem(await served.api('/budgets', { token })), null);
  place.release();
  await slow;
  t.is((await served.api('/budgets', { token })).status, 200);
});

test('500 internal_error: the body never names internals; the cause is in the log under the requestId', async t => {
  const served = await start('http_broken');
  // No event stores a row without its text: only damage does.
  await served.model.store.collections.rows.updateMany({}, { $unset: { json: '' } });
  const token = await served.issue('anna');
  const answer = await served.api('/transactions?budget_id=b1', { token });
  t.is(answer.status, 500);
  t.is(holdsTo('error', answer.body), null);
  t.deepEqual(answer.body.error, {
    code: 'internal_error',
    message: 'Something went wrong',
    param: null,
    details: [],
    requestId: answer.headers.get('x-request-id'),
  });
  t.not(answer.headers.get('x-ratelimit-limit'), null);
  t.is(answer.headers.get('etag'), null);
  const logged = served.lines.find(
    line => line.requestId === answer.body.error.requestId && line.err,
  );
  t.regex(logged.err.message, /one field, json/);
});

test('A last use that cannot be stored is logged, and the request succeeds', async t => {
  const served = await start('http_untouched');
  const token = await served.issue('anna');
  await served.access.command({ collMod: 'tokens', validator: { lastUsedAt: null } });
  const answer = await served.api('/budgets', { token });
  t.is(answer.status, 200);
  const requestId = answer.headers.get('x-request-id');
  const isLogged = () =>
    served.lines.some(line => line.requestId === requestId && /last use/.test(line.msg));
  while (!isLogged()) await sleep(10);
  t.is((await served.tokens.list('anna'))[0]?.lastUsedAt, null);
});

test('The log has one line for each request: method, route, status; never a query, a token or an address', async t => {
  const served = await start('http_log');
  const token = await served.issue('anna');
  await served.api('/transactions?budget_id=b1&search=private', { token });
  await served.api('/months/2024-01?budget_id=b1', { token });
  const headers = { traceparent: `00-${'7'.repeat(32)}-${'8'.repeat(16)}-01` };
  await served.api('/nothing-private?search=private', { headers });
  const requests = served.lines.filter(({ msg }) => msg === 'request');
  t.deepEqual(
    requests.map(({ method, route, status }) => [method, route, status]),
    [
      ['GET', '/api/v1/transactions', 200],
      ['GET', '/api/v1/months/:month', 200],
      ['GET', '-', 404],
    ],
  );
  t.deepEqual(
    requests.map(({ traceId }) => traceId),
    [undefined, undefined, '7'.repeat(32)],
  );
  for (const { ms, requestId } of requests) {
    t.is(typeof ms, 'number');
    t.regex(requestId, /^[0-9a-f-]{36}$/);
  }
  const text = JSON.stringify(served.lines);
  for (const secret of ['private', token, token.slice(12), '127.0.0.1', 'budget_id']) {
    t.false(text.includes(secret), secret);
  }
});

test('observe receives each request', async t => {
  const seen: unknown[] = [];
  const served = await start('http_observe', { observe: one => seen.push({ ...one, ms: 0 }) });
  await served.api('/labels', {});
  t.deepEqual(seen, [{ method: 'GET', route: '/api/v1/labels', status: 401, ms: 0 }]);
});

test('stop: pending requests are answered, then the port is free', async t => {
  const served = await serve(mongo, 'http_drain');
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', budget('s1'));
  const token = await served.issue('anna');
  const headers = { 'X-Projection-Wait-For': '99', 'X-Projection-Wait-Seconds': '10' };
  const { waitFor } = served.watcher;
  let reads = 0;
  served.watcher.waitFor = (request, read) =>
    waitFor(request, async () => {
      const found = await read();
      reads += 1;
      return found;
    });
  const waiting = served.api('/accounts?budget_id=b1', { token, headers });
  // It reads on arrival and again once the change stream is open; then it sleeps.
  while (reads < 2) await sleep(10);
  await served.stop();
  // Its own wait is longer than the time that stop allows.
  t.is(unavailableProblem(await waiting), null);
  await t.throwsAsync(served.api('/budgets'));
});
