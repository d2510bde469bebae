// Input that never becomes a request: it counts, is logged and is measured like every other request.
import test from 'ava';
import { MINUTE_END, serveBare } from './serve-bare.ts';

const remaining = (answer: string) => /^X-RateLimit-Remaining: (\d+)\r$/m.exec(answer)?.[1];
const FOUND = 'GET /docs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

test('refused input counts for its address, in the log and in the metrics', async t => {
  const served = await serveBare(t, { addressPerMinute: 5 });
  for (const [text, status, left] of [
    ['nonsense\r\n\r\n', 400, '4'],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, '3'],
  ] as const) {
    const answer = await served.raw(text);
    t.true(answer.startsWith(`HTTP/1.1 ${status} `), answer);
    t.is(remaining(answer), left);
    t.regex(answer, /^X-RateLimit-Limit: 5\r$/m);
    t.true(answer.includes(`\r\nX-RateLimit-Reset: ${MINUTE_END}\r\n`));
    const requestId = /^X-Request-Id: (.+)\r$/m.exec(answer)?.[1];
    const lines = served.lines.filter(line => line.requestId === requestId);
    t.is(lines.length, 1);
    t.like(lines[0], { msg: 'request', method: '-', route: '-', status });
    t.like(served.observed.at(-1), { method: '-', route: '-', status });
  }
  t.is(remaining(await served.raw(FOUND)), '2');
});

test('an address beyond its limit gets 429 for refused input too', async t => {
  const served = await serveBare(t, { addressPerMinute: 1 });
  await served.raw('nonsense\r\n\r\n');
  const answer = await served.raw('nonsense\r\n\r\n');
  t.regex(answer, /^HTTP\/1.1 429 Too Many Requests\r\n.*"rate_limited"/s);
  t.regex(answer, /^Retry-After: 30\r$/m);
  t.is(remaining(answer), '0');
});

test('CONNECT is answered like every request to a path that is not known', async t => {
  const served = await serveBare(t, { addressPerMinute: 5 });
  const answer = await served.raw('CONNECT x.example:443 HTTP/1.1\r\nHost: x.example:443\r\n\r\n');
  t.regex(answer, /^HTTP\/1.1 404 Not Found\r\n.*"not_found"/s);
  t.regex(answer, /^Connection: close\r$/m);
  t.is(remaining(answer), '4');
  t.like(served.observed.at(-1), { method: 'CONNECT', route: '-', status: 404 });
});

test('a wish to upgrade is ignored', async t => {
  const served = await serveBare(t);
  const wish = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
  const answer = await served.raw(`GET /docs HTTP/1.1\r\nHost: x\r\n${wish}\r\n`);
  t.regex(answer, /^HTTP\/1.1 200 OK\r\n/);
});
