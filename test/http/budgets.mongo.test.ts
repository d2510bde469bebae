// GET /budgets
import test from 'ava';
import { useMongo } from '../helpers/mongo.ts';
import { writeBudget, writeSpace } from '../read-store/write-model.ts';
import { holdsTo } from './contract.ts';
import { type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let served: Served;

test.before(async () => {
  served = await serve(mongo, 'http_budgets');
  await writeSpace(served.model, 's1', ['anna', 'ben'], { name: 'Home' });
  await writeSpace(served.model, 's2', ['anna'], { name: null });
  await writeSpace(served.model, 's3', ['carl']);
  await writeBudget(served.model, { id: 'b1', spaceId: 's1', name: 'beta', currency: 'EUR' });
  await writeBudget(served.model, { id: 'b2', spaceId: 's2', name: 'Alpha' });
  await writeBudget(served.model, { id: 'b3', spaceId: 's3', name: 'Foreign' });
  await writeBudget(served.model, { id: 'b4', spaceId: 's1', name: '\u{1F600} smile' });
  await writeBudget(served.model, { id: 'b5', spaceId: 's1', name: '\uFF41 wide' });
  await writeBudget(served.model, { id: 'b0', spaceId: 's2', name: 'ALPHA' });
  await writeBudget(served.model, { id: 'b6', spaceId: 's2', deleted: true });
  const archivedAt = '2024-05-06T07:08:09.010Z';
  await writeBudget(served.model, { id: 'b7', spaceId: 's1', name: 'old', archivedAt });
});

mongo.beforeStop(async () => {
  await served?.stop();
});

const ids = (body: { budgets: { id: string }[] }) => body.budgets.map(({ id }) => id);

test('GET /budgets: every budget this token may reach, by name key in code points, then id', async t => {
  const token = await served.issue('anna');
  const { status, headers, body } = await served.api('/budgets', { token });
  t.is(status, 200);
  t.is(holdsTo('budgets', body), null);
  t.deepEqual(ids(body), ['b0', 'b2', 'b1', 'b7', 'b5', 'b4']);
  t.is(headers.get('x-projection-position'), null);
  t.is(headers.get('content-type'), 'application/json; charset=utf-8');
});

test('Budget: spaceName is null where the space has none; archivedAt is null or a time', async t => {
  const { body } = await served.api('/budgets', { token: await served.issue('anna') });
  t.deepEqual(body.budgets[1], {
    id: 'b2',
    spaceId: 's2',
    spaceName: null,
    name: 'Alpha',
    currency: 'EUR',
    createdAt: '2024-01-02T03:04:05.678Z',
    archivedAt: null,
  });
  t.is(body.budgets[2].spaceName, 'Home');
  t.is(body.budgets[3].archivedAt, '2024-05-06T07:08:09.010Z');
});

test('A token narrowed to specific budgets sees only those', async t => {
  const token = await served.issue('anna', { budgets: ['b1', 'b3', 'nowhere'] });
  t.deepEqual(ids((await served.api('/budgets', { token })).body), ['b1']);
});

test('A user reaches the budgets of every space that the user is a member of, and no other', async t => {
  const ben = await served.api('/budgets', { token: await served.issue('ben') });
  t.deepEqual(ids(ben.body), ['b1', 'b7', 'b5', 'b4']);
  const nobody = await served.api('/budgets', { token: await served.issue('nobody') });
  t.deepEqual(nobody.body, { budgets: [] });
});

test('The ETag of /budgets comes from the positions of the spaces and their budgets, and the narrowing', async t => {
  await writeSpace(served.model, 's8', ['dora']);
  await writeBudget(served.model, { id: 'b8', spaceId: 's8' });
  const token = await served.issue('dora');
  const narrowed = await served.issue('dora', { budgets: ['b8'] });
  const tag = async (asker: string) =>
    (await served.api('/budgets', { token: asker })).headers.get('etag') ?? '';
  const first = await tag(token);
  t.regex(first, /^W\/"[\w-]{22}"$/);
  t.is(await tag(token), first);
  t.not(await tag(narrowed), first);
  const again = await served.api('/budgets', { token, headers: { 'if-none-match': first } });
  t.is(again.status, 304);
  t.is(again.text, '');
  await served.model.heads.updateOne({ _id: 'b8' }, { $set: { sequence: 2 } });
  const second = await tag(token);
  t.not(second, first);
  await writeSpace(served.model, 's8', ['dora'], { sequence: 2, name: 'renamed' });
  t.not(await tag(token), second);
});

test('X-Projection-Wait-For and -Wait-Seconds are ignored on /budgets', async t => {
  const headers = { 'X-Projection-Wait-For': 'junk', 'X-Projection-Wait-Seconds': '-1' };
  const { status } = await served.api('/budgets', { token: await served.issue('anna'), headers });
  t.is(status, 200);
});
