// Signing in by one-time links, and the sessions that begin so.
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { withinOneMinute } from '../../helpers/within-one-minute.ts';
import { type Scene, startScene } from './settings-scene.ts';
import { createVisitor, hidden, PLAIN } from './visitor.ts';

const TOKENS = '/settings/tokens';
const SIGN_IN = '/settings/sign-in';

const mongo = useMongo(test);
let scene: Scene;
test.before(async () => {
  scene = await startScene(mongo, { readers: 2 });
});
mongo.beforeStop(async () => {
  await scene?.stop();
});

const pathOf = (link: string) => link.slice(scene.origin.length);
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000);

test('a link signs in once; looking at it uses nothing up', async t => {
  const visitor = createVisitor(scene.origin);
  const link = await scene.signInLink('anna');
  for (const method of ['GET', 'HEAD', 'GET']) {
    t.is((await visitor.send(method, pathOf(link))).status, 200);
    t.is(visitor.jar.size, 0);
  }
  const page = await visitor.get(pathOf(link));
  t.regex(page.text, /signs you in as <strong><bdi>anna<\/bdi><\/strong>/);
  const used = await visitor.post(SIGN_IN, { link: hidden(page, 'link') });
  t.is(used.status, 303);
  t.is(used.location, TOKENS);
  t.regex(
    String(used.headers['set-cookie']),
    /^budgeting-session=[\w-]{43}; Path=\/settings; HttpOnly; SameSite=Strict$/,
  );
  t.regex((await visitor.get(TOKENS)).text, /Signed in as <bdi>anna<\/bdi>/);
});

test('attack: a link is refused when it was used, is too old, or was made up, all in the same words', async t => {
  const visitor = createVisitor(scene.origin);
  const used = await scene.signInLink('anna');
  await createVisitor(scene.origin).signIn(used);
  const old = await scene.links.create('anna', later(-15));
  const known = await scene.signInLink('anna');
  const cut = known.slice(0, -1);
  const links = [used, `${scene.origin}${SIGN_IN}?link=${old}`, cut, `${known}x`].map(
    link => new URL(link).searchParams.get('link') ?? '',
  );
  const answers = [];
  for (const link of [...links, '', '<script>', '%00', 'x'.repeat(43)]) {
    const shown = await visitor.get(`${SIGN_IN}?link=${encodeURIComponent(link)}`);
    const posted = await visitor.post(SIGN_IN, { link });
    answers.push(...[shown, posted].map(({ status, text }) => `${status} ${text}`));
  }
  t.is(new Set(answers).size, 1);
  t.regex(answers[0] ?? '', /^403 .*Link not valid/s);
  t.is(visitor.jar.size, 0);
});

test('attack: a link that two use at once signs in one of them', async t => {
  const link = new URL(await scene.signInLink('anna')).searchParams.get('link') ?? '';
  const visitors = [1, 2, 3, 4].map(() => createVisitor(scene.origin));
  const answers = await Promise.all(visitors.map(visitor => visitor.post(SIGN_IN, { link })));
  t.deepEqual(answers.map(({ status }) => status).sort(), [303, 403, 403, 403]);
  t.is(visitors.filter(({ jar }) => jar.size > 0).length, 1);
});

test('attack: a session that was planted is worth nothing', async t => {
  const attacker = createVisitor(scene.origin);
  await attacker.signIn(await scene.signInLink('mallory'));
  const planted = attacker.jar.get('budgeting-session') ?? '';
  const victim = createVisitor(scene.origin);
  for (const id of [planted, 'A'.repeat(43), 'short', '"; x']) {
    victim.jar.set('budgeting-session', id);
    await victim.signIn(await scene.signInLink('anna'));
    t.not(victim.jar.get('budgeting-session'), id);
    t.regex((await victim.get(TOKENS)).text, /Signed in as <bdi>anna<\/bdi>/);
  }
  t.is((await attacker.get(TOKENS)).status, 303, 'the planted session ended with the sign-in');
});

test('each sign-in begins a session of its own, and ends the one before', async t => {
  const visitor = createVisitor(scene.origin);
  await visitor.signIn(await scene.signInLink('anna'));
  const first = visitor.jar.get('budgeting-session') ?? '';
  await visitor.signIn(await scene.signInLink('anna'));
  t.not(visitor.jar.get('budgeting-session'), first);
  t.is(await scene.sessions.find(first, new Date()), null);
});

test('signing out ends the session for every reader, also for who kept the cookie', async t => {
  const visitor = createVisitor(scene.origin);
  await visitor.signIn(await scene.signInLink('anna'));
  const kept = new Map(visitor.jar);
  const { form_key } = await visitor.newForm();
  const answer = await visitor.post('/settings/sign-out', { form_key });
  t.is(answer.location, `${SIGN_IN}?notice=signed-out`);
  t.is(visitor.jar.size, 0);
  for (const [name, value] of kept) visitor.jar.set(name, value);
  for (let times = 0; times < 2; times += 1) t.is((await visitor.get(TOKENS)).status, 303);
});

test('a session ends when it is idle, or too old; a form of it changes nothing then', async t => {
  const idle = createVisitor(scene.origin);
  const old = createVisitor(scene.origin);
  idle.jar.set('budgeting-session', await scene.sessions.begin('idle', later(-61)));
  const oldId = await scene.sessions.begin('old', later(-12 * 60 - 1));
  for (let minutes = 12 * 60; minutes > 0; minutes -= 50) {
    await scene.sessions.find(oldId, later(-minutes));
  }
  old.jar.set('budgeting-session', oldId);
  for (const visitor of [idle, old]) {
    const posted = await visitor.post(TOKENS, { ...PLAIN, form_key: 'x', form_number: 'y' });
    t.is(posted.location, `${SIGN_IN}?notice=ended`);
    t.is(visitor.jar.size, 0, 'the cookie is taken back');
    t.regex((await visitor.get(posted.location)).text, /Nothing was changed/);
  }
  t.deepEqual(await scene.tokens.list('idle'), []);
  t.deepEqual(await scene.tokens.list('old'), []);
});

for (const path of ['/settings/sign-out', '/settings/sign-out-everywhere']) {
  test(`a form that is sent after another tab signed out leads to the notice: ${path}`, async t => {
    const visitor = createVisitor(scene.origin);
    await visitor.signIn(await scene.signInLink('two-tabs'));
    const form = await visitor.newForm();
    const { form_key } = form;
    await visitor.post(path, { form_key });
    t.is(visitor.jar.size, 0);
    for (const [form_path, fields] of [
      [TOKENS, { ...PLAIN, ...form }],
      [path, { form_key }],
    ] as const) {
      const posted = await visitor.post(form_path, fields);
      t.is(posted.location, `${SIGN_IN}?notice=ended`);
      t.regex((await visitor.get(posted.location)).text, /Nothing was changed/);
    }
    t.deepEqual(await scene.tokens.list('two-tabs'), []);
    t.is((await visitor.get(TOKENS)).location, SIGN_IN, 'a page alone needs no notice');
  });
}

test('where another site leads here, the browser is asked once more, since it keeps the cookie back', async t => {
  const visitor = createVisitor(scene.origin);
  const answer = await visitor.get(TOKENS, { 'sec-fetch-site': 'cross-site' });
  t.is(answer.status, 200);
  t.regex(answer.text, /content="0;url=\/settings\/tokens"/);
  t.is((await visitor.get(TOKENS, { 'sec-fetch-site': 'same-origin' })).location, SIGN_IN);
});

test('attempts to sign in count for their address; pages of who is signed in do not', async t => {
  const start = async () => {
    const limited = await startScene(mongo, { env: () => ({ RATE_LIMIT_IP_PER_MINUTE: '8' }) });
    t.teardown(() => limited.stop());
    return limited;
  };
  const link = 'x'.repeat(43);
  const { pages, attempts, others } = await withinOneMinute(start, async limited => {
    const visitor = createVisitor(limited.origin);
    await visitor.signIn(await limited.signInLink('anna'));
    const pages = [];
    for (let times = 0; times < 20; times += 1) pages.push(await visitor.get(TOKENS));
    const attempts = [];
    for (let times = 0; times < 10; times += 1)
      attempts.push(await visitor.post(SIGN_IN, { link }));
    const others = {
      link: (await visitor.get(`${SIGN_IN}?link=${link}`)).status,
      tokens: (await visitor.get(TOKENS)).status,
      api: (await fetch(`${limited.origin}/api/v1/budgets`)).status,
    };
    return { pages, attempts, others };
  });
  t.true(pages.every(({ status }) => status === 200));
  const statuses = attempts.map(({ status }) => status);
  t.deepEqual(statuses, [...Array(6).fill(403), ...Array(4).fill(429)]);
  for (const { status, headers } of attempts) {
    t.false(Object.keys(headers).some(name => name.startsWith('x-ratelimit')));
    t.is('retry-after' in headers, status === 429);
  }
  t.deepEqual(others, { link: 429, tokens: 200, api: 429 }, 'the API has the same window');
});

test('under HTTPS the cookie is Secure and bound to its host', async t => {
  const secure = await startScene(mongo, {
    env: () => ({ PUBLIC_URL: 'https://budgeting.example' }),
  });
  t.teardown(() => secure.stop());
  const visitor = createVisitor(secure.origin);
  const link = await secure.links.create('anna', new Date());
  t.is((await visitor.post(SIGN_IN, { link })).status, 403, 'the origin is the configured one');
  const answer = await visitor.post(SIGN_IN, { link }, { origin: 'https://budgeting.example' });
  t.regex(
    String(answer.headers['set-cookie']),
    /^__Host-budgeting-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  t.is(answer.location, TOKENS);
  t.is((await visitor.get(TOKENS)).status, 200);
});

test('without PUBLIC_URL a form comes from the host that was asked for', async t => {
  const plain = await startScene(mongo, { env: () => ({ PUBLIC_URL: '' }) });
  t.teardown(() => plain.stop());
  const visitor = createVisitor(plain.origin);
  const link = await plain.links.create('anna', new Date());
  const evil = { origin: 'http://evil.example' };
  t.is((await visitor.post(SIGN_IN, { link }, evil)).status, 403);
  t.is((await visitor.post(SIGN_IN, { link })).status, 303);
});
