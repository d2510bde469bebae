// Answers of an issuer's token endpoint that are no tokens: whether the issuer refuses, or is out of order.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionContext } from 'ava';
import { attemptChecks } from '../../../src/access/one-time-secrets.ts';
import { createOidcClient, SignInError } from '../../../src/pages/settings/sign-in/oidc-client.ts';
import { test } from '../../helpers/file-test.ts';

interface TokenAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer is said to be longer than it is, and the connection ends. */
  readonly isCut?: boolean;
}

const metadataOf = (issuer: string, endpoint: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/${endpoint}`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
});

async function listenAt(t: ExecutionContext, server: Server): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve));
  t.teardown(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

function clientOf(issuer: string, nowMs?: () => number) {
  const config = { issuer, clientId: 'budgeting', clientSecret: 'secret', userClaim: 'sub' };
  const client = createOidcClient(config, () => 'http://localhost:1/callback', nowMs);
  return { client, checks: attemptChecks('a secret') };
}

/** Starts an issuer that gives one answer to every request for tokens. Returns the error of a sign-in. */
async function signIn(t: ExecutionContext, answer: TokenAnswer) {
  const { status, type, body, headers = {}, isCut = false } = answer;
  const server = createServer((request, response) => {
    if (request.method === 'POST') {
      const length = isCut ? { 'content-length': '1000' } : {};
      response.writeHead(status, { 'content-type': type, ...length, ...headers });
      if (isCut) response.write(body, () => response.destroy());
      else response.end(body);
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(metadataOf(issuer, 'token')));
  });
  const issuer = await listenAt(t, server);
  const { client, checks } = clientOf(issuer);
  return await t.throwsAsync(client.finish(`code=c&state=${checks.state}`, checks), {
    instanceOf: SignInError,
  });
}

test('where discovery fails, the status of the issuer is named', async t => {
  for (const status of [302, 404, 429, 503]) {
    const server = createServer((_, response) => response.writeHead(status).end('<h1>no</h1>'));
    const { client, checks } = clientOf(await listenAt(t, server));
    const error = await t.throwsAsync(client.begin(checks), { instanceOf: SignInError });
    t.is(error.reason, 'unreachable');
    t.regex(error.message, new RegExp(`^Discovery of the issuer failed: \\w+, status ${status}$`));
  }
});

for (const [status, type, body] of [
  [500, 'text/html', '<h1>Internal Server Error</h1>'],
  [502, 'text/plain', ''],
  [503, 'application/json', '{}'],
  [503, 'application/json', '{"error":"temporarily_unavailable"}'],
  [599, 'application/json', '{'],
  [429, 'text/plain', 'Too Many Requests'],
  [429, 'application/json', '{"error":"slow_down"}'],
  [302, 'text/html', '<a href="/login">Found</a>'],
  [308, 'application/json', '{"error":"moved"}'],
] as const) {
  test(`${status} ${type} ${body} means that the issuer is out of order`, async t => {
    t.is((await signIn(t, { status, type, body }))?.reason, 'unreachable');
  });
}

for (const [status, type, body] of [
  [400, 'application/json', '{"error":"invalid_grant"}'],
  [401, 'text/html', '<h1>Unauthorized</h1>'],
  [404, 'text/plain', ''],
  [200, 'text/html', '<h1>Welcome</h1>'],
  [200, 'application/json', '{}'],
] as const) {
  test(`${status} ${type} ${body} is a refusal`, async t => {
    t.is((await signIn(t, { status, type, body }))?.reason, 'refused');
  });
}

const BASIC = { 'www-authenticate': 'Basic realm="clients"' };
const [type, body] = ['application/json', '{"error":"invalid_client"}'];

test('a client that is named by a header is refused with the code of the specification', async t => {
  const error = await signIn(t, { status: 401, type, body, headers: BASIC });
  t.is(error?.reason, 'refused');
  t.is(error?.message, 'Sign-in failed: invalid_client');
});

test('a proxy that is out of order and asks for a password is no refusal', async t => {
  t.is((await signIn(t, { status: 503, type, body, headers: BASIC }))?.reason, 'unreachable');
});

test('an answer that breaks off within its body is no refusal', async t => {
  const error = await signIn(t, { status: 200, type, body: '{"a":', isCut: true });
  t.is(error?.reason, 'unreachable');
  t.is(error?.message, 'Sign-in failed: no connection');
});

for (const [error, reason] of [
  ['temporarily_unavailable', 'unreachable'],
  ['server_error', 'unreachable'],
  ['invalid_scope', 'refused'],
  ['login_required', 'refused'],
  ['access_denied', 'cancelled'],
] as const) {
  test(`${error} in the way back from the issuer: ${reason}, with its code in the log`, async t => {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(metadataOf(issuer, 'token')));
    });
    const issuer = await listenAt(t, server);
    const { client, checks } = clientOf(issuer);
    const signsIn = client.finish(`error=${error}&state=${checks.state}`, checks);
    const thrown = await t.throwsAsync(signsIn, { instanceOf: SignInError });
    t.is(thrown?.reason, reason);
    if (reason !== 'cancelled') t.is(thrown?.message, `Sign-in failed: ${error}`);
  });
}

for (const wrong of [undefined, '/authorize', 7, 'javascript:alert(1)']) {
  test(`an issuer whose page for signing in is ${wrong} counts as away until it is mended`, async t => {
    let authorization_endpoint: unknown = wrong;
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...metadataOf(issuer, 'token'), authorization_endpoint }));
    });
    const issuer = await listenAt(t, server);
    const { client, checks } = clientOf(issuer);
    const error = await t.throwsAsync(client.begin(checks), { instanceOf: SignInError });
    t.is(error?.reason, 'unreachable');
    authorization_endpoint = `${issuer}/authorize`;
    t.is(new URL(await client.begin(checks)).pathname, '/authorize');
  });
}

test('an issuer whose endpoints moved is asked again after the sign-in that failed', async t => {
  const asked: string[] = [];
  let endpoint = 'token';
  const server = createServer((request, response) => {
    const { method, url = '' } = request;
    if (method === 'POST') asked.push(url);
    response.statusCode = method === 'POST' ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(method === 'POST' ? '{}' : JSON.stringify(metadataOf(issuer, endpoint)));
  });
  const issuer = await listenAt(t, server);
  const { client, checks } = clientOf(issuer);
  const signsIn = () => client.finish(`code=c&state=${checks.state}`, checks);
  await t.throwsAsync(signsIn(), { instanceOf: SignInError });
  endpoint = 'moved';
  await t.throwsAsync(signsIn(), { instanceOf: SignInError });
  t.deepEqual(asked, ['/token', '/moved']);
});

test('an issuer is asked again after an hour, so people find a moved page for signing in', async t => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.setHeader('content-type', 'application/json');
    const metadata = metadataOf(issuer, 'token');
    const authorization_endpoint = `${issuer}/authorize-${asked}`;
    response.end(JSON.stringify({ ...metadata, authorization_endpoint }));
  });
  const issuer = await listenAt(t, server);
  let ms = 0;
  const { client, checks } = clientOf(issuer, () => ms);
  const leadsTo = async () => new URL(await client.begin(checks)).pathname;
  t.is(await leadsTo(), '/authorize-1');
  ms += 3_600_000;
  t.is(await leadsTo(), '/authorize-1');
  ms += 1;
  t.is(await leadsTo(), '/authorize-2');
});
