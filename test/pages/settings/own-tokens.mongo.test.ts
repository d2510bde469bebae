// What people see of their budgets and of the past of their tokens, and how they sign out in all browsers.
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { budget, space } from '../../model/scene.ts';
import { people } from './people.ts';
import { projectSpaces, type Scene, startScene } from './settings-scene.ts';
import { createVisitor, hidden, PLAIN } from './visitor.ts';

const LIST = '/settings/tokens';

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

/** The text of a page without its tags. */
function plain(text: string): string {
  return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

test('the ids of all own budgets are shown, in the list and in the form', async t => {
  const { visitor } = await signedIn('anna');
  for (const path of [LIST, `${LIST}/new`]) {
    const { text } = await visitor.get(path);
    for (const id of ['b-food', 'b-trips', 'b-club']) t.regex(text, new RegExp(`>${id}</code>`));
    t.notRegex(text, /b-office/);
  }
  t.regex((await visitor.get(LIST)).text, /<code id="budget-2">b-food<\/code>/);
});

test('a budget that was reached once differs from an id that never was one', async t => {
  const { user, visitor } = await signedIn();
  await scene.model.project('s-lost', ...space([user], 'Lost'));
  await scene.model.project('b-lost', budget('s-lost', 'Lost'));
  const made = { ...PLAIN, reach: 'picked', budget: 'b-lost', ...(await visitor.newForm()) };
  t.is((await visitor.post(LIST, made)).status, 200);
  await scene.tokens.issue({ owner: user, budgets: ['b-nothing', 'b-office'] }, new Date());
  t.notRegex(plain((await visitor.get(LIST)).text), /b-lost not within your reach/);
  const [lost] = (await scene.tokens.list(user)).map(({ id }) => id);
  t.truthy(lost);
  await scene.readModel.collection('g1_heads').deleteOne({ _id: 'b-lost' as never });
  const text = plain((await visitor.get(LIST)).text);
  t.regex(text, /b-lost not within your reach any more/);
  t.regex(text, /b-nothing you have no budget with this id/);
  t.regex(text, /b-office you have no budget with this id/, "somebody else's looks the same");
});

test('the history says who made, used and revoked a token, and when', async t => {
  const { user, visitor } = await signedIn();
  t.regex(plain((await visitor.get(LIST)).text), /Nothing has happened yet/);
  await visitor.post(LIST, { ...PLAIN, name: 'By hand', ...(await visitor.newForm()) });
  const [own] = await scene.tokens.list(user);
  if (own === undefined) return t.fail('no token');
  const at = (iso: string) => new Date(iso);
  const given = await scene.tokens.issue(
    { owner: user, name: 'Given' },
    at('2026-01-02T03:04:05Z'),
  );
  await scene.tokens.touch(given.record, at('2026-02-03T04:05:06Z'));
  await scene.tokens.revoke(given.record.id, at('2026-03-04T05:06:07Z'));
  const key = { form_key: hidden(await visitor.get(`${LIST}/${own.id}/revoke`), 'form_key') };
  await visitor.post(`${LIST}/${own.id}/revoke`, key);
  const { text } = await visitor.get(LIST);
  const rows = [...text.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) => plain(row).trim());
  const dayOf = (row: string) => row.replace(/^\d.*? UTC /, '');
  t.deepEqual(rows.slice(1, 3).map(dayOf), [
    `Revoked By hand , ending in ${own.last4} You, on this page`,
    `Made By hand , ending in ${own.last4} You, on this page`,
  ]);
  const token = `Given , ending in ${given.record.last4}`;
  t.deepEqual(rows.slice(3), [
    `4 Mar 2026, 05:06 UTC Revoked ${token} An operator, by a command`,
    `3 Feb 2026, 04:05 UTC Last used ${token} A program with the token`,
    `2 Jan 2026, 03:04 UTC Made ${token} An operator, by a command`,
  ]);
  const { visitor: other } = await signedIn();
  t.notRegex((await other.get(LIST)).text, /By hand|Given/);
});

test('at most 100 lines of the history are shown, and the number of the others', async t => {
  const { user, visitor } = await signedIn();
  for (let count = 0; count < 60; count += 1) {
    const { record } = await scene.tokens.issue({ owner: user }, new Date());
    await scene.tokens.revoke(record.id, new Date());
  }
  const { text } = await visitor.get(LIST);
  t.is(text.match(/<tr>/g)?.length, 101);
  t.regex(text, /20 older ones are not shown/);
});

test('signing out everywhere refuses every other browser at once, and no token', async t => {
  const { user, visitor } = await signedIn();
  const otherBrowser = createVisitor(scene.origin);
  await otherBrowser.signIn(await scene.signInLink(user));
  const form = await otherBrowser.newForm();
  const { visitor: bert } = await signedIn();
  const { token } = await scene.tokens.issue({ owner: user }, new Date());
  const page = await visitor.get(LIST);
  t.regex(page.text, /action="\/settings\/sign-out-everywhere"/);
  const done = await visitor.post('/settings/sign-out-everywhere', {
    form_key: hidden(page, 'form_key'),
  });
  t.is(done.location, '/settings/sign-in?notice=signed-out-everywhere');
  t.regex((await visitor.get(done.location)).text, /signed out in every browser/);
  const sent = await otherBrowser.post(LIST, { ...PLAIN, ...form });
  t.is(sent.location, '/settings/sign-in?notice=ended');
  for (const one of [visitor, otherBrowser]) {
    t.regex((await one.get(LIST)).location, /^\/settings\/sign-in/);
  }
  t.is((await scene.tokens.list(user)).length, 1, 'that form made no token');
  t.is((await scene.tokens.find(token))?.revokedAt, null);
  t.is((await bert.get(LIST)).status, 200);
});
