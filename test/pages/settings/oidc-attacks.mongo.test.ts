// Signing in by OpenID Connect, against a real issuer: what must be refused.
import type { ExecutionContext } from 'ava';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { visitIssuer } from './issuer-visit.ts';
import { CALLBACK, goAndReturn, START, startOidcScene } from './oidc-scene.ts';
import type { Scene } from './settings-scene.ts';
import { createVisitor, type Visitor } from './visitor.ts';

const mongo = useMongo(test);

interface Refusal {
  readonly path: string;
  readonly status: number;
  /** What the log says of it; nothing of the query is shown or logged. */
  readonly code?: string;
}

async function refused(
  t: ExecutionContext,
  { visitor, scene }: { visitor: Visitor; scene: Scene },
  { path, status, code }: Refusal,
) {
  const before = scene.logged().length;
  const answer = await visitor.get(path);
  const logged = scene.logged().slice(before - 1);
  t.is(answer.status, status, answer.text);
  if (code !== undefined) t.true(logged.includes(code), logged);
  t.is(visitor.jar.size, 0, 'no session');
  t.is((await visitor.get('/settings/tokens')).status, 303);
  for (const value of new URL(path, 'http://any').searchParams.values()) {
    if (value.length < 8) continue;
    t.false(answer.text.includes(value));
    t.false(scene.logged().includes(value));
  }
}

test('attack: a wrong, absent or repeated state is refused, and the sign-in goes on', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  const attacker = createVisitor(scene.origin);
  const { search } = new URL(await goAndReturn(attacker, 'mallory'), scene.origin);
  const changes: [number, (url: URL) => void][] = [
    [400, url => url.searchParams.set('state', 'x'.repeat(43))],
    [400, url => url.searchParams.set('state', 'x')],
    [
      400,
      url => {
        url.search = search;
      },
    ],
    [403, url => url.searchParams.set('state', '')],
    [403, url => url.searchParams.delete('state')],
    [403, url => url.searchParams.append('state', url.searchParams.get('state') ?? '')],
    [403, url => url.searchParams.append('state', new URLSearchParams(search).get('state') ?? '')],
    [
      403,
      url => {
        url.search = '?error=access_denied';
      },
    ],
  ];
  const path = await goAndReturn(visitor, 'anna');
  for (const [status, change] of changes) {
    const before = scene.logged().length;
    const foreign = new URL(path, scene.origin);
    change(foreign);
    const answer = await visitor.get(foreign.pathname + foreign.search);
    t.is(answer.status, status, answer.text);
    t.is(answer.headers['set-cookie'], undefined);
    t.regex(scene.logged().slice(before - 1), /Expected the state of the sign-in in progress/);
    t.is((await visitor.get('/settings/tokens')).status, 303);
  }
  t.is((await visitor.get(path)).status, 200);
  t.regex((await visitor.get('/settings/tokens')).text, /Signed in as <bdi>anna<\/bdi>/);
});

test('attack: a wrong nonce is refused', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  const path = await goAndReturn(visitor, 'anna', address => {
    address.searchParams.set('nonce', 'n'.repeat(43));
  });
  const code = 'OAUTH_JWT_CLAIM_COMPARISON_FAILED';
  await refused(t, { scene, visitor }, { path, status: 403, code });
});

test('attack: a code that was asked for with another verifier is refused', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  const path = await goAndReturn(visitor, 'anna', address => {
    address.searchParams.set('code_challenge', 'c'.repeat(43));
  });
  await refused(t, { scene, visitor }, { path, status: 403, code: 'invalid_grant' });
});

test('attack: the code of one person in the browser of another signs nobody in', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  const attacker = createVisitor(scene.origin);
  const stolen = new URL(await goAndReturn(attacker, 'mallory'), scene.origin);
  // As it is, and with the state that the victim's browser expects.
  await refused(t, { scene, visitor }, { path: stolen.pathname + stolen.search, status: 400 });
  const { location } = await visitor.get(START);
  stolen.searchParams.set('state', new URL(location).searchParams.get('state') ?? '');
  await refused(
    t,
    { scene, visitor },
    { path: stolen.pathname + stolen.search, status: 403, code: 'invalid_grant' },
  );
});

test('attack: an answer is taken once', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  const { location } = await visitor.get(START);
  const attempt = new Map(visitor.jar);
  const back = await visitIssuer(location, 'anna');
  t.is((await visitor.get(back.pathname + back.search)).status, 200);
  const thief = createVisitor(scene.origin);
  for (const [name, value] of attempt) thief.jar.set(name, value);
  await refused(t, { scene, visitor: thief }, { path: back.pathname + back.search, status: 400 });
});

test('attack: a made up answer, an error, and nothing at all are refused', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  for (const query of [
    '?code=made-up-code-1',
    '?error=some_made_up_error&error_description=some-text-1',
    '',
    '?%',
    '?code=%FF%FE',
  ]) {
    const { location } = await visitor.get(START);
    const state = new URL(location).searchParams.get('state');
    const iss = encodeURIComponent(new URL(location).origin);
    const path = `${CALLBACK}${query}${query === '' ? '?' : '&'}state=${state}&iss=${iss}`;
    await refused(t, { scene, visitor }, { path, status: 403 });
  }
  t.notRegex(scene.logged(), /made-up-code-1|some-text-1/);
});

test('attack: the redirect address does not follow the Host header', async t => {
  const { scene, visitor } = await startOidcScene(t, mongo);
  const { location } = await visitor.get(START, { host: 'evil.example' });
  t.is(new URL(location).searchParams.get('redirect_uri'), scene.origin + CALLBACK);
});
