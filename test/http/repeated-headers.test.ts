// Headers that a request may have only once.
import test from 'ava';
import type { Middleware } from '../../src/http/request-state.ts';
import { serveBare } from './serve-bare.ts';

const pages: Middleware = async (ctx, next) => {
  if (ctx.state.path === '/settings') ctx.body = 'a page';
  else await next();
};

test('More than one Host line, or a Host that is none, is 400 invalid_parameter for every path', async t => {
  const served = await serveBare(t, { pages });
  for (const lines of [
    'Host: x\r\nHost: x',
    'Host: x\r\nhost: evil.example',
    'Host:',
    'Host: a b',
    'Host: x/y',
    'Host: user@x',
    'Host: x:port',
    'Host: [::1',
    'Host: [1.2.3.4]',
    'Host: ::1',
    'Host: x%zz',
    'Host: x, y',
    'Host: <x>',
  ]) {
    for (const target of ['/api/v1/budgets', '/nothing', '/docs', '/settings', 'http://x/docs']) {
      const request = `GET ${target} HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`;
      const answer = await served.raw(request);
      t.regex(answer, /^HTTP\/1.1 400 Bad Request\r\n(.+\r\n)*X-RateLimit-Remaining: /, request);
      t.regex(answer, /"code":"invalid_parameter".*"param":"Host"/);
    }
  }
  for (const host of ['x', 'x:1', 'x:', 'a_b.c-d~e', '[::1]', '[::1]:80', '127.0.0.1:80', 'x%2d']) {
    const request = `GET /docs HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    t.regex(await served.raw(request), /^HTTP\/1.1 200 /, host);
  }
});

test('More than one Authorization line is 401, whichever is right', async t => {
  const served = await serveBare(t);
  const right = `Bearer ${served.token}`;
  const get = (more: string) =>
    served.raw(
      `GET /api/v1/budgets HTTP/1.1\r\nHost: x\r\nAuthorization: ${right}\r\n${more}Connection: close\r\n\r\n`,
    );
  t.regex(await get(''), /^HTTP\/1.1 403 /);
  for (const value of [right, 'Bearer x', 'Basic x', '']) {
    const answer = await get(`Authorization: ${value}\r\n`);
    t.regex(answer, /^HTTP\/1.1 401 /, value);
    t.regex(answer, /^WWW-Authenticate: Bearer realm="budgeting", error="invalid_token"\r$/m);
  }
});

test('A line behind thousands of others is seen too', async t => {
  const served = await serveBare(t);
  const answer = await served.raw(
    `GET /docs HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(2500)}Host: x\r\nConnection: close\r\n\r\n`,
  );
  t.regex(answer, /^HTTP\/1.1 400 .*"param":"Host"/s);
});
