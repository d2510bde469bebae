// Signing in by OpenID Connect, against a real issuer.
import { MongoClient } from 'mongodb';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { visitIssuer } from './issuer-visit.ts';
import { CALLBACK, goAndReturn, START, startOidcScene } from './oidc-scene.ts';

const mongo = useMongo(test);

test('a person signs in by code, PKCE, state and nonce, over two readers', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo, { readers: 2 });
  t.is((await visitor.get('/settings/tokens')).location, '/settings/sign-in');
  t.regex((await visitor.get('/settings/sign-in')).text, /href="\/settings\/sign-in\/start"/);
  const start = await visitor.get(START);
  const asked = new URL(start.location).searchParams;
  t.is(asked.get('response_type'), 'code');
  t.is(asked.get('code_challenge_method'), 'S256');
  t.is(asked.get('redirect_uri'), scene.origin + CALLBACK);
  t.is(asked.get('scope'), 'openid');
  for (const name of ['state', 'nonce', 'code_challenge']) {
    t.regex(asked.get(name) ?? '', /^[\w-]{43}$/);
  }
  const cookies = String(start.headers['set-cookie']);
  t.regex(cookies, /; HttpOnly; SameSite=Lax; Max-Age=900$/);
  const back = await visitIssuer(start.location, 'anna');
  const answer = await visitor.get(back.pathname + back.search);
  t.is(answer.status, 200);
  t.regex(answer.text, /http-equiv="refresh" content="0;url=\/settings\/tokens"/);
  t.regex(String(answer.headers['set-cookie']), /budgeting-session=[\w-]{43}; .*SameSite=Strict/);
  t.regex((await visitor.get('/settings/tokens')).text, /Signed in as <bdi>anna<\/bdi>/);
  // Nothing of it is in the log, nor stored as it is.
  const secrets = [
    ...visitor.jar.values(),
    back.searchParams.get('code') ?? '',
    asked.get('state') ?? '',
  ];
  const sessions = JSON.stringify(await scene.access.collection('sessions').find().toArray());
  for (const secret of secrets) {
    t.true(secret.length > 20);
    t.false(scene.logged().includes(secret));
    t.false(sessions.includes(secret));
  }
  t.is(await scene.access.collection('sign_in_attempts').countDocuments(), 0);
});

for (const authMethod of ['client_secret_basic', 'client_secret_post'] as const) {
  test(`the client shows its secret as the issuer takes it: ${authMethod}`, async t => {
    const { visitor } = await startOidcScene(t, mongo, { authMethod });
    t.is((await visitor.get(await goAndReturn(visitor, 'anna'))).status, 200);
  });
}

test('a sign-in ends the session before, though the issuer leads back without its cookie', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  await visitor.get(await goAndReturn(visitor, 'anna'));
  const first = visitor.jar.get('budgeting-session') ?? '';
  t.not(await scene.sessions.find(first, new Date()), null);
  const back = await goAndReturn(visitor, 'anna');
  t.is(await scene.sessions.find(first, new Date()), null);
  visitor.jar.delete('budgeting-session');
  await visitor.get(back);
  t.not(visitor.jar.get('budgeting-session') ?? first, first);
});

test('HEAD begins no sign-in, and uses none up', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  const back = await goAndReturn(visitor, 'anna');
  const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  for (const path of [START, back]) {
    const answer = await fetch(scene.origin + path, { method: 'HEAD', headers: { cookie } });
    t.is(answer.status, 405);
    t.is(answer.headers.get('allow'), 'GET');
    t.is(answer.headers.get('set-cookie'), null);
  }
  t.is((await visitor.get(back)).status, 200);
});

test('while the database is away at the way back, the same request works later', async t => {
  const client = await new MongoClient(mongo.url).connect();
  t.teardown(() => client.close());
  const { visitor } = await startOidcScene(t, mongo, { client });
  const back = await goAndReturn(visitor, 'anna');
  await client.close();
  const away = await visitor.get(back);
  t.is(away.status, 503);
  t.is(away.headers['set-cookie'], undefined);
  await client.connect();
  t.is((await visitor.get(back)).status, 200);
  t.true(visitor.jar.has('budgeting-session'));
});

test('a public client needs no secret', async t => {
  const { visitor } = await startOidcScene(t, mongo, { secret: '' });
  t.is((await visitor.get(await goAndReturn(visitor, 'anna'))).status, 200);
});

test('the user is the configured claim', async t => {
  const claims = { preferred_username: 'anna-of-hill' };
  const { visitor } = await startOidcScene(t, mongo, {
    claims,
    env: { OIDC_USER_CLAIM: 'preferred_username' },
  });
  await visitor.get(await goAndReturn(visitor, 'x-1'));
  t.regex((await visitor.get('/settings/tokens')).text, /Signed in as <bdi>anna-of-hill<\/bdi>/);
});

for (const [name, claims] of [
  ['absent', {}],
  ['no id of this service', { preferred_username: 'anna hill <a@b.example>' }],
] as const) {
  test(`a claim that is ${name} signs nobody in`, async t => {
    const { scene, visitor } = await startOidcScene(t, mongo, {
      claims,
      env: { OIDC_USER_CLAIM: 'preferred_username' },
    });
    const answer = await visitor.get(await goAndReturn(visitor, 'x-1'));
    t.is(answer.status, 403);
    t.regex(answer.text, /no user id that this service knows/);
    t.is(visitor.jar.size, 0);
    t.false(scene.logged().includes('a@b.example'));
  });
}

test('a person who refuses at the issuer sees that on the page', async t => {
  const { visitor } = await startOidcScene(t, mongo);
  const answer = await visitor.get(await goAndReturn(visitor, null));
  t.is(answer.status, 403);
  t.regex(answer.text, /Sign-in cancelled/);
  t.is(visitor.jar.size, 0);
});

test('of two tabs that sign in, the later one succeeds, and the earlier one says why it does not', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  const first = await goAndReturn(visitor, 'anna');
  const second = await goAndReturn(visitor, 'anna');
  for (const [path, status] of [
    [first, 400],
    [second, 200],
    [first, 400],
  ] as const) {
    const answer = await visitor.get(path);
    t.is(answer.status, status, answer.text);
    if (status === 400) t.regex(answer.text, /Sign-in not finished.* followed by a later one/s);
    const signedIn = (await visitor.get('/settings/tokens')).status === 200;
    t.is(signedIn, visitor.jar.has('budgeting-session'));
  }
  t.true(visitor.jar.has('budgeting-session'));
  t.notRegex(scene.logged(), /sign-in refused/);
});

test('an issuer that goes away on the way is 503, and comes back by itself', async t => {
  const { visitor, stopIssuer, startIssuer } = await startOidcScene(t, mongo);
  const path = await goAndReturn(visitor, 'anna');
  stopIssuer();
  const answer = await visitor.get(path);
  t.is(answer.status, 503);
  t.is(visitor.jar.size, 0);
  startIssuer();
  t.is((await visitor.get(await goAndReturn(visitor, 'anna'))).status, 200);
});

test('a reader that starts while the issuer is away signs people in later', async t => {
  const { visitor, stopIssuer, startIssuer } = await startOidcScene(t, mongo);
  stopIssuer();
  const answer = await visitor.get(START);
  t.is(answer.status, 503);
  t.is(answer.headers['retry-after'], '10');
  t.is(answer.location, '');
  startIssuer();
  t.is((await visitor.get(await goAndReturn(visitor, 'anna'))).status, 200);
});

test('where an issuer signs people in, links do not', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  const link = await scene.signInLink('anna');
  t.notRegex((await visitor.get(link.slice(scene.origin.length))).text, /anna/);
  const secret = new URL(link).searchParams.get('link') ?? '';
  t.is((await visitor.post('/settings/sign-in', { link: secret })).status, 405);
  t.is(visitor.jar.size, 0);
});
