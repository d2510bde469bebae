// GET /budgets
import { test } from '../helpers/file-test.ts';
import { budget, space, steps } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

const CREATED_AT = '2024-01-02T03:04:05.678Z';
const ARCHIVED_AT = '2024-05-06T07:08:09.010Z';

const served = useServed(test, { name: 'http_budgets' }, async () => {
  const { project } = served.model;
  await project('s1', ...space(['anna', 'ben'], 'Home'));
  await project('s2', ...space(['anna'], null));
  await project('s3', ...space(['carl']));
  await project('b1', budget('s1', 'beta'));
  await project('b2', { ...budget('s2', 'Alpha'), time: CREATED_AT });
  await project('b3', budget('s3', 'Foreign'));
  await project('b4', budget('s1', '\u{1F600} smile'));
  await project('b5', budget('s1', '\uFF41 wide'));
  await project('b0', budget('s2', 'ALPHA'));
  await project('b6', budget('s2'), { type: 'budget.deleted', data: {} });
  const archived = {
    type: 'budget.archived',
    data: { successorBudgetId: null },
    time: ARCHIVED_AT,
  } as const;
  await project('b7', budget('s1', 'old'), archived);
});

const ids = (body: { budgets: { id: string }[] }) => body.budgets.map(({ id }) => id);

test('GET /budgets: every budget that the token may reach, by name key in code points, then id', async t => {
  const token = await served.issue('anna');
  const { status, headers, body } = await served.api('/budgets', { token });
  t.is(status, 200);
  t.is(holdsTo('budgets', body), null);
  t.deepEqual(ids(body), ['b0', 'b2', 'b1', 'b7', 'b5', 'b4']);
  t.is(headers.get('x-projection-position'), null);
  t.is(headers.get('content-type'), 'application/json; charset=utf-8');
});

test('Budget: spaceName is null if the space has no name; archivedAt is null or a time', async t => {
  const { body } = await served.api('/budgets', { token: await served.issue('anna') });
  t.deepEqual(body.budgets[1], {
    id: 'b2',
    spaceId: 's2',
    spaceName: null,
    name: 'Alpha',
    currency: 'EUR',
    createdAt: CREATED_AT,
    archivedAt: null,
  });
  t.is(body.budgets[2].spaceName, 'Home');
  t.is(body.budgets[3].archivedAt, ARCHIVED_AT);
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
  const { project } = served.model;
  await project('s8', ...space(['dora']));
  await project('b8', budget('s8'));
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
  await project('b8', ...steps(1));
  const second = await tag(token);
  t.not(second, first);
  await project('s8', { type: 'space.renamed', data: { name: 'renamed' } });
  t.not(await tag(token), second);
});

test('X-Projection-Wait-For and -Wait-Seconds are ignored on /budgets', async t => {
  const headers = { 'X-Projection-Wait-For': 'junk', 'X-Projection-Wait-Seconds': '-1' };
  const { status } = await served.api('/budgets', { token: await served.issue('anna'), headers });
  t.is(status, 200);
});
