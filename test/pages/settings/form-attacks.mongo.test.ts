// Forms of the settings pages that must be refused, changing nothing and disclosing nothing.
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { people, unchanged } from './people.ts';
import { type Scene, startScene } from './settings-scene.ts';
import { createVisitor, type Fields, PLAIN } from './visitor.ts';

const CREATE = '/settings/tokens';

const mongo = useMongo(test);
let scene: Scene;
let signedIn: ReturnType<typeof people>;
test.before(async () => {
  scene = await startScene(mongo, { readers: 2 });
  signedIn = people(scene);
});
mongo.beforeStop(async () => {
  await scene?.stop();
});

test('attack: a form of another site is refused, whatever it knows', async t => {
  const { user, visitor } = await signedIn();
  const { record } = await scene.tokens.issue({ owner: user }, new Date());
  const form = await visitor.newForm();
  const key = { form_key: form.form_key };
  const link = new URL(await scene.signInLink(user)).searchParams.get('link') ?? '';
  const forms: [string, Fields][] = [
    [CREATE, { ...PLAIN, ...form }],
    [`${CREATE}/${record.id}/revoke`, key],
    ['/settings/sign-out', key],
    ['/settings/sign-out-everywhere', key],
    ['/settings/sign-in', { link }],
  ];
  const senders = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: undefined },
    { origin: `${scene.origin}.evil.example` },
    { origin: scene.origin.replace('http:', 'https:') },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: undefined, 'sec-fetch-site': undefined, referer: `${scene.origin}/settings/tokens` },
  ];
  for (const [path, fields] of forms) {
    for (const sender of senders) {
      const answer = await visitor.post(path, fields, sender);
      t.is(answer.status, 403, `${path} ${JSON.stringify(sender)}`);
    }
  }
  await unchanged(t, scene, { user, count: 1 });
  t.is((await visitor.get(CREATE)).status, 200, 'still signed in');
  t.is(await scene.links.find(link, new Date()), user, 'the link is not used up');
});

test('attack: a form without the key of its session is refused', async t => {
  const { user, visitor } = await signedIn();
  const { record } = await scene.tokens.issue({ owner: user }, new Date());
  const other = await (await signedIn()).visitor.newForm();
  const otherBrowser = createVisitor(scene.origin);
  await otherBrowser.signIn(await scene.signInLink(user));
  const ownOther = await otherBrowser.newForm();
  const { form_number } = await visitor.newForm();
  const bad: [Record<string, string>, number][] = [
    [{}, 400],
    [{ form_key: '' }, 403],
    [{ form_key: 'x'.repeat(43) }, 403],
    [{ form_key: other.form_key }, 403],
    [{ form_key: ownOther.form_key }, 403],
  ];
  for (const [key, status] of bad) {
    const created = await visitor.post(CREATE, { ...PLAIN, form_number, ...key });
    t.is(created.status, status);
    t.is((await visitor.post(`${CREATE}/${record.id}/revoke`, key)).status, status);
    t.is((await visitor.post('/settings/sign-out', key)).status, status);
    t.is((await visitor.post('/settings/sign-out-everywhere', key)).status, status);
  }
  await unchanged(t, scene, { user, count: 1 });
});

test('attack: forms that no page of ours sends are refused whole', async t => {
  const { user, visitor } = await signedIn();
  const form = await visitor.newForm();
  const good = new URLSearchParams({ ...PLAIN, ...form }).toString();
  const bodies: [string, number][] = [
    ['', 400],
    ['%', 400],
    [good.replace('Sheet', '%ff%fe'), 400],
    [good.replace('Sheet', 'é'), 400],
    [`${good}&more=1`, 400],
    [good.replace(form.form_number, ''), 400],
    [good.replace(form.form_number, 'x'.repeat(100_000)), 400],
    [`${good}&name=Twice`, 400],
    [`${good}&__proto__[x]=1`, 400],
    [`${good}&scope[]=labels:read`, 400],
    [`${good}&owner=bert`, 400],
    [good.replace('days=365', 'days=366'), 400],
    [good.replace('days=365', 'days=0'), 400],
    [good.replace('access=all', 'access=both'), 400],
    [`${good}&scope=labels%3Awrite`, 400],
    [good.replace('name=Sheet', 'name[a]=Sheet'), 400],
    [good + '&budget=b'.repeat(2000), 400],
    [good + '&budget=b'.repeat(30_000), 413],
    [`name=${'x'.repeat(1_000_000)}`, 413],
  ];
  for (const [body, status] of bodies) {
    const answer = await visitor.post(CREATE, body);
    t.is(answer.status, status, body.slice(0, 300));
    t.regex(answer.headers['content-type'] ?? '', /^text\/html/);
    t.false(answer.text.includes(form.form_key) && status !== 422);
  }
  for (const headers of [
    { 'content-type': 'application/json' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'text/plain' },
    { 'content-type': undefined },
    { 'content-encoding': 'gzip' },
  ]) {
    t.is((await visitor.post(CREATE, good, headers)).status, 415, JSON.stringify(headers));
  }
  await unchanged(t, scene, { user, count: 0 });
  t.notRegex(scene.logged(), new RegExp(form.form_key));
  t.is((await visitor.post(CREATE, good)).status, 200, 'the same form, as it should be');
});

test('attack: a form of a thousand budgets is read whole', async t => {
  const { visitor } = await signedIn();
  const budget = Array.from({ length: 1000 }, (_, index) => `${'b'.repeat(120)}-${index}`);
  const fields = { ...PLAIN, ...(await visitor.newForm()), reach: 'picked', budget };
  const answer = await visitor.post(CREATE, fields);
  t.is(answer.status, 422);
  t.regex(answer.text, /not among yours/);
});

test('attack: a form before the sign-in is small, or refused unread', async t => {
  const visitor = createVisitor(scene.origin);
  t.is((await visitor.post('/settings/sign-in', `link=${'x'.repeat(5000)}`)).status, 413);
  t.is((await visitor.post('/settings/sign-in', { link: ['a', 'b'] })).status, 400);
  const answer = await visitor.post(CREATE, `name=${'x'.repeat(1_000_000)}`);
  t.is(answer.location, '/settings/sign-in?notice=ended');
});

test("attack: another user's token is not there", async t => {
  const { visitor } = await signedIn();
  const { record } = await scene.tokens.issue({ owner: 'victim', name: 'Hidden' }, new Date());
  const key = { form_key: (await visitor.newForm()).form_key };
  const withoutId = (text: string) => text.replaceAll(/[0-9a-f-]{36}/g, '');
  for (const ask of [
    (id: string) => visitor.get(`${CREATE}/${id}/revoke`),
    (id: string) => visitor.post(`${CREATE}/${id}/revoke`, key),
  ]) {
    const theirs = await ask(record.id);
    const nobodys = await ask('2d0b9ff3-8ad6-4a5c-9f5d-2b1f1c1e7a10');
    t.is(theirs.status, 404);
    t.is(withoutId(theirs.text), withoutId(nobodys.text));
    t.deepEqual(Object.keys(theirs.headers), Object.keys(nobodys.headers));
  }
  t.is((await scene.tokens.list('victim'))[0]?.revokedAt, null);
  t.notRegex((await visitor.get(CREATE)).text, /Hidden/);
});
