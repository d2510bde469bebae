// Browsers: CORS, security headers, the API's description and its page.
import { test } from '../helpers/file-test.ts';
import { useServed } from './use-served.ts';

const served = useServed(test, { name: 'http_browsers' });

const PREFLIGHT = {
  origin: 'https://app.example',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'authorization,if-none-match,x-projection-wait-for',
};
const windowOf = (headers: Headers) =>
  `${headers.get('x-ratelimit-remaining')} until ${headers.get('x-ratelimit-reset')}`;
const listOf = (value: string | null) => (value ?? '').toLowerCase().split(', ');

test('CORS: a preflight is answered 204 without a token', async t => {
  for (const path of ['/accounts', '/budgets', '/months/2024-01', '/token', '/openapi.json']) {
    const { status, headers, text } = await served.api(path, {
      method: 'OPTIONS',
      headers: PREFLIGHT,
    });
    t.is(status, 204, path);
    t.is(text, '');
    t.is(headers.get('access-control-allow-origin'), '*');
    t.is(headers.get('access-control-allow-credentials'), null);
    const allowed = listOf(headers.get('access-control-allow-headers'));
    for (const name of ['authorization', 'if-none-match', 'x-projection-wait-for']) {
      t.true(allowed.includes(name), name);
    }
    t.true(listOf(headers.get('access-control-allow-methods')).includes('get'));
    t.not(headers.get('x-ratelimit-limit'), null);
  }
});

test('OPTIONS without Origin is 204, of an unknown path 404', async t => {
  const { status, headers } = await served.api('/accounts', { method: 'OPTIONS' });
  t.is(status, 204);
  t.is(headers.get('allow'), 'GET, HEAD, OPTIONS');
  // Those of a preflight are for browsers that ask for leave.
  for (const name of ['allow-methods', 'allow-headers', 'max-age']) {
    t.is(headers.get(`access-control-${name}`), null, name);
  }
  t.is((await served.api('/nothing', { method: 'OPTIONS', headers: PREFLIGHT })).status, 404);
});

test('CORS: any origin; the headers of this API are exposed, on errors too', async t => {
  const { status, headers } = await served.api('/accounts', { headers: { origin: 'null' } });
  t.is(status, 401);
  t.is(headers.get('access-control-allow-origin'), '*');
  const exposed = listOf(headers.get('access-control-expose-headers'));
  const wanted =
    'X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset Retry-After ETag X-Request-Id X-Projection-Position X-Projection-Parked-Since Deprecation Sunset Link';
  for (const name of wanted.toLowerCase().split(' ')) t.true(exposed.includes(name), name);
});

test('Public documents: a cache asks before each use, and a 304 has the limits of the client that asks', async t => {
  for (const path of ['/api/v1/openapi.json', '/docs', '/docs/page.js', '/docs.md', '/llms.txt']) {
    const first = await served.ask(path);
    t.is(first.headers.get('cache-control'), 'public, no-cache', path);
    const again = await served.ask(path, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    t.is(again.status, 304);
    t.is(again.headers.get('cache-control'), 'public, no-cache');
    t.not(windowOf(again.headers), windowOf(first.headers));
  }
});

test('Security headers: nothing of an answer runs or is framed, and plain HTTP stays usable', async t => {
  const { headers } = await served.api('/accounts');
  t.is(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'");
  t.is(headers.get('x-content-type-options'), 'nosniff');
  t.is(headers.get('strict-transport-security'), null);
  t.is(headers.get('x-powered-by'), null);
});

test('GET /api/v1/openapi.json: OpenAPI 3.1, version 1.2.0, no token, ETag and Cache-Control: public', async t => {
  const { status, headers, body } = await served.api('/openapi.json');
  t.is(status, 200);
  t.regex(body.openapi, /^3\.1\./);
  t.is(body.info.version, '1.2.0');
  t.regex(headers.get('cache-control') ?? '', /^public\b/);
  const etag = headers.get('etag') ?? '';
  const again = await served.api('/openapi.json', { headers: { 'if-none-match': etag } });
  t.is(again.status, 304);
  t.is(again.headers.get('etag'), etag);
  t.regex(again.headers.get('cache-control') ?? '', /^public\b/);
  t.is((await served.api('/openapi.json?x=1')).body.error.code, 'unknown_parameter');
  const posted = await served.api('/openapi.json', { method: 'POST' });
  t.is(posted.status, 405);
  t.is(posted.headers.get('allow'), 'GET, HEAD, OPTIONS');
});

test('/docs: a readable page with every endpoint, its own script and no outside host', async t => {
  const { status, headers, text } = await served.ask('/docs');
  t.is(status, 200);
  t.is(headers.get('content-type'), 'text/html; charset=utf-8');
  t.regex(headers.get('cache-control') ?? '', /^public\b/);
  const again = await served.ask('/docs', {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  t.is(again.status, 304);
  const { body } = await served.api('/openapi.json');
  for (const path of Object.keys(body.paths)) t.true(text.includes(`<code>${path}</code>`), path);
  t.deepEqual(text.match(/<script[^>]*>/g), ['<script src="/docs/page.js" defer>']);
  t.false(/javascript:| on\w+=/i.test(text));
  const script = await served.ask('/docs/page.js');
  t.is(script.headers.get('content-type'), 'text/javascript; charset=utf-8');
  t.notRegex(script.text, /https?:|localStorage|sessionStorage|cookie|innerHTML/);
  const addresses = [...text.matchAll(/(?:href|src|url)\s*[=(]\s*["']?([^"')>\s]*)/gi)].map(
    ([, one]) => one ?? '',
  );
  for (const address of addresses)
    t.regex(
      address,
      /^(#|\/$|\/docs$|\/docs\.md$|\/docs\/page\.js$|\/settings\/tokens$|\/api\/v1\/openapi\.json$|data:,$)/,
    );
  for (const address of addresses.filter(one => one.startsWith('#'))) {
    t.true(text.includes(`id="${address.slice(1)}"`), address);
  }
});

test('/docs.md and /llms.txt: the page as Markdown and its overview, without a token, like any public document', async t => {
  const types = {
    '/docs.md': 'text/markdown; charset=utf-8',
    '/llms.txt': 'text/plain; charset=utf-8',
  };
  const { origin } = served;
  for (const [path, type] of Object.entries(types)) {
    const { status, headers, text } = await served.ask(path);
    t.is(status, 200, path);
    t.is(headers.get('content-type'), type);
    t.is(headers.get('access-control-allow-origin'), '*');
    t.true(text.startsWith('# Budgeting Read API\n'));
    t.true(text.includes(`${origin}/api/v1/`), path);
    const etag = headers.get('etag') ?? '';
    t.is((await served.ask(path, { headers: { 'if-none-match': etag } })).status, 304);
    const posted = await served.ask(path, { method: 'POST' });
    t.is(posted.status, 405);
    t.is(posted.headers.get('allow'), 'GET, HEAD, OPTIONS');
  }
  const llms = await served.ask('/llms.txt');
  t.true(llms.text.includes(`](${origin}/docs.md)`));
});

test('/docs: its policy allows its own style and script, requests to this service and nothing else', async t => {
  const { createHash } = await import('node:crypto');
  const { headers, text } = await served.ask('/docs');
  const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = headers.get('content-security-policy') ?? '';
  t.true(policy.includes(`style-src 'sha256-${hash}'`));
  t.true(policy.startsWith("default-src 'none'"));
  t.true(policy.includes("; script-src 'self'; connect-src 'self';"));
  t.false(policy.includes('unsafe'));
  t.false(policy.includes('upgrade-insecure-requests'));
  t.false(/ style=/.test(text));
});
