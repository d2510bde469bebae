// Requests that no ordinary client sends: odd targets and broken HTTP.
import type { ExecutionContext } from 'ava';
import type { Middleware } from '../../src/http/request-state.ts';
import { test } from '../helpers/file-test.ts';
import { budget, space } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { useServed } from './use-served.ts';

let token: string;

const pages: Middleware = async (ctx, next) => {
  if (ctx.state.path === '/settings') ctx.body = 'a page';
  else await next();
};

const served = useServed(test, { name: 'http_transport', pages }, async () => {
  token = await served.issue('anna');
  await served.model.project('s1', ...space(['anna']));
  await served.model.project('b1', budget('s1'));
});

const get = (target: string, more = '') =>
  served.raw(
    Buffer.from(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${more}Connection: close\r\n\r\n`,
      'latin1',
    ),
  );

/** Checks the answer to bytes that are no request: it has the form of every other error, and closes the connection. */
function checkRefusal(t: ExecutionContext, answer: string, status: number): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  t.regex(first, new RegExp(`^HTTP/1.1 ${status} [A-Z]`));
  const headers = new Headers(lines.map(line => line.split(': ', 2) as [string, string]));
  const { error } = JSON.parse(body);
  t.is(holdsTo('error', { error }), null);
  t.like(error, { code: 'invalid_parameter', param: null, details: [] });
  t.regex(error.requestId, /^[\da-f-]{36}$/);
  t.is(headers.get('x-request-id'), error.requestId);
  t.is(headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(headers.get('content-length'), String(Buffer.byteLength(body)));
  t.is(headers.get('connection'), 'close');
  t.is(headers.get('cache-control'), 'no-store');
  t.is(headers.get('x-content-type-options'), 'nosniff');
  t.is(headers.get('access-control-allow-origin'), '*');
  for (const name of ['limit', 'remaining', 'reset']) {
    t.regex(headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/, name);
  }
}

test('Malformed HTTP is 400 invalid_parameter', async t => {
  for (const text of [
    'nonsense\r\n\r\n',
    'GET\r\n\r\n',
    'GET /x HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nno header\r\n\r\n',
  ]) {
    const answer = await served.raw(text);
    checkRefusal(t, answer, 400);
  }
});

test('A request without a host is 400 missing_parameter for every path', async t => {
  for (const target of ['/api/v1/budgets', '/nothing', '/docs', '/settings']) {
    const answer = await served.raw(`GET ${target} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    t.regex(answer, /^HTTP\/1.1 400 Bad Request\r\n(.+\r\n)*X-Request-Id: /, target);
    t.regex(answer, /^X-RateLimit-Remaining: /m);
    t.regex(answer, /"code":"missing_parameter".*"param":"Host"/);
  }
  const older = await served.raw('GET /docs HTTP/1.0\r\n\r\n');
  t.regex(older, /^HTTP\/1.1 200 /);
  t.regex(await get('/settings'), /^HTTP\/1.1 200 .*a page$/s);
});

test('An unknown expectation is ignored', async t => {
  t.regex(await get('/api/v1/budgets', 'Expect: foo\r\n'), /^HTTP\/1.1 200 /);
});

test('A head above the limit of Node is refused', async t => {
  const answer = await get(`/api/v1/budgets?x=${'a'.repeat(20_000)}`);
  checkRefusal(t, answer, 431);
});

test('An absolute URL as target is accepted', async t => {
  t.regex(await get('http://example.com/api/v1/budgets'), /^HTTP\/1.1 200 /);
  t.regex(await get('http://[::1/api/v1/budgets'), /^HTTP\/1.1 200 /);
  for (const target of [
    'http://example.com',
    'ftp://[::1/api/v1/budgets',
    'http://example.com?x=1',
  ]) {
    t.regex(await get(target), /^HTTP\/1.1 404 /, target);
  }
});

test('Bad percent-encodings and raw bytes are 400 invalid_parameter, never 500', async t => {
  for (const query of [
    'budget_id=b1&search=%',
    'budget_id=b1&search=%ff',
    'budget_id=b1&search=%u0041',
  ]) {
    const answer = await get(`/api/v1/transactions?${query}`);
    t.regex(answer, /^HTTP\/1.1 400 /, query);
    t.regex(answer, /"code":"invalid_parameter".*"param":"search"/, query);
  }
  checkRefusal(t, await get('/api/v1/transactions?budget_id=b1&search=\xff'), 400);
  t.regex(await get('/api/v1/%zz'), /^HTTP\/1.1 404 /);
});

test('A parameter without a name is unknown; nothing between ampersands is no parameter', async t => {
  t.regex(await get('/api/v1/payees?&budget_id=b1&&'), /^HTTP\/1.1 200 /);
  const answer = await get('/api/v1/payees?budget_id=b1&=1');
  t.regex(answer, /"code":"unknown_parameter".*"param":""/);
});

test('A repeated header counts as one value', async t => {
  const twice = 'X-Projection-Wait-For: 1\r\nX-Projection-Wait-For: 1\r\n';
  t.regex(await get('/api/v1/payees?budget_id=b1', twice), /^HTTP\/1.1 400 /);
});

test('The body of a request is not read', async t => {
  const body = `Content-Length: 5\r\nContent-Type: application/json\r\n`;
  const answer = await served.raw(
    `GET /api/v1/budgets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${body}Connection: close\r\n\r\n{bad}`,
  );
  t.regex(answer, /^HTTP\/1.1 200 /);
});
