// Rules of every page: headers, paths, methods, markup in names, and no secrets in pages or logs.
import { MongoClient } from 'mongodb';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { budget, space } from '../../model/scene.ts';
import { type Scene, startScene } from './settings-scene.ts';
import { createVisitor, PLAIN, type Visitor } from './visitor.ts';

const mongo = useMongo(test);
let scene: Scene;
let anna: Visitor;
test.before(async () => {
  scene = await startScene(mongo);
  anna = createVisitor(scene.origin);
  await anna.signIn(await scene.signInLink('anna'));
});
mongo.beforeStop(async () => {
  await scene?.stop();
});

const PAGES = [
  '/settings/tokens',
  '/settings/tokens/new',
  '/settings/sign-in',
  '/settings/nothing',
];

test('every page is kept out of caches, frames and other hosts', async t => {
  for (const path of [...PAGES, '/settings', '/settings/sign-in?link=x']) {
    const { headers } = await anna.get(path);
    t.is(headers['cache-control'], 'no-store', path);
    t.is(headers['x-content-type-options'], 'nosniff');
    t.is(headers['x-frame-options'], 'DENY');
    t.is(headers['referrer-policy'], 'same-origin');
    t.is(headers['cross-origin-opener-policy'], 'same-origin');
    t.is(headers['cross-origin-resource-policy'], 'same-origin');
    t.is(headers['access-control-allow-origin'], undefined, 'no page of another origin reads it');
    t.false(Object.keys(headers).some(name => name.startsWith('x-ratelimit')));
    t.truthy(headers['x-request-id']);
  }
});

test('the policy allows the style sheet, and scripts where they are used; pages contain no inline code', async t => {
  const created = await anna.post('/settings/tokens', { ...PLAIN, ...(await anna.newForm()) });
  for (const [answer, script] of [
    [await anna.get('/settings/sign-in'), "'none'"],
    [await anna.get('/settings/tokens'), "'self'"],
    [await anna.get('/settings/tokens/new'), "'self'"],
    [created, "'self'"],
  ] as const) {
    t.is(
      answer.headers['content-security-policy'],
      `default-src 'none'; style-src 'self'; script-src ${script}; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    );
    t.notRegex(answer.text, /<style|style=| on\w+=|javascript:/i);
    const addresses = [...answer.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(
      ([, to]) => to,
    );
    for (const address of addresses) t.regex(address ?? '', /^(\/|#main$|data:,$)/);
  }
  for (const path of ['/settings/copy.js', '/settings/choose.js']) {
    const script = await anna.get(path);
    t.regex(script.headers['content-type'] ?? '', /^(text|application)\/javascript/);
  }
  const { headers: style } = await anna.get('/settings/style.css');
  t.regex(style['content-type'] ?? '', /^text\/css/);
  t.is(style['cache-control'], 'public, max-age=300', 'it has no limits of a client');
});

test('the root describes the service and links to its pages', async t => {
  const answer = await createVisitor(scene.origin).get('/');
  t.is(answer.status, 200);
  for (const path of ['/docs', '/settings/tokens', '/api/v1/openapi.json']) {
    t.true(answer.text.includes(`href="${path}"`), path);
    t.true([200, 303].includes((await anna.get(path)).status));
  }
  t.is((await anna.get('/?x=1')).status, 200);
  t.is((await anna.get('/settings')).location, '/settings/tokens');
});

test('paths are exact, and the API answers its own', async t => {
  for (const path of [
    '/settings/',
    '/settings/tokens/',
    '/settings/Tokens',
    '/settings/tokens/x',
    '/settings/tokens/%ff/revoke',
  ]) {
    const answer = await anna.get(path);
    t.is(answer.status, 404, path);
    t.regex(answer.headers['content-type'] ?? '', /^text\/html/);
  }
  for (const path of ['/nothing', '/settingsx', '/Settings', '/api/v1', '//settings/tokens']) {
    const answer = await anna.get(path);
    t.is(answer.status, 404, path);
    t.is(JSON.parse(answer.text).error.code, 'not_found');
  }
});

test('a page accepts only its own methods', async t => {
  for (const [method, path, allow] of [
    ['PUT', '/settings/tokens', 'GET, HEAD, POST'],
    ['DELETE', '/settings/tokens/new', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['GET', '/settings/sign-out', 'POST'],
    ['GET', '/settings/sign-out-everywhere', 'POST'],
    ['OPTIONS', '/settings/sign-in', 'GET, HEAD, POST'],
  ] as const) {
    const answer = await anna.send(method, path);
    t.is(answer.status, 405, `${method} ${path}`);
    t.is(answer.headers.allow, allow);
  }
});

test('attack: no address leads away from this service', async t => {
  const visitor = createVisitor(scene.origin);
  for (const path of [
    '/settings?next=https://evil.example',
    '/settings/tokens?next=//evil.example',
    '/settings/sign-in?next=https://evil.example&return_to=//evil.example',
    '/settings//evil.example',
    '/settings/%2f%2fevil.example',
    '/settings/tokens/%2f%2fevil.example/revoke',
  ]) {
    for (const headers of [
      {},
      { host: 'evil.example' },
      { 'x-forwarded-host': 'evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const { location, text } = await visitor.get(path, headers);
      t.regex(location, /^(\/settings\/(tokens|sign-in))?$/, path);
      for (const [, address] of text.matchAll(/(?:href="|action="|url=)([^"]*)"/g)) {
        t.regex(address ?? '', /^(\/(?!\/)|#main$|data:,$)/, path);
      }
    }
  }
});

const MARKUP = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)' autofocus='",
  '</title></textarea><svg onload=alert(1)>',
  '&lt;b&gt; &amp; {{7*7}}',
  '\u202Ename of a token',
];

const TAG =
  /<(?:\/[a-z0-9]+|!DOCTYPE html|(?:a|bdi|body|button|code|dd|div|dl|dt|fieldset|form|h[1-6]|head|header|html|input|label|legend|li|link|main|meta|nav|option|p|pre|select|span|strong|table|tbody|td|th|thead|time|title|tr|ul|script(?= src="\/settings\/(?:copy|choose)\.js"))((?: [a-z-]+(?:="[^"<>]*")?)*))>/g;

test('attack: markup in names stays text on every page', async t => {
  const visitor = createVisitor(scene.origin);
  await visitor.signIn(await scene.signInLink('mark'));
  for (const [index, name] of MARKUP.entries()) {
    await scene.model.project(`s-${index}`, ...space(['mark'], `${name} space`));
    await scene.model.project(`m-${index}`, budget(`s-${index}`, `${name} budget`));
  }
  const picked = MARKUP.map((_, index) => `m-${index}`);
  const pages = [await visitor.get('/settings/tokens/new')];
  for (const name of MARKUP) {
    const fields = { ...PLAIN, reach: 'picked', budget: picked, name };
    pages.push(
      await visitor.post('/settings/tokens', {
        ...fields,
        access: 'picked',
        ...(await visitor.newForm()),
      }),
    );
    pages.push(await visitor.post('/settings/tokens', { ...fields, ...(await visitor.newForm()) }));
  }
  pages.push(await visitor.get('/settings/tokens'));
  const [token] = await scene.tokens.list('mark');
  pages.push(await visitor.get(`/settings/tokens/${token?.id}/revoke`));
  const attributes = new Set<string | undefined>();
  for (const { status, text } of pages) {
    t.true(status < 500);
    // Without the tags that this service writes, a < would come from a name.
    t.notRegex(text.replaceAll(TAG, ''), /</);
    for (const [, inside = ''] of text.matchAll(TAG)) {
      for (const [, name] of inside.matchAll(/ ([a-z-]+)(?:="[^"]*")?/g)) attributes.add(name);
    }
  }
  const known =
    'aria-describedby aria-label aria-labelledby autocomplete autofocus action charset checked class content data-copies datetime defer for hidden href http-equiv id lang method name rel required role scope selected src tabindex type value';
  t.deepEqual(
    [...attributes].filter(name => !known.split(' ').includes(name ?? '')),
    [],
  );
  t.is((await scene.tokens.list('mark')).length, MARKUP.length);
});

test('attack: pages do not repeat text from the address', async t => {
  for (const path of [
    '/settings/sign-in?notice=<b>boo</b>',
    '/settings/tokens?notice=__proto__',
    '/settings/sign-in?link=boo',
    '/settings/boo',
    '/settings/sign-in?notice=%ff',
  ]) {
    const answer = await anna.get(path);
    t.notRegex(answer.text, /boo|__proto__/, path);
  }
});

test('while the database is away, pages say so', async t => {
  const client = await new MongoClient(mongo.url).connect();
  const away = await startScene(mongo, { client });
  t.teardown(() => away.stop());
  const visitor = createVisitor(away.origin);
  await visitor.signIn(await away.signInLink('anna'));
  await client.close();
  for (const path of [
    '/settings/tokens',
    '/settings/tokens/new',
    `/settings/sign-in?link=${'x'.repeat(43)}`,
  ]) {
    const answer = await visitor.get(path);
    t.is(answer.status, 503, path);
    t.is(answer.headers['retry-after'], '2');
    t.regex(answer.text, /Not available/);
    t.notRegex(answer.text, /mongo/i);
  }
  t.is((await visitor.get('/')).status, 200);
  for (let times = 0; times < 2; times += 1) await visitor.get('/api/v1/budgets');
  t.is(away.logged().split('limits not counted').length, 2, 'one line in an outage');
});

test('the log has nothing secret or personal, and names each page by its pattern', async t => {
  const visitor = createVisitor(scene.origin);
  const link = await scene.signInLink('anna');
  await visitor.signIn(link);
  const { record } = await scene.tokens.issue({ owner: 'anna' }, new Date());
  await visitor.get(`/settings/tokens/${record.id}/revoke`);
  const form = await visitor.newForm();
  await visitor.post('/settings/tokens', { ...PLAIN, name: 'My own name', ...form });
  const logged = scene.logged();
  const secrets = [
    ...visitor.jar.values(),
    form.form_key,
    new URL(link).searchParams.get('link') ?? '?',
  ];
  for (const secret of [...secrets, record.id, 'My own name', 'service_pat_']) {
    t.false(logged.includes(secret), secret);
  }
  for (const route of ['/settings/tokens', '/settings/tokens/:id/revoke', '/settings/sign-in']) {
    t.true(logged.includes(`"route":"${route}"`), route);
  }
});
