// Forms of the settings pages: the tokens that they create.
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { people, unchanged } from './people.ts';
import { projectSpaces, type Scene, startScene } from './settings-scene.ts';
import { type Fields, hidden, PLAIN, shownToken, type Visitor } from './visitor.ts';

const CREATE = '/settings/tokens';

const mongo = useMongo(test);
let scene: Scene;
let signedIn: ReturnType<typeof people>;
test.before(async () => {
  scene = await startScene(mongo, { readers: 2 });
  await projectSpaces(scene);
  signedIn = people(scene);
});
mongo.beforeStop(async () => {
  await scene?.stop();
});

async function issued(
  owner: string,
  count: number,
  { at, expiresInDays = 0 }: { readonly at: Date; readonly expiresInDays?: number },
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await scene.tokens.issue({ owner, expiresInDays }, at);
  }
}

test('a form that is sent twice creates one token, also at the same time over two readers', async t => {
  const { user, visitor } = await signedIn();
  const fields = { ...PLAIN, ...(await visitor.newForm()) };
  const answers = await Promise.all([1, 2, 3, 4].map(() => visitor.post(CREATE, fields)));
  t.deepEqual(answers.map(({ status }) => status).sort(), [200, 303, 303, 303]);
  t.is(answers.filter(answer => shownToken(answer) !== null).length, 1);
  const again = await visitor.post(CREATE, fields);
  t.is(again.location, '/settings/tokens?notice=repeated');
  t.is(shownToken(await visitor.get(again.location)), null);
  await unchanged(t, scene, { user, count: 1 });
});

test('a token has the properties that the form gives', async t => {
  const { visitor } = await signedIn('anna');
  const picked = { access: 'picked', scope: ['months:read', 'accounts:read'] };
  const reach = { reach: 'picked', budget: ['b-trips', 'b-club'] };
  const fields = { name: 'Two of three', days: '7', ...picked, ...reach };
  const answer = await visitor.post(CREATE, { ...fields, ...(await visitor.newForm()) });
  t.is(answer.status, 200);
  t.regex(answer.text, /\/api\/v1\/accounts\?budget_id=b-trips/);
  const value = shownToken(answer) ?? '';
  const token = await scene.tokens.find(value);
  t.is(token?.owner, 'anna');
  t.is(token?.name, 'Two of three');
  t.deepEqual(token?.scopes, ['accounts:read', 'months:read']);
  t.deepEqual(token?.budgets, ['b-trips', 'b-club']);
  t.is((token?.expiresAt.getTime() ?? 0) - (token?.createdAt.getTime() ?? 0), 7 * 86_400_000);
  const list = await visitor.get(CREATE);
  for (const text of [
    'Accounts and balances, Budget months and envelopes',
    'Trips',
    'in Club',
    value.slice(-4),
  ]) {
    t.true(list.text.includes(text), text);
  }
  t.false(list.text.includes(value));
  t.false(scene.logged().includes(value));
});

test('a refused form names its mistakes and keeps the entered values', async t => {
  const { user, visitor } = await signedIn();
  const { visitor: anna } = await signedIn('anna');
  const cases: [typeof visitor, Fields, RegExp][] = [
    [visitor, { name: '' }, /Enter a name/],
    [visitor, { name: ' ' }, /Enter a name/],
    [visitor, { name: 'x'.repeat(101) }, /Enter a name/],
    [visitor, { name: 'two\nlines' }, /Enter a name/],
    [visitor, { access: 'picked' }, /Tick at least one/],
    [visitor, { scope: 'labels:read' }, /untick all of them/],
    [visitor, { reach: 'picked' }, /Tick at least one/],
    [visitor, { reach: 'picked', budget: 'b-office' }, /not among yours/],
    [anna, { reach: 'picked', budget: ['b-food', 'b-office'] }, /not among yours/],
    [anna, { reach: 'picked', budget: 'unknown' }, /not among yours/],
    [anna, { budget: 'b-food' }, /untick all of them/],
  ];
  for (const [who, change, expected] of cases) {
    const answer = await who.post(CREATE, { ...PLAIN, ...(await who.newForm()), ...change });
    t.is(answer.status, 422, JSON.stringify(change));
    t.regex(answer.text, expected);
    t.regex(answer.text, /<title>Error: Create a token/);
    t.regex(answer.text, /role="alert"/);
    t.is(shownToken(answer), null);
  }
  const kept = await anna.post(CREATE, {
    ...{ name: 'Kept', access: 'picked', days: '90', reach: 'picked', budget: 'b-food' },
    ...(await anna.newForm()),
  });
  t.regex(kept.text, /value="Kept"/);
  t.regex(kept.text, /value="b-food" checked/);
  t.regex(kept.text, /value="90" selected/);
  await unchanged(t, scene, { user, count: 0 });
});

test('a user has at most 100 active tokens', async t => {
  const { user, visitor } = await signedIn();
  for (let count = 0; count < 100; count += 1)
    await scene.tokens.issue({ owner: user }, new Date());
  const fields = { ...PLAIN, ...(await visitor.newForm()) };
  const answer = await visitor.post(CREATE, fields);
  t.is(answer.status, 422);
  t.regex(answer.text, /You have 100 tokens/);
  const [first] = await scene.tokens.list(user);
  await scene.tokens.revoke(first?.id ?? '', new Date());
  t.is((await visitor.post(CREATE, fields)).status, 200);
});

test('a form that revokes a token again changes nothing, and leaves no second audit line', async t => {
  const { user, visitor } = await signedIn();
  const { record } = await scene.tokens.issue({ owner: user }, new Date());
  const path = `/settings/tokens/${record.id}/revoke`;
  const form = { form_key: hidden(await visitor.get(path), 'form_key') };
  for (let count = 0; count < 2; count += 1) {
    const { status, location } = await visitor.post(path, form);
    t.deepEqual([status, location], [303, '/settings/tokens?notice=revoked']);
  }
  const lines: Record<string, unknown>[] = JSON.parse(scene.logged());
  const noted = lines.filter(({ audit, by }) => audit === 'token revoked' && by === user);
  t.is(noted.length, 1);
});

test('a user creates at most 200 tokens within a day', async t => {
  const { user, visitor } = await signedIn();
  await issued(user, 50, { at: new Date(Date.now() - 86_400_000) });
  await issued(user, 199, { at: new Date() });
  const first = await visitor.post(CREATE, { ...PLAIN, ...(await visitor.newForm()) });
  t.is(first.status, 200);
  const second = await visitor.post(CREATE, { ...PLAIN, ...(await visitor.newForm()) });
  t.is(second.status, 422);
  t.regex(second.text, /You made 200 tokens within a day/);
  t.regex((await visitor.get(CREATE)).text, /Others are not listed/);
});

/**
 * Sends so many forms at one time, and returns the number of tokens that the pages show. Those that a busy database kept
 * waiting for too long are sent again, as their pages ask for.
 */
async function sendTogether(visitor: Visitor, count: number): Promise<number> {
  const forms: Fields[] = [];
  for (let index = 0; index < count; index += 1) {
    forms.push({ ...PLAIN, ...(await visitor.newForm()) });
  }
  const answers = await Promise.all(forms.map(form => visitor.post(CREATE, form)));
  const shown = answers.filter(answer => shownToken(answer) !== null).length;
  const late = answers.filter(({ status }) => status === 503).length;
  return late === 0 ? shown : shown + (await sendTogether(visitor, late));
}

test('forms that are sent at one time make no more than 100 active tokens', async t => {
  const { user, visitor } = await signedIn();
  await issued(user, 90, { at: new Date(), expiresInDays: 1 });
  t.is(await sendTogether(visitor, 40), 10);
  await unchanged(t, scene, { user, count: 100 });
});

test('forms that are sent at one time make no more than 200 tokens within a day', async t => {
  const { user, visitor } = await signedIn();
  await issued(user, 190, { at: new Date() });
  t.is(await sendTogether(visitor, 40), 10);
  await unchanged(t, scene, { user, count: 200 });
});

test('the owner revokes a token; a second revocation changes nothing', async t => {
  const { user, visitor } = await signedIn();
  const { record, token } = await scene.tokens.issue({ owner: user, name: 'Mine' }, new Date());
  const page = await visitor.get(`${CREATE}/${record.id}/revoke`);
  t.regex(page.text, /Mine/);
  t.is((await scene.tokens.find(token))?.revokedAt, null, 'looking revokes nothing');
  const key = { form_key: hidden(page, 'form_key') };
  for (let times = 0; times < 2; times += 1) {
    const { location } = await visitor.post(`${CREATE}/${record.id}/revoke`, key);
    t.is(location, '/settings/tokens?notice=revoked');
  }
  t.true((await scene.tokens.find(token))?.revokedAt instanceof Date);
  t.is((await visitor.get(`${CREATE}/${record.id}/revoke`)).status, 303);
});
