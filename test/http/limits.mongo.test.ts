// Rate limits as responses show them (rules/api.md#limit-headers).
import { Registry } from 'prom-client';
import { createHttpMetrics } from '../../src/pages/operators/metrics/http-metrics.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { budget, space } from '../model/scene.ts';
import { type Answered, type Served, type ServeOptions, serve } from './serve.ts';

const mongo = useMongo(test);
const all: Served[] = [];

// The database's clock stands still, so that no window ends while a test runs.
const NOW = new Date('2024-06-15T10:20:30.250Z');
const MINUTE_END = Date.parse('2024-06-15T10:21:00Z') / 1000;
const DAY_END = Date.parse('2024-06-16T00:00:00Z') / 1000;

async function start(name: string, options: ServeOptions): Promise<Served> {
  const served = await serve(mongo, name, {
    limiterOptions: { databaseClock: NOW, now: () => NOW.getTime() },
    ...options,
  });
  all.push(served);
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', budget('s1'));
  return served;
}

mongo.beforeStop(async () => {
  await Promise.all(all.map(served => served.stop()));
});

const figures = ({ headers }: Answered) =>
  ['limit', 'remaining', 'reset'].map(name => Number(headers.get(`x-ratelimit-${name}`)));

test('Per IP, before authentication: 429 rate_limited for unknown paths, documents and tokens alike', async t => {
  const served = await start('http_limits_ip', { limits: { addressPerMinute: 3 } });
  const token = await served.issue('anna');
  t.deepEqual(figures(await served.api('/nothing')), [3, 2, MINUTE_END]);
  t.deepEqual(figures(await served.api('/openapi.json')), [3, 1, MINUTE_END]);
  t.deepEqual(figures(await served.api('/budgets', { token })), [3, 0, MINUTE_END]);
  for (const path of ['/budgets', '/nothing', '/openapi.json', '/accounts']) {
    const refused = await served.api(path, { token });
    t.is(refused.status, 429, path);
    t.is(refused.body.error.code, 'rate_limited');
    t.deepEqual(figures(refused), [3, 0, MINUTE_END]);
    t.is(refused.headers.get('retry-after'), '30');
    t.is(refused.headers.get('www-authenticate'), null);
  }
  const preflight = await served.api('/budgets', { method: 'OPTIONS' });
  t.is(preflight.status, 429);
});

test('Per token, reads; the headers describe the window with the smallest remaining count', async t => {
  const served = await start('http_limits_reads', { limits: { tokenReadsPerMinute: 2 } });
  const token = await served.issue('anna');
  t.deepEqual(figures(await served.api('/budgets', { token })), [2, 1, MINUTE_END]);
  const headers = { 'if-none-match': '*' };
  const notModified = await served.api('/accounts?budget_id=b1', { token, headers });
  t.is(notModified.status, 304);
  t.deepEqual(figures(notModified), [2, 0, MINUTE_END]);
  const refused = await served.api('/budgets', { token });
  t.is(refused.status, 429);
  t.deepEqual(figures(refused), [2, 0, MINUTE_END]);
  t.is(refused.headers.get('retry-after'), '30');
  const other = await served.issue('anna');
  t.is((await served.api('/budgets', { token: other })).status, 200);
});

test('Per token, writes: a method other than GET, HEAD and OPTIONS counts against the write class', async t => {
  const served = await start('http_limits_writes', { limits: { tokenWritesPerMinute: 1 } });
  const token = await served.issue('anna');
  const first = await served.api('/accounts', { token, method: 'POST' });
  t.is(first.status, 405);
  t.deepEqual(figures(first), [1, 0, MINUTE_END]);
  t.is((await served.api('/accounts', { token, method: 'DELETE' })).status, 429);
  t.is((await served.api('/budgets', { token })).status, 200);
  t.is((await served.api('/budgets', { token, method: 'HEAD' })).status, 200);
  t.is((await served.api('/budgets', { token, method: 'OPTIONS' })).status, 204);
});

test('Per user over all tokens, and daily: Retry-After and the headers describe the refusing window that resets last', async t => {
  const served = await start('http_limits_user', { limits: { userPerMinute: 2, userPerDay: 2 } });
  const [one, two] = [await served.issue('anna'), await served.issue('anna')];
  t.is((await served.api('/budgets', { token: one })).status, 200);
  t.is((await served.api('/budgets', { token: two })).status, 200);
  const refused = await served.api('/budgets', { token: one });
  t.is(refused.status, 429);
  t.deepEqual(figures(refused), [2, 0, DAY_END]);
  t.is(refused.headers.get('retry-after'), String(DAY_END - Math.floor(NOW.getTime() / 1000)));
});

test('429 of the token comes before 405, 403 and 400', async t => {
  const served = await start('http_limits_order', { limits: { userPerDay: 1 } });
  const token = await served.issue('anna', { scopes: ['labels:read'] });
  t.is((await served.api('/accounts', { token })).status, 403);
  t.is((await served.api('/accounts', { token })).status, 429);
  t.is((await served.api('/accounts', { token, method: 'POST' })).status, 429);
  t.is((await served.api('/labels?x=1', { token })).status, 429);
});

test("A request that a token's window refuses still counts for its address", async t => {
  const served = await start('http_limits_both', {
    limits: { addressPerMinute: 3, tokenReadsPerMinute: 1 },
  });
  const token = await served.issue('anna');
  t.is((await served.api('/budgets', { token })).status, 200);
  t.is((await served.api('/budgets', { token })).status, 429);
  t.deepEqual(figures(await served.api('/nothing')), [3, 0, MINUTE_END]);
});

test('The address comes from the trusted hop of X-Forwarded-For; if no proxy is configured, the header causes one warning', async t => {
  const behind = await start('http_limits_proxy', {
    limits: { addressPerMinute: 1 },
    config: { trustedProxies: 1 },
  });
  const from = (forwarded: string) =>
    behind.api('/nothing', { headers: { 'x-forwarded-for': forwarded } });
  t.is((await from('203.0.113.1')).status, 404);
  t.is((await from('198.51.100.9, 203.0.113.1')).status, 429);
  t.is((await from('203.0.113.2')).status, 404);
  const open = await start('http_limits_open', { limits: { addressPerMinute: 2 } });
  for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) {
    await open.api('/nothing', { headers: { 'x-forwarded-for': address } });
  }
  t.is((await open.api('/nothing')).status, 429);
  const warnings = open.lines.filter(({ msg }) => /X-Forwarded-For/.test(msg));
  t.is(warnings.length, 1);
});

test('A request from a refused address looks up no token', async t => {
  const asked: string[] = [];
  // As every reader has it: with its refusals counted.
  const meter = createHttpMetrics(new Registry()).counted;
  const served = await start('http_limits_flood', { limits: { addressPerMinute: 1 }, meter });
  const token = await served.issue('anna');
  const find = served.tokens.find;
  served.tokens.find = async value => {
    asked.push(value);
    return await find(value);
  };
  for (let count = 0; count < 4; count += 1) await served.api('/budgets', { token });
  // The second look-up runs at the same time as the count that refuses it; later requests are refused in the process.
  t.is(asked.length, 2);
});
