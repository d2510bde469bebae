// Answers match the OpenAPI document: statuses, headers, bodies.
import { Ajv2020 } from 'ajv/dist/2020.js';
import openapi from '../../schemas/openapi.json' with { type: 'json' };
import { CORS_HEADERS } from '../../src/http/middleware/cors.ts';
import { SECURITY_HEADERS } from '../../src/http/middleware/security-headers.ts';
import { checkAt } from '../../src/process/validation.ts';
import { test } from '../helpers/file-test.ts';
import { account, budget, category, group, label, payee, row, space } from '../model/scene.ts';
import type { Answered, Asked, Body } from './serve.ts';
import { useServed } from './use-served.ts';

let token: string;
let narrowed: string;

const served = useServed(test, { name: 'http_openapi' }, async () => {
  token = await served.issue('anna');
  narrowed = await served.issue('anna', { budgets: ['b2'] });
  const { project, hold } = served.model;
  await project('s1', ...space(['anna']));
  await project(
    'b1',
    budget('s1'),
    account('home'),
    account('dollars', true, { currency: 'USD' }),
    group('g1'),
    category('c1', 'g1'),
    payee('p1'),
    label('l1'),
    row('t1', { labelIds: ['l1'] }),
    row('t2', { accountId: 'dollars', amountNative: '-0.05', exchangeRate: 1.25 }),
  );
  await hold('b1', { ...payee('late'), sequence: 99 });
});

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(openapi, 'openapi');

/** Returns the part of the document that a reference names; any other value unchanged. */
function resolve(value: Body): Body {
  if (typeof value?.$ref !== 'string') return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce((whole: Body, step: string) => whole[step], openapi);
}

const pointer = (steps: readonly string[]) =>
  steps
    .map(step => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');

/** Headers of HTTP itself, and those that say how browsers and proxies may use any answer of this server. */
const PLAIN_HEADERS = new Set([
  ...['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'],
  'x-accel-buffering',
  ...Object.keys({ ...SECURITY_HEADERS, ...CORS_HEADERS }).map(name => name.toLowerCase()),
]);

/** Returns how an answer differs from the document. */
function differences(path: string, { status, headers, body, text }: Answered): string[] {
  const steps = ['paths', path, 'get', 'responses', String(status)];
  const given = steps.reduce((whole: Body, step) => whole?.[step], openapi);
  if (given === undefined) return [`status ${status}`];
  const place = given.$ref ?? `#${pointer(steps)}`;
  const response = resolve(given);
  const found: string[] = [];
  for (const [name, header] of Object.entries<Body>(response.headers ?? {})) {
    const { required, schema } = resolve(header);
    const value = headers.get(name);
    if (value === null && required) found.push(`no header ${name}`);
    if (value === null) continue;
    const typed = schema.type === 'integer' ? Number(value) : value;
    if (!ajv.validate(schema, typed)) found.push(`header ${name}: ${value}`);
  }
  const known = Object.keys(response.headers ?? {}).map(name => name.toLowerCase());
  // What no cache may keep varies for nobody.
  if (headers.get('cache-control') === 'no-store') known.push('vary');
  for (const name of headers.keys()) {
    if (!known.includes(name) && !PLAIN_HEADERS.has(name))
      found.push(`undocumented header ${name}`);
  }
  if ('text/event-stream' in (response.content ?? {})) return found;
  if (response.content === undefined) return text === '' ? found : [...found, 'a body'];
  const schema = `openapi${place}${pointer(['content', 'application/json', 'schema'])}`;
  const check = checkAt(ajv, schema);
  if (!check(body)) found.push(ajv.errorsText(check.errors));
  return found;
}

/** Returns the example of an error, without the id of its request. */
function exampleOf(path: string, status: number, code: string): Body {
  const { responses } = (openapi.paths as Body)[path].get;
  const { error } = resolve(responses[status]).content['application/json'].examples[code].value;
  const { requestId: _, ...rest } = error;
  return { error: rest };
}

const targetOf = (path: string) =>
  path.replace('{month}', '2024-01').replace('{transaction_id}', 't1');

/** The parameters that a path needs besides the budget. */
const NEEDED: Readonly<Record<string, string>> = {
  '/months': '&start_month=2024-01&end_month=current',
  '/category-months': '&start_month=2023-12&end_month=2024-01&include_hidden=true',
  '/balances': '&start_date=2023-12-31&end_date=2024-02-01&account_id=home',
  '/sums': '&group_by=category&interval=month&transfers=include',
};

const asked: [path: string, status: number, target: string, asked: () => Asked][] = Object.keys(
  openapi.paths,
).flatMap(path => {
  const target = targetOf(path);
  const isOpen = path === '/openapi.json';
  const isStream = path === '/events';
  const isToken = path === '/token' || isStream;
  const ofBudget = (id: string) =>
    path === '/budgets' || isOpen || isToken
      ? target
      : `${target}?budget_id=${id}${NEEDED[path] ?? ''}`;
  const always: [string, number, string, () => Asked][] = [
    // A stream has no end: HEAD answers its headers.
    [path, 200, ofBudget('b1'), () => ({ token, ...(isStream && { method: 'HEAD' }) })],
    [path, 400, `${target}?colour=1`, () => ({ token })],
    [path, 405, ofBudget('b1'), () => ({ token, method: 'POST' })],
    [path, 431, ofBudget('b1'), () => ({ token, headers: { cookie: 'c'.repeat(17_000) } })],
  ];
  const matching = { 'if-none-match': '*' };
  if (!isToken) always.push([path, 304, ofBudget('b1'), () => ({ token, headers: matching })]);
  if (isOpen) return always;
  always.push([path, 401, ofBudget('b1'), () => ({ token: 'junk' })]);
  if (path === '/budgets' || isToken) return always;
  always.push([path, 403, ofBudget('b1'), () => ({ token: narrowed })]);
  always.push([path, 404, ofBudget('nowhere'), () => ({ token })]);
  return always;
});

for (const [path, status, target, how] of asked) {
  test(`OpenAPI: ${path} ${status}`, async t => {
    const answer = await served.api(target, how());
    t.is(answer.status, status);
    t.deepEqual(differences(path, answer), []);
    // The error of a bad parameter depends on the parameter.
    if (status > 400) t.like(answer.body, exampleOf(path, status, answer.body.error.code));
  });
}

test('OpenAPI lists exactly the paths that are served', async t => {
  for (const path of Object.keys(openapi.paths)) {
    const { status } = await served.api(targetOf(path), { token, method: 'HEAD' });
    t.not(status, 404, path);
  }
});
