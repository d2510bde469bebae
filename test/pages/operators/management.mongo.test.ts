// The management port over real servers (rules/running.md#management-port).
import type { ExecutionContext } from 'ava';
import { MongoClient } from 'mongodb';
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { requestBuild } from '../../../src/generations/operate.ts';
import { changeRegistry } from '../../../src/store/registry.ts';
import { recordVerification } from '../../../src/store/verifications.ts';
import { eventually } from '../../helpers/eventually.ts';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { withinOneMinute } from '../../helpers/within-one-minute.ts';
import { account, payee, row } from '../../model/scene.ts';
import { CREATED, eventMaker } from '../../projections/story.ts';
import { type SceneOptions, startManagementScene } from './management-scene.ts';
import { sampleValue } from './prometheus-text.ts';

const MINUTE_MS = 60_000;

const mongo = useMongo(test);

async function scene(t: ExecutionContext, options?: SceneOptions) {
  const here = await startManagementScene(mongo, options);
  t.teardown(() => here.stop());
  return here;
}

function history(rows: number) {
  const eventOf = eventMaker('budget-1');
  const drafts = [CREATED, account('a', true)];
  for (let number = 0; number < rows; number += 1)
    drafts.push(row(`t-${number}`, { accountId: 'a' }));
  return drafts.map(draft => eventOf(draft));
}

test('/readyz names what it waits for, from the start to the end of a process', async t => {
  const here = await scene(t);
  await here.append(history(10));
  const answers = async () => {
    const { status, text } = await here.ask('/readyz');
    return { status, body: JSON.parse(text) };
  };
  const away = [
    { what: 'database', message: 'The database does not answer' },
    { what: 'log', message: 'The event log does not answer' },
  ];
  t.deepEqual(await answers(), { status: 503, body: { ready: false, waitsFor: away } });
  t.is((await here.ask('/livez')).status, 200, 'alive nevertheless');
  here.watch();
  await here.waitsFor('generation');
  here.project();
  await here.until(({ active }) => active === 'g1');
  const ready = await here.waitsFor();
  t.deepEqual(ready, { status: 200, body: { ready: true, waitsFor: [] } });
  t.is((await here.ask('/readyz', { method: 'HEAD' })).text, '');
  here.stopping.abort();
  t.is((await here.waitsFor('shutdown')).status, 503);
});

test('a projector is not ready while no process works on a partition with events', async t => {
  const here = await scene(t, { partitions: 1 });
  await here.append(history(10));
  const first = here.project();
  await here.until(({ active }) => active === 'g1');
  here.watch();
  await here.waitsFor();
  await first.stop();
  const eventOf = eventMaker('budget-2');
  await here.append([eventOf(CREATED)]);
  await eventually(t, async t => {
    t.regex((await here.ask('/readyz')).text, /g1: nobody works on partition 0/);
  });
  here.project();
  await here.waitsFor();
  t.pass();
});

test('the port answers while the database is away, without outdated values', async t => {
  const client = await new MongoClient(mongo.url).connect();
  const here = await scene(t, { client });
  await here.append(history(1));
  const projecting = here.project();
  await here.until(({ active }) => active === 'g1');
  here.watch();
  const lag = { generation: 'g1', partition: '0' };
  await here.metrics(found => sampleValue(found, 'budgeting_projection_lag_events', lag) === 0);
  await projecting.stop();
  await client.close();
  await here.waitsFor('database');
  await eventually(t, async t => {
    const found = await here.metrics();
    t.is(sampleValue(found, 'budgeting_server_up', { server: 'database' }), 0);
    t.is(sampleValue(found, 'budgeting_server_up', { server: 'log' }), 1);
    t.is(sampleValue(found, 'budgeting_ready'), 0);
    t.is(found.get('budgeting_projection_lag_events')?.samples.length, 0);
  });
  await here.page(/Not known while the database does not answer/);
});

test('the metrics of a projector describe its work', async t => {
  const startedAt = Date.now() / 1000;
  const here = await scene(t, { partitions: 1 });
  const eventOf = eventMaker('budget-2');
  const [created, first, second, third] = [CREATED, payee('p'), payee('p'), payee('q')].map(draft =>
    eventOf(draft),
  );
  const [gap, late] = [eventMaker('budget-3'), eventMaker('budget-3')];
  const parked = [created, first, second, third].flatMap(event => event ?? []);
  const early = late(CREATED, { sequence: 3 });
  await here.append([...history(20), ...history(2), ...parked, gap(CREATED), early]);
  here.watch();
  here.project();
  await here.until(({ active }) => active === 'g1');
  const generation = 'g1';
  await eventually(t, async t => {
    const found = await here.metrics();
    const value = (name: string, labels = {}) =>
      sampleValue(found, name, { generation, ...labels });
    const events = (outcome: string) => value('budgeting_projector_events_total', { outcome });
    t.is(value('budgeting_generation_progress_ratio'), 1);
    t.is(events('applied'), 22 + 2 + 1);
    t.is(events('duplicate'), 4);
    t.is(events('held'), 2 + 1);
    t.is(events('dropped'), 0);
    t.is(events('unknown_type'), 0);
    t.true((value('budgeting_projector_chunk_duration_seconds_count') ?? 0) >= 1);
    t.true((value('budgeting_projector_chunk_duration_seconds_sum') ?? 0) > 0);
    t.is(
      value('budgeting_generation_info', { version: `${PROJECTIONS_VERSION}`, state: 'active' }),
      1,
    );
    t.is(value('budgeting_projection_lag_events', { partition: '0' }), 0);
    t.is(value('budgeting_projection_lag_seconds', { partition: '0' }), 0);
    t.is(value('budgeting_projector_partitions', { state: 'claimed' }), 1);
    t.is(value('budgeting_projector_partitions', { state: 'halted' }), 0);
    t.is(value('budgeting_held_streams', { why: 'parked' }), 1);
    t.is(value('budgeting_held_streams', { why: 'gap' }), 1);
    t.is(value('budgeting_held_streams', { why: 'change' }), 0);
    t.is(value('budgeting_quarantined_records'), 0);
    // The switch included a verification.
    t.is(value('budgeting_verification_differences', { scope: 'sample' }), 0);
    t.is(value('budgeting_verification_streams', { scope: 'sample' }), 3);
    const at = value('budgeting_verification_timestamp_seconds', { scope: 'sample' }) ?? 0;
    t.true(at >= startedAt && at <= Date.now() / 1000);
  });
});

test('lag is the number of records after the checkpoint, and the time that the oldest has waited', async t => {
  const here = await scene(t, { partitions: 1 });
  const events = history(5);
  await here.append(events.slice(0, 4));
  const projecting = here.project();
  await here.until(({ active }) => active === 'g1');
  await projecting.stop();
  const time = new Date(Date.now() - 2 * MINUTE_MS).toISOString();
  await here.append(events.slice(4).map(event => ({ ...event, time })));
  here.watch();
  const labels = { generation: 'g1', partition: '0' };
  const progress = { generation: 'g1' };
  await eventually(t, async t => {
    const found = await here.metrics();
    t.is(sampleValue(found, 'budgeting_projection_lag_events', labels), 3);
    const seconds = sampleValue(found, 'budgeting_projection_lag_seconds', labels) ?? 0;
    const secondsMax = Math.ceil((Date.now() - Date.parse(time)) / 1000);
    t.true(seconds >= 120 && seconds <= secondsMax, String(seconds));
    t.is(sampleValue(found, 'budgeting_generation_progress_ratio', progress), 4 / 7);
  });
});

test('a dropped generation leaves no metrics behind', async t => {
  const here = await scene(t);
  await here.append(history(3));
  here.project();
  await here.until(({ active }) => active === 'g1');
  here.watch();
  const { id } = await requestBuild(here.readModel, PROJECTIONS_VERSION);
  await here.until(({ active }) => active === id);
  const generationsIn = (found: Awaited<ReturnType<typeof here.metrics>>) =>
    [...found.values()]
      .flatMap(({ samples }) => samples.map(({ labels }) => labels.generation))
      .filter(generation => generation !== undefined);
  await here.metrics(found => generationsIn(found).includes(id));
  // Its time for a rollback is over.
  const retiredAt = new Date(Date.now() - 100 * 3_600_000);
  await changeRegistry(here.readModel, registry => ({
    ...registry,
    generations: registry.generations.map(one => (one.id === 'g1' ? { ...one, retiredAt } : one)),
  }));
  await here.until(({ generations }) => generations.length === 1);
  const verification = {
    scope: 'all',
    streams: 1,
    documents: 1,
    differences: 0,
    damages: 0,
  } as const;
  const at = new Date();
  await recordVerification(here.readModel, { generation: id, at, ...verification }, at);
  await eventually(t, async t => {
    t.deepEqual([...new Set(generationsIn(await here.metrics()))], [id]);
  });
});

test('requests are counted by route, and refusals by window', async t => {
  const start = async () => {
    const here = await scene(t, {
      env: { RATE_LIMIT_TOKEN_READS_PER_MINUTE: '2', RATE_LIMIT_IP_PER_MINUTE: '8' },
    });
    await here.append(history(1));
    here.watch();
    here.project();
    await here.until(({ active }) => active === 'g1');
    const { address } = await here.read();
    const { token } = await here.tokens.issue({ owner: 'anna' }, new Date());
    return { here, address, headers: { authorization: `Bearer ${token}` } };
  };
  const { here, statuses } = await withinOneMinute(start, async ({ here, address, headers }) => {
    const statuses: number[] = [];
    const ask = async (path: string, init?: RequestInit) => {
      statuses.push((await fetch(`${address}/api/v1${path}`, init)).status);
    };
    for (const path of ['/budgets', '/budgets', '/budgets', '/nothing', '/accounts/x?search=a']) {
      await ask(path, { headers });
    }
    await ask('/budgets');
    for (let times = 0; times < 3; times += 1) await ask('/budgets', { method: 'HEAD' });
    return { here, statuses };
  });
  t.deepEqual(statuses, [200, 200, 429, 404, 404, 401, 401, 401, 429]);
  await eventually(t, async t => {
    const found = await here.metrics();
    const requests = (labels: Record<string, string>) =>
      sampleValue(found, 'budgeting_http_requests_total', labels);
    const route = '/api/v1/budgets';
    t.is(requests({ route, method: 'GET', status: '200' }), 2);
    t.is(requests({ route, method: 'GET', status: '429' }), 1);
    t.is(requests({ route, method: 'GET', status: '401' }), 1);
    t.is(requests({ route, method: 'HEAD', status: '401' }), 2);
    t.is(requests({ route: '-', method: 'GET', status: '404' }), 2);
    const seconds = 'budgeting_http_request_duration_seconds_count';
    t.is(sampleValue(found, seconds, { route, method: 'GET' }), 4);
    const refused = (window: string) =>
      sampleValue(found, 'budgeting_limiter_refusals_total', { window });
    t.is(refused('token_reads_minute'), 1);
    t.is(refused('address_minute'), 1);
    t.is(refused('user_day'), 0);
  });
  const latencies = '<td>\\d+</td><td>[\\d.]+ m?s</td><td>[\\d.]+ m?s</td>';
  await here.page(
    new RegExp(`/api/v1/budgets</th><td>\\d+</td><td>\\d+</td><td>1</td>${latencies}`),
  );
});
