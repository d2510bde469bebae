// GET /changes: pages, tombstones, cursors and refusals (rules/api.md#changes).
import { formatCursor, parseCursor } from '../../src/http/routes/changes.ts';
import { endOfChanges } from '../../src/store/reading/queries/change-order.ts';
import { test } from '../helpers/file-test.ts';
import { createReadModel } from '../helpers/read-model.ts';
import {
  account,
  budget,
  category,
  group,
  label,
  payee,
  row,
  space,
  steps,
} from '../model/scene.ts';
import { type ChangePlaces, placeChanges } from './change-places.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;
const NOW = new Date('2024-06-15T12:00:00Z');

const EVENTS = [
  ...[budget('s1'), account('a1'), account('a2', true, { currency: 'USD' })],
  ...[group('g1'), category('c1', 'g1'), category('c2', 'g1')],
  { type: 'category.hidden', data: { categoryId: 'c2' } } as const,
  ...[payee('p2'), payee('p1'), label('l1')],
  row('t3', { accountId: 'a1', date: '2024-01-03' }),
  row('t1', { accountId: 'a1', date: '2024-01-01' }),
  row('T1', { accountId: 'a1', date: '2024-07-02', amount: '-5.00' }),
];

const PLACES: ChangePlaces = {
  sequence: 20,
  changed: {
    accounts: { a1: 12, a2: 3 },
    groups: { g1: 4 },
    categories: { c1: 5, c2: 15 },
    payees: { p2: 9, p1: 9 },
    labels: { l1: 9 },
    rows: { t3: 12, t1: 12, T1: 10 },
  },
  tombstones: [
    { kind: 'transaction', thingId: 't0', changed: 12 },
    { kind: 'payee', thingId: 'p1', changed: 6 },
    { kind: 'category', thingId: 'c0', changed: 16 },
    { kind: 'label', thingId: 'l1', changed: 8 },
  ],
};

const served = useServed(test, { name: 'http_changes', clock: () => NOW }, async () => {
  token = await served.issue('anna', {}, NOW);
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project('b1', ...EVENTS);
  await placeChanges(served.model, 'b1', PLACES);
  await project('b2', budget('s1'), ...steps(19));
});

const read = (query: string, headers: Record<string, string> = {}) =>
  served.api(`/changes?budget_id=b1${query}`, { token, headers });

/** The cursor after everything up to a position, with the base of a client that began at `base`. */
async function cursorAt(position: number, base = position): Promise<string> {
  const { body } = await read('');
  const given = parseCursor(body.cursor);
  if (!given) throw new Error(`Expected a cursor, got ${body.cursor}`);
  const last = Math.max(position, base, given.position);
  return formatCursor({ ...given, base, position: last, place: endOfChanges(position) });
}

/** The ids of a page: `account a1`, `-transaction t0`. */
function idsOf(body: Record<string, { id: string; kind?: string }[]>): string[] {
  const lists = ['accounts', 'categoryGroups', 'categories', 'payees', 'labels', 'transactions'];
  const things = lists.flatMap(list => (body[list] ?? []).map(({ id }) => id));
  return [...things, ...(body.deleted ?? []).map(({ kind, id }) => `-${kind} ${id}`)];
}

test('the first page without a cursor is everything as the lists show it, and no tombstone', async t => {
  const { status, headers, body } = await read('');
  t.is(status, 200);
  t.is(holdsTo('changes', body), null);
  t.is(headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(headers.get('x-projection-position'), '20');
  t.is(headers.get('cache-control'), 'private, no-cache');
  t.is(headers.get('vary'), 'Accept-Encoding, Authorization');
  t.deepEqual(Object.keys(body), [
    ...['accounts', 'categoryGroups', 'categories', 'payees', 'labels', 'transactions'],
    ...['deleted', 'cursor', 'has_more'],
  ]);
  t.deepEqual(idsOf(body), 'a2 a1 g1 c1 c2 p1 p2 l1 T1 t1 t3'.split(' '));
  t.false(body.has_more);
  const list = async (path: string) => (await served.api(`${path}budget_id=b1`, { token })).body;
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  t.deepEqual([...body.accounts].sort(byId), (await list('/accounts?')).accounts);
  t.deepEqual([...body.payees], (await list('/payees?')).payees);
  t.deepEqual([...body.labels], (await list('/labels?')).labels);
  const { transactions } = await list('/transactions?');
  t.deepEqual([...body.transactions].sort(byId), [...transactions].sort(byId));
  const [group] = (await list('/categories?include_hidden=true&')).categoryGroups;
  const { categories, ...rest } = group;
  t.deepEqual(body.categoryGroups, [rest]);
  t.deepEqual(body.categories, categories);
});

test('pages of every size: everything once, in the order of its last change', async t => {
  const whole = 'a2 g1 c1 p1 p2 l1 T1 a1 t1 t3 c2'.split(' ');
  for (let limit = 1; limit <= 12; limit += 1) {
    const pages: string[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await read(`&limit=${limit}${cursor}`);
      const ids = idsOf(body);
      t.is(ids.length, body.has_more ? limit : whole.length - pages.length, String(limit));
      // Within a page things come by kind.
      t.deepEqual([...ids].sort(), whole.slice(pages.length, pages.length + limit).sort());
      pages.push(...ids);
      cursor = `&cursor=${encodeURIComponent(body.cursor)}`;
      if (!body.has_more) break;
    }
    t.is(pages.length, whole.length);
  }
});

test('tombstones later than the first page come, but not of things that are there again', async t => {
  t.deepEqual(idsOf((await read(`&cursor=${await cursorAt(11)}`)).body), [
    ...['a1', 'c2', 't1', 't3'],
    ...['-transaction t0', '-category c0'],
  ]);
  t.deepEqual(idsOf((await read(`&cursor=${await cursorAt(5)}`)).body), [
    ...['a1', 'c2', 'p1', 'p2', 'l1', 'T1', 't1', 't3'],
    ...['-transaction t0', '-category c0'],
  ]);
  const based = await cursorAt(5, 14);
  t.deepEqual((await read(`&cursor=${based}`)).body.deleted, [{ kind: 'category', id: 'c0' }]);
});

test('limit counts tombstones too; a page whose tombstones all live again may be empty', async t => {
  const first = await read(`&limit=1&cursor=${await cursorAt(5)}`);
  t.deepEqual(idsOf(first.body), []);
  t.true(first.body.has_more);
  const second = await read(`&limit=3&cursor=${encodeURIComponent(first.body.cursor)}`);
  t.deepEqual(idsOf(second.body), ['p1', 'p2']);
  t.true(second.body.has_more);
});

test('an account that rows ahead of today concern is shown as of today', async t => {
  const { body } = await read(`&cursor=${await cursorAt(11)}`);
  t.like(body.accounts[0], { id: 'a1', balance: '-2.00', transactionCount: 3 });
});

test('nothing new: an empty page with the same cursor, and 304', async t => {
  const { body: whole } = await read('');
  const { status, headers, body } = await read(`&cursor=${whole.cursor}`);
  t.is(status, 200);
  t.deepEqual(idsOf(body), []);
  t.is(body.cursor, whole.cursor);
  t.false(body.has_more);
  const etag = headers.get('etag') ?? '';
  const again = await read(`&cursor=${whole.cursor}`, { 'if-none-match': etag });
  t.is(again.status, 304);
  t.is(again.headers.get('x-projection-position'), '20');
});

test('the ETag of one page never matches another page', async t => {
  const first = await read('&limit=2');
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  t.is((await read('&limit=2', headers)).status, 304);
  t.is((await read(`&limit=2&cursor=${first.body.cursor}`, headers)).status, 200);
  t.is((await read('&limit=3', headers)).status, 200);
});

test('a malformed cursor, one that is too long, or an empty one is 400 invalid_parameter', async t => {
  const good = await cursorAt(5);
  const altered = [
    good.slice(2),
    good.slice(0, -1),
    `${good}x`,
    `${good}${good}`,
    `1${good.slice(1)}`,
  ];
  for (const cursor of ['', 'x', ...altered, `${good}${'x'.repeat(200)}`, '%00']) {
    const { status, body } = await read(`&cursor=${cursor}`);
    t.is(status, 400, cursor);
    t.like(body.error, { code: 'invalid_parameter', param: 'cursor' });
    t.is(holdsTo('error', body), null);
  }
});

test("another budget's cursor is 400 invalid_parameter", async t => {
  const other = await served.api('/changes?budget_id=b2', { token });
  const { status, body } = await read(`&cursor=${other.body.cursor}`);
  t.is(status, 400);
  t.like(body.error, { code: 'invalid_parameter', param: 'cursor' });
  t.is(body.error.details.length, 1);
});

test('a cursor beyond the position (the log was reset) is 400, by its base and by its place', async t => {
  for (const cursor of [await cursorAt(21), await cursorAt(5, 21), await cursorAt(2147483647)]) {
    const { status, headers, body } = await read(`&cursor=${cursor}`);
    t.is(status, 400, cursor);
    t.like(body.error, { code: 'invalid_parameter', param: 'cursor' });
    t.is(headers.get('etag'), null);
    t.is(headers.get('x-projection-position'), null);
  }
  t.is((await read(`&cursor=${await cursorAt(20)}`)).status, 200);
});

test('a budget that was made again under its id refuses the cursors from before', async t => {
  await served.model.project('b3', budget('s1'), ...steps(4));
  const before = await served.api('/changes?budget_id=b3', { token });
  const createdAt = '2025-01-02T03:04:05.678Z';
  const { heads } = served.model.store.collections;
  await heads.updateOne({ _id: 'b3' }, { $set: { 'budget.createdAt': createdAt } });
  const { status, body } = await served.api(`/changes?budget_id=b3&cursor=${before.body.cursor}`, {
    token,
  });
  t.is(status, 400);
  t.is(body.error.param, 'cursor');
});

test('the order of checks: scopes, parameters, the budget, then whose cursor it is', async t => {
  const few = await served.issue('anna', { scopes: ['payees:read', 'months:read'] }, NOW);
  const refused = await served.api('/changes?colour=1', { token: few });
  t.is(refused.status, 403);
  const missing = ['accounts:read', 'transactions:read', 'categories:read', 'labels:read'];
  t.is(refused.body.error.message, `The token lacks the scopes ${missing.join(', ')}`);
  t.is(
    refused.headers.get('www-authenticate'),
    `Bearer realm="budgeting", error="insufficient_scope", scope="${missing.join(' ')}"`,
  );
  const cursor = await cursorAt(21);
  const code = async (query: string, asked = token) =>
    (await served.api(`/changes?${query}`, { token: asked })).body.error.code;
  t.is(await code('budget_id=nowhere&cursor=x'), 'invalid_parameter');
  t.is(await code(`budget_id=nowhere&cursor=${cursor}`), 'not_found');
  const narrowed = await served.issue('anna', { budgets: ['b2'] }, NOW);
  t.is(await code(`budget_id=b1&cursor=${cursor}`, narrowed), 'budget_not_allowed');
  t.is(await code('cursor=x&limit=0&x=1'), 'invalid_parameter');
});

test('waiting for a position, and HEAD, as everywhere', async t => {
  const late = await read('', { 'x-projection-wait-for': '21', 'x-projection-wait-seconds': '0' });
  t.is(late.status, 503);
  t.is((await read('', { 'x-projection-wait-for': '20' })).status, 200);
  const plain = { 'accept-encoding': 'identity' };
  const got = await read('', plain);
  const head = await served.api('/changes?budget_id=b1', {
    token,
    method: 'HEAD',
    headers: plain,
  });
  t.is(head.text, '');
  t.is(head.headers.get('etag'), got.headers.get('etag'));
  t.is(head.headers.get('content-length'), String(Buffer.byteLength(got.text)));
});

test.serial('a generation of version 2 answers 503 with Retry-After, and only here', async t => {
  const before = await createReadModel(served.db, 2);
  await before.project('s1', ...space(['anna']));
  await before.project('b1', ...EVENTS);
  await before.activate();
  for (const headers of [{}, { 'if-none-match': '*' }]) {
    const { status, headers: sent, body } = await read('', headers);
    t.is(status, 503);
    t.is(body.error.code, 'unavailable');
    t.regex(sent.get('retry-after') ?? '', /^[1-9]\d*$/);
  }
  t.is((await served.api('/payees?budget_id=b1', { token })).status, 200);
  await served.model.activate();
  t.is((await read('')).status, 200);
});
