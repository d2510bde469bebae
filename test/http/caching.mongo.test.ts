// ETag, If-None-Match, positions and held budgets.
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import { test } from '../helpers/file-test.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { budget, payee, space, steps } from '../model/scene.ts';
import { useServed } from './use-served.ts';

let token: string;

const SINCE = '2024-05-06T07:08:09.010Z';
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
  '/sums?group_by=payee&',
];

const served = useServed(test, { name: 'http_caching' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  for (const id of ['b1', 'b2', 'b3']) await project(id, budget('s1'), ...steps(6));
});

const read = (path: string, budgetId: string, headers: Record<string, string> = {}) =>
  served.api(`${path}budget_id=${budgetId}`, { token, headers });

for (const path of PATHS) {
  test(`ETag on every 200 and If-None-Match: 304, with position: ${path}`, async t => {
    const first = await read(path, 'b1');
    t.is(first.status, 200);
    t.is(first.headers.get('cache-control'), 'private, no-cache');
    const hasCsv = path === '/transactions?';
    t.is(
      first.headers.get('vary'),
      hasCsv ? 'Accept-Encoding, Authorization, Accept' : 'Accept-Encoding, Authorization',
    );
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
  const { project, hold, store, context } = served.model;
  const tags = [await tag()];
  await project('b2', ...steps(1));
  tags.push(await tag());
  await hold('b2', { ...budget('s1'), time: SINCE });
  tags.push(await tag());
  // A rebuild changes the document set alone: the stream is held again since the same time.
  await rebuildStream(store, 'b2', { ...context, now: new Date() });
  tags.push(await tag());
  t.is(new Set(tags).size, 4);
});

test('X-Projection-Parked-Since is set on 200 and 304 while the budget is held, not on errors', async t => {
  await served.model.hold('b3', { ...payee('late'), sequence: 99, time: SINCE });
  const first = await read('/labels?', 'b3');
  t.is(first.headers.get('x-projection-parked-since'), SINCE);
  const again = await read('/labels?', 'b3', { 'if-none-match': first.headers.get('etag') ?? '' });
  t.is(again.status, 304);
  t.is(again.headers.get('x-projection-parked-since'), SINCE);
  const bad = await read('/labels?limit=0&', 'b3');
  t.is(bad.headers.get('x-projection-parked-since'), null);
});

test.serial(
  'A switch of generation changes the ETag, and serves the budgets of the new one at once',
  async t => {
    const before = await read('/payees?', 'b1');
    const next = await createReadModel(served.db);
    await next.project('s1', ...space(['anna']));
    for (const id of ['b1', 'new']) await next.project(id, budget('s1'), ...steps(6));
    await next.activate();
    t.is((await read('/payees?', 'new')).status, 200);
    const after = await read('/payees?', 'b1');
    t.is(after.status, 200);
    t.not(after.headers.get('etag'), before.headers.get('etag'));
    await served.model.activate();
    t.is((await read('/payees?', 'new')).status, 404);
    t.is((await read('/payees?', 'b1')).headers.get('etag'), before.headers.get('etag'));
  },
);
