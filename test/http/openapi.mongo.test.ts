// Answers are what the OpenAPI document says: statuses, headers, bodies.
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import openapi from '../../schemas/openapi.json' with { type: 'json' };
import { useMongo } from '../helpers/mongo.ts';
import { writeBudget, writeSpace } from '../read-store/write-model.ts';
import { type Answered, type Asked, type Body, type Served, serve } from './serve.ts';

const mongo = useMongo(test);
let served: Served;
let token: string;
let narrowed: string;

test.before(async () => {
  served = await serve(mongo, 'http_openapi');
  token = await served.issue('anna');
  narrowed = await served.issue('anna', { budgets: ['b2'] });
  await writeSpace(served.model, 's1', ['anna']);
  const held = { since: '2024-05-06T07:08:09.010Z', why: 'gap' as const, reason: '', queued: 1 };
  await writeBudget(served.model, {
    id: 'b1',
    spaceId: 's1',
    held,
    accounts: [{ id: 'a1' }, { id: 'a2', currency: 'USD' }],
    groups: [{ id: 'g1' }],
    categories: [{ id: 'c1', groupId: 'g1' }],
    payees: [{ id: 'p1' }],
    labels: [{ id: 'l1' }],
    rows: [
      { id: 't1', date: '2024-01-01', labels: [{ id: 'l1', name: 'Name l1' }] },
      { id: 't2', date: '2024-01-02', accountId: 'a2', amountNative: -5, exchangeRate: 1.25 },
    ],
  });
});

mongo.beforeStop(async () => {
  await served?.stop();
});

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(openapi, 'openapi');

/** What a reference names, within the document. */
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

/** What an answer has that the document does not say, or lacks. */
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
  for (const name of [
    'etag',
    'x-projection-position',
    'x-projection-parked-since',
    'allow',
    'www-authenticate',
    'retry-after',
  ]) {
    if (headers.get(name) !== null && !known.includes(name))
      found.push(`undocumented header ${name}`);
  }
  if (response.content === undefined) return text === '' ? found : [...found, 'a body'];
  const schema = `openapi${place}${pointer(['content', 'application/json', 'schema'])}`;
  if (!ajv.validate({ $ref: schema }, body)) found.push(ajv.errorsText());
  return found;
}

/** The example of an error, without the id of its request. */
function exampleOf(path: string, status: number, code: string): Body {
  const { responses } = (openapi.paths as Body)[path].get;
  const { error } = resolve(responses[status]).content['application/json'].examples[code].value;
  const { requestId: _, ...rest } = error;
  return { error: rest };
}

/** The parameters that a path needs besides the budget. */
const NEEDED: Readonly<Record<string, string>> = {
  '/months': '&start_month=2024-01&end_month=current',
  '/category-months': '&start_month=2023-12&end_month=2024-01&include_hidden=true',
  '/balances': '&start_date=2023-12-31&end_date=2024-02-01&account_id=a2',
};

const asked: [path: string, status: number, target: string, asked: () => Asked][] = Object.keys(
  openapi.paths,
).flatMap(path => {
  const target = path.replace('{month}', '2024-01');
  const isOpen = path === '/openapi.json';
  const ofBudget = (id: string) =>
    path === '/budgets' || isOpen ? target : `${target}?budget_id=${id}${NEEDED[path] ?? ''}`;
  const always: [string, number, string, () => Asked][] = [
    [path, 200, ofBudget('b1'), () => ({ token })],
    [path, 304, ofBudget('b1'), () => ({ token, headers: { 'if-none-match': '*' } })],
    [path, 400, `${target}?colour=1`, () => ({ token })],
    [path, 405, ofBudget('b1'), () => ({ token, method: 'POST' })],
  ];
  if (isOpen) return always;
  always.push([path, 401, ofBudget('b1'), () => ({ token: 'junk' })]);
  if (path === '/budgets') return always;
  always.push([path, 403, ofBudget('b1'), () => ({ token: narrowed })]);
  always.push([path, 404, ofBudget('nowhere'), () => ({ token })]);
  return always;
});

for (const [path, status, target, how] of asked) {
  test(`OpenAPI: ${path} ${status}`, async t => {
    const answer = await served.api(target, how());
    t.is(answer.status, status);
    t.deepEqual(differences(path, answer), []);
    // What is said of a bad parameter depends on the parameter.
    if (status > 400) t.like(answer.body, exampleOf(path, status, answer.body.error.code));
  });
}

test('OpenAPI lists exactly the paths that are served', async t => {
  for (const path of Object.keys(openapi.paths)) {
    const { status } = await served.api(path.replace('{month}', '2024-01'), { token });
    t.not(status, 404, path);
  }
});
