// The whole page: what it names comes from the document and from the code, and all of its links lead somewhere.
import test from 'ava';
import { ROUTES, SCOPES } from '../../../schemas/generated/api.ts';
import { QUERY_SCHEMAS } from '../../../schemas/generated/query-schemas.ts';
import { ERRORS } from '../../../src/http/api-error.ts';
import { renderDocsPage } from '../../../src/http/docs/render-page.ts';
import { FACTS, PAGE, sectionOf } from './real-page.ts';

test('the guide comes first, then the endpoints, then what they share', t => {
  const ids = [...PAGE.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
  const endpoints = Object.keys(FACTS.document.paths).length;
  t.deepEqual(
    ids.slice(0, 11),
    'token first-call paging filters sums limits errors etag positions sync told'.split(' '),
  );
  t.true(ids.slice(11, -3).every(id => id?.startsWith('get-')));
  t.is(ids.length, 11 + endpoints + 3);
  t.deepEqual(ids.slice(-3), ['statuses', 'headers', 'values']);
});

test('every section is in the contents, ids are unique, and every link leads to one', t => {
  const ids = [...PAGE.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id ?? '');
  t.is(new Set(ids).size, ids.length);
  const links = [...PAGE.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id ?? '');
  t.deepEqual(
    links.filter(id => !ids.includes(id)),
    [],
  );
  const contents = PAGE.slice(PAGE.indexOf('<nav class="contents"'), PAGE.indexOf('<main'));
  const sections = [...PAGE.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
  t.deepEqual(
    [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id),
    sections,
  );
});

test('the page knows its address: nobody has to put it in', t => {
  t.notRegex(PAGE, /HOST|YOUR_|example\.com\/api/);
  for (const { path } of ROUTES) {
    const [plain = ''] = path.split('{');
    t.true(PAGE.includes(`http://service.test/api/v1${plain}`), path);
  }
});

test('limits are those that are configured', t => {
  const limits = {
    addressPerMinute: 301,
    tokenReadsPerMinute: 62,
    tokenWritesPerMinute: 33,
    userPerMinute: 124,
    userPerDay: 20_005,
  };
  const section = sectionOf(renderDocsPage({ ...FACTS, limits }), 'limits');
  t.deepEqual(
    [...section.matchAll(/<td>([\d,]+ a \w+)<\/td>/g)].map(([, text]) => text),
    ['301 a minute', '62 a minute', '33 a minute', '124 a minute', '20,005 a day'],
  );
});

test('errors are listed by code, each once with its status', t => {
  const rows = [
    ...sectionOf(PAGE, 'errors').matchAll(/<dt><code>(\w+)<\/code> <[^>]*><[^>]*>(\d+)</g),
  ];
  t.deepEqual(
    rows.map(([, code, status]) => [code, Number(status)]),
    Object.entries(ERRORS).map(([code, { status }]) => [code, status]),
  );
});

test('filters are the parameters of /transactions, and bounds those of the schemas', t => {
  const filters = Object.keys(QUERY_SCHEMAS.transactions.properties).filter(
    name => !/^(budget_id|limit|offset|X-.*)$/.test(name),
  );
  const named = [...sectionOf(PAGE, 'filters').matchAll(/<dt><code>(\w+)</g)].map(([, one]) => one);
  t.deepEqual(named, filters);
  const { limit, 'X-Projection-Wait-Seconds': seconds } = QUERY_SCHEMAS.transactions.properties;
  t.true(sectionOf(PAGE, 'paging').includes(`at most ${limit.maximum} transactions`));
  const words = `(default ${seconds.default}, at most ${seconds.maximum}, 0 for no wait)`;
  t.true(sectionOf(PAGE, 'positions').includes(words));
  for (const scope of SCOPES) t.true(sectionOf(PAGE, 'token').includes(`<code>${scope}</code>`));
});

test('statuses and headers are described once, and endpoints link to them', t => {
  const { components = {}, paths } = FACTS.document;
  const description = components.headers?.['X-Projection-Position']?.description ?? '?';
  t.is(PAGE.split(description).length, 2);
  const statuses = Object.keys(paths['/accounts']?.get?.responses ?? {});
  const described = [...sectionOf(PAGE, 'statuses').matchAll(/id="status-(\d+)"/g)];
  t.deepEqual(
    described.map(([, status]) => status),
    statuses,
  );
  const linked = [...sectionOf(PAGE, 'get-accounts').matchAll(/href="#status-(\d+)"/g)];
  t.deepEqual(
    linked.map(([, status]) => status),
    statuses,
  );
  const headers = [...sectionOf(PAGE, 'headers').matchAll(/<dt><code>([\w-]+)<[\s\S]*?<\/dd>/g)];
  t.deepEqual(
    headers.map(([, name]) => name),
    Object.keys(components.headers ?? {}),
  );
  const position = headers.find(([, name]) => name === 'X-Projection-Position')?.[0] ?? '';
  t.regex(position, /but not from <code>\/budgets<\/code>\s<code>\/token<\/code>/);
});

test('the answer of an endpoint is described beside it, down to the fields of what it lists', t => {
  const section = sectionOf(PAGE, 'get-transactions');
  for (const name of ['transactions', 'pagination', 'splitGroupId', 'has_more', 'labels']) {
    t.true(section.includes(`<code>${name}</code> <span class="type">`), name);
  }
  t.regex(section, /<summary>Answer as text\/csv<\/summary>/);
});

test('parts of a page without a server, headers or values leave no trace', t => {
  const { components: _, servers: __, ...document } = FACTS.document;
  const page = renderDocsPage({
    ...FACTS,
    document: { ...document, paths: onlyWhatTheGuideNeeds() },
  });
  t.notRegex(page, />(undefined|null)</);
  t.true(page.includes('below <code>http://service.test</code>'));
});

function onlyWhatTheGuideNeeds() {
  const parameter = (name: string) => ({ name, in: 'query', schema: { maximum: 9 } });
  const get = (...names: string[]) => ({
    get: { parameters: names.map(parameter), responses: {} },
  });
  return {
    '/transactions': get('limit'),
    '/payees': get('limit'),
    '/accounts': get('X-Projection-Wait-Seconds'),
    '/changes': get('cursor', 'wait'),
  };
}
