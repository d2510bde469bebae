// What cannot be answered now is 503, what is our fault is 500, and neither names internals.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { MongoClient } from 'mongodb';
import type { PositionWatcher } from '../../src/read-store/position-watcher.ts';
import { useMongo } from '../helpers/mongo.ts';
import { writeBudget, writeSpace } from '../read-store/write-model.ts';
import { holdsTo } from './contract.ts';
import { type Answered, type Served, type ServeOptions, serve } from './serve.ts';

const mongo = useMongo(test);
const all: Served[] = [];

async function start(name: string, options: ServeOptions = {}): Promise<Served> {
  const served = await serve(mongo, name, options);
  all.push(served);
  if (options.empty) return served;
  await writeSpace(served.model, 's1', ['anna']);
  await writeBudget(served.model, {
    id: 'b1',
    spaceId: 's1',
    accounts: [{ id: 'a1' }],
    rows: [{ id: 't1', date: '2024-01-01', memo: 'private words' }],
  });
  return served;
}

mongo.beforeStop(async () => {
  await Promise.all(all.map(served => served.stop()));
});

function isUnavailable(answer: Answered): string | null {
  const { status, headers, body } = answer;
  if (status !== 503) return `Expected 503, got ${status}`;
  if (body.error.code !== 'unavailable') return body.error.code;
  if (!/^[1-9][0-9]*$/.test(headers.get('retry-after') ?? '')) return 'Expected Retry-After';
  if (headers.get('x-ratelimit-limit') === null) return 'Expected X-RateLimit-Limit';
  return holdsTo('error', body);
}

test('503 where no read model is built yet', async t => {
  const served = await start('http_no_model', { empty: true });
  const token = await served.issue('anna');
  t.is(isUnavailable(await served.api('/budgets', { token })), null);
  t.is(isUnavailable(await served.api('/accounts?budget_id=b1', { token })), null);
  t.is((await served.api('/openapi.json')).status, 200);
});

test('503 while the database of the read model is away; its cause is only in the log', async t => {
  const away = new MongoClient('mongodb://127.0.0.1:1/', { serverSelectionTimeoutMS: 200 });
  const served = await start('http_away', { readModel: away.db('none') });
  const token = await served.issue('anna');
  for (const path of ['/budgets', '/accounts?budget_id=b1']) {
    const answer = await served.api(path, { token });
    t.is(isUnavailable(answer), null, path);
    t.false(/127\.0\.0\.1|mongo|ECONN|select/i.test(answer.text));
    const { requestId } = answer.body.error;
    const logged = served.lines.find(line => line.requestId === requestId && line.err);
    t.regex(logged.err.type, /^Mongo/);
  }
  await away.close();
});

test('503 while the process stops, and the connection is closed', async t => {
  const served = await start('http_stopping');
  t.is((await served.api('/openapi.json')).status, 200);
  served.stopping.abort();
  const answer = await served.api('/openapi.json');
  t.is(isUnavailable(answer), null);
  t.is(answer.headers.get('connection'), 'close');
});

/** Whoever waits for a position is held until the test releases it. */
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
    stop: async () => release(),
  };
  return { watcher, taken, release };
}

test('503 beyond the number of requests in flight', async t => {
  const place = holdingWatcher();
  const served = await start('http_overload', {
    config: { inFlightMax: 1 },
    watcher: place.watcher,
  });
  const token = await served.issue('anna');
  const headers = { 'X-Projection-Wait-For': '99' };
  const slow = served.api('/accounts?budget_id=b1', { token, headers });
  await place.taken;
  t.is(isUnavailable(await served.api('/budgets', { token })), null);
  place.release();
  await slow;
  t.is((await served.api('/budgets', { token })).status, 200);
});

test('500 internal_error: the body never names internals; the cause is in the log under the requestId', async t => {
  const served = await start('http_broken');
  await served.model.rows.updateMany({}, { $unset: { json: '' } });
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

test('A last use that cannot be noted is logged, and nobody else hears of it', async t => {
  const served = await start('http_untouched');
  const token = await served.issue('anna');
  await served.access.command({ collMod: 'tokens', validator: { lastUsedAt: null } });
  const answer = await served.api('/budgets', { token });
  t.is(answer.status, 200);
  const requestId = answer.headers.get('x-request-id');
  const isTold = () =>
    served.lines.some(line => line.requestId === requestId && /last use/.test(line.msg));
  while (!isTold()) await sleep(10);
  t.is((await served.tokens.list('anna'))[0]?.lastUsedAt, null);
});

test('The log has one line a request: method, route, status; never a query, a token or an address', async t => {
  const served = await start('http_log');
  const token = await served.issue('anna');
  await served.api('/transactions?budget_id=b1&search=private', { token });
  await served.api('/months/2024-01?budget_id=b1', { token });
  await served.api('/nothing-private?search=private');
  const requests = served.lines.filter(({ msg }) => msg === 'request');
  t.deepEqual(
    requests.map(({ method, route, status }) => [method, route, status]),
    [
      ['GET', '/api/v1/transactions', 200],
      ['GET', '/api/v1/months/:month', 200],
      ['GET', '-', 404],
    ],
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

test('observe is told of each request', async t => {
  const seen: unknown[] = [];
  const served = await start('http_observe', { observe: one => seen.push({ ...one, ms: 0 }) });
  await served.api('/labels', {});
  t.deepEqual(seen, [{ method: 'GET', route: '/api/v1/labels', status: 401, ms: 0 }]);
});

test('stop: requests in hand are answered, then the port is free', async t => {
  const served = await serve(mongo, 'http_drain');
  await writeSpace(served.model, 's1', ['anna']);
  await writeBudget(served.model, { id: 'b1', spaceId: 's1' });
  const token = await served.issue('anna');
  const headers = { 'X-Projection-Wait-For': '99', 'X-Projection-Wait-Seconds': '10' };
  const { waitFor } = served.watcher;
  let looks = 0;
  served.watcher.waitFor = (request, look) =>
    waitFor(request, async () => {
      const found = await look();
      looks += 1;
      return found;
    });
  const waiting = served.api('/accounts?budget_id=b1', { token, headers });
  // It looks when it comes, and when its budget is watched; then it sleeps.
  while (looks < 2) await sleep(10);
  await served.stop();
  // It would have waited for longer than a stop leaves it.
  t.is(isUnavailable(await waiting), null);
  await t.throwsAsync(served.api('/budgets'));
});
