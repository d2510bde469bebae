// GET /token: what a token says of itself (rules/api.md#who-am-i).
import { test } from '../helpers/file-test.ts';
import { holdsTo } from './contract.ts';
import { ONE_MINUTE } from './serve.ts';
import { useServed } from './use-served.ts';

const LIMITS = { tokenReadsPerMinute: 50, userPerMinute: 60 };

// No read model is built: the answer needs none.
const served = useServed(test, {
  name: 'http_token',
  empty: true,
  limits: LIMITS,
  limiterOptions: ONE_MINUTE,
});

test('A token shows itself, without its value, and without a read model', async t => {
  const from = Date.now();
  const token = await served.issue('anna', { name: 'Sheet “x”' });
  const { status, headers, body, text } = await served.api('/token', { token });
  t.is(status, 200);
  t.is(headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(holdsTo('token', body), null);
  const { createdAt, expiresAt, ...rest } = body;
  t.deepEqual(rest, {
    userId: 'anna',
    name: 'Sheet “x”',
    lastFour: token.slice(-4),
    scopes: [
      'budgets:read',
      'accounts:read',
      'transactions:read',
      'categories:read',
      'payees:read',
      'labels:read',
      'months:read',
    ],
    budgets: null,
  });
  t.deepEqual(Object.keys(body), [...Object.keys(rest), 'createdAt', 'expiresAt']);
  t.true(Date.parse(createdAt) >= from && Date.parse(createdAt) <= Date.now());
  t.is(Date.parse(expiresAt) - Date.parse(createdAt), 365 * 86_400_000);
  t.false(text.includes(token));
});

test('A narrowed token with one scope may ask too, and shows how it is narrowed', async t => {
  const budgets = ['b2', 'b1'];
  const token = await served.issue('ben', { budgets, scopes: ['labels:read'], expiresInDays: 7 });
  const { status, body } = await served.api('/token', { token });
  t.is(status, 200);
  t.like(body, { userId: 'ben', name: 'API token', budgets, scopes: ['labels:read'] });
});

test('It is never stored: private, no-store, no ETag, no 304, no position', async t => {
  const token = await served.issue('cora');
  const { status, headers } = await served.api('/token', {
    token,
    headers: { 'if-none-match': '*', 'x-projection-wait-for': '99' },
  });
  t.is(status, 200);
  t.is(headers.get('cache-control'), 'private, no-store');
  t.is(headers.get('vary'), 'Accept-Encoding, Authorization');
  for (const name of ['etag', 'x-projection-position', 'x-projection-parked-since']) {
    t.is(headers.get(name), null, name);
  }
});

test('HEAD, CORS and the limits are those of every endpoint; it counts as one read', async t => {
  const token = await served.issue('dora');
  const got = await served.api('/token', { token });
  const head = await served.api('/token', { token, method: 'HEAD' });
  t.is(head.status, 200);
  t.is(head.text, '');
  t.is(head.headers.get('content-length'), String(Buffer.byteLength(got.text)));
  t.is(head.headers.get('access-control-allow-origin'), '*');
  t.is(got.headers.get('x-ratelimit-limit'), '50');
  t.is(got.headers.get('x-ratelimit-remaining'), '49');
  t.is(head.headers.get('x-ratelimit-remaining'), '48');
  const preflight = await served.api('/token', { method: 'OPTIONS' });
  t.is(preflight.status, 204);
});

test('Refused as everywhere: 401, 405, parameters', async t => {
  const token = await served.issue('eve');
  const code = async (path: string, asked: object) =>
    (await served.api(path, asked)).body.error.code;
  t.is(await code('/token', {}), 'unauthenticated');
  t.is(await code('/token', { token: 'junk' }), 'invalid_token');
  t.is(await code('/token', { token, method: 'DELETE' }), 'method_not_allowed');
  t.is(await code('/token?budget_id=b1', { token }), 'unknown_parameter');
  t.is(await code('/token/', { token }), 'not_found');
  const expired = await served.issue('eve', { expiresInDays: 0 });
  t.is(await code('/token', { token: expired }), 'invalid_token');
});
