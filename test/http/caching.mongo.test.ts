// ETag, If-None-Match, positions and held budgets.
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { activate, createModel, writeBudget, writeSpace } from '../read-store/write-model.ts';
import { type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let served: Served;
let token: string;

const PATHS = [
  '/accounts?',
  '/transactions?',
  '/categories?',
  '/payees?',
  '/labels?',
  '/months/2024-01?',
  '/months?start_month=2024-01&end_month=current&',
  '/category-months?start_month=current&end_month=current&',
  '/balances?start_date=2024-01-01&end_date=2024-01-31&',
];

test.before(async () => {
  served = await serve(mongo, 'http_caching');
  token = await served.issue('anna');
  await writeSpace(served.model, 's1', ['anna']);
  for (const id of ['b1', 'b2', 'b3']) {
    await writeBudget(served.model, { id, spaceId: 's1', sequence: 7 });
  }
});

mongo.beforeStop(async () => {
  await served?.stop();
});

const read = (path: string, budgetId: string, headers: Record<string, string> = {}) =>
  served.api(`${path}budget_id=${budgetId}`, { token, headers });

for (const path of PATHS) {
  test(`ETag on every 200 and If-None-Match: 304, with position: ${path}`, async t => {
    const first = await read(path, 'b1');
    t.is(first.status, 200);
    t.is(first.headers.get('cache-control'), 'private, no-cache');
    t.is(first.headers.get('vary'), 'Authorization');
    t.is(first.headers.get('x-projection-position'), '7');
    t.is(first.headers.get('x-projection-parked-since'), null);
    const etag = first.headers.get('etag') ?? '';
    const again = await read(path, 'b1', { 'if-none-match': `"other", ${etag}` });
    t.is(again.status, 304);
    t.is(again.text, '');
    for (const name of ['etag', 'cache-control', 'vary', 'x-projection-position']) {
      t.is(again.headers.get(name), first.headers.get(name), name);
    }
    t.is(again.headers.get('content-type'), null);
    t.is((await read(path, 'b1', { 'if-none-match': '"other"' })).status, 200);
  });
}

test('ETag changes with position, held time and document set', async t => {
  const tag = async () => (await read('/payees?', 'b2')).headers.get('etag');
  const { heads } = served.model;
  const tags = [await tag()];
  await heads.updateOne({ _id: 'b2' }, { $set: { sequence: 8 } });
  tags.push(await tag());
  const held = { since: '2024-05-06T07:08:09.010Z', why: 'parked' as const, reason: '', queued: 1 };
  await heads.updateOne({ _id: 'b2' }, { $set: { held } });
  tags.push(await tag());
  await heads.updateOne({ _id: 'b2' }, { $set: { set: 'other' } });
  tags.push(await tag());
  t.is(new Set(tags).size, 4);
});

test('X-Projection-Parked-Since stands on 200 and 304 while the budget is held, not on errors', async t => {
  const since = '2024-05-06T07:08:09.010Z';
  const held = { since, why: 'gap' as const, reason: '', queued: 1 };
  await served.model.heads.updateOne({ _id: 'b3' }, { $set: { held } });
  const first = await read('/labels?', 'b3');
  t.is(first.headers.get('x-projection-parked-since'), since);
  const again = await read('/labels?', 'b3', { 'if-none-match': first.headers.get('etag') ?? '' });
  t.is(again.status, 304);
  t.is(again.headers.get('x-projection-parked-since'), since);
  const bad = await read('/labels?limit=0&', 'b3');
  t.is(bad.headers.get('x-projection-parked-since'), null);
});

test.serial(
  'A switch of generation changes the ETag, and its budgets are there at once',
  async t => {
    const before = await read('/payees?', 'b1');
    const next = await createModel(served.db, 'g2');
    await writeSpace(next, 's1', ['anna']);
    for (const id of ['b1', 'b2', 'b3', 'new']) {
      await writeBudget(next, { id, spaceId: 's1', sequence: 7 });
    }
    const after = await read('/payees?', 'b1');
    t.is(after.status, 200);
    t.not(after.headers.get('etag'), before.headers.get('etag'));
    await activate(served.db, 'g1');
    t.is((await read('/payees?', 'new')).status, 404);
    t.is((await read('/payees?', 'b1')).headers.get('etag'), before.headers.get('etag'));
  },
);
