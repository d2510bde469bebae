// The OpenAPI document: its structure, its references, its headers by status, and its examples.
import test from 'ava';
import { isCalendarDate, isUtcTime } from '../../schemas/formats.ts';
import { ROUTES, SCOPES } from '../../schemas/generated/api.ts';
import { readQuery } from '../../scripts/generate/query-schemas.ts';
import { type JsonSchema, readJson } from '../../scripts/generate/schema-files.ts';
import { checkAt, createAjv } from '../../src/process/validation.ts';
import { visitAll } from './visit-all.ts';

interface Response {
  readonly description: string;
  readonly headers: Record<string, JsonSchema>;
  readonly content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Examples }>;
}
type Examples = Record<string, { readonly value: { readonly error: JsonSchema } }>;
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}
interface Operation {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly description: string;
  readonly security: Record<string, string[]>[];
  readonly parameters: JsonSchema[];
  readonly responses: Record<string, JsonSchema>;
}
interface Document {
  readonly openapi: string;
  readonly info: JsonSchema;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: Record<string, Record<string, JsonSchema>>;
}

const DOCUMENT = readJson('schemas/openapi.json') as unknown as Document;

/** Returns the part itself, or the part that it refers to. */
function at<T>(part: unknown): T {
  const { $ref } = part as JsonSchema;
  if (typeof $ref !== 'string') return part as T;
  const steps = $ref.replace('#/', '').split('/');
  return steps.reduce<unknown>((found, step) => (found as JsonSchema)[step], DOCUMENT) as T;
}

/** With the document's schemas and OpenAPI's names of our formats. */
const documentAjv = createAjv({
  strict: false,
  formats: { date: isCalendarDate, 'date-time': isUtcTime, double: true },
}).addSchema(DOCUMENT, 'openapi');

const operations = Object.entries(DOCUMENT.paths).map(
  ([path, methods]) => [path, methods.get as Operation] as const,
);

test('the document is OpenAPI 3.1, version 1.2.0, with GET only', t => {
  t.is(DOCUMENT.openapi, '3.1.0');
  t.is(DOCUMENT.info.version, '1.2.0');
  t.truthy(DOCUMENT.info.title);
  for (const methods of Object.values(DOCUMENT.paths)) t.deepEqual(Object.keys(methods), ['get']);
});

test('it says who answers for it, under which licence, and where its guide is', t => {
  t.like(DOCUMENT.info, {
    contact: { name: 'The operators of this service' },
    license: { identifier: 'Apache-2.0' },
  });
  t.regex(String(DOCUMENT.info.description), /\/docs on the same host/);
});

test('every endpoint is in one group, and every group is described and has endpoints', t => {
  const used = operations.map(([, { tags }]) => tags);
  t.true(used.every(tags => tags.length === 1));
  const described = DOCUMENT.tags.map(({ name }) => name);
  t.deepEqual([...new Set(used.flat())].sort(), [...described].sort());
  t.true(DOCUMENT.tags.every(({ description }) => description !== ''));
});

test('rules/api.md#open-enumerations: open enumerations name the values of today and accept others', t => {
  const open: Record<string, string[]> = {};
  visitAll(DOCUMENT.components.schemas, '', ({ 'x-extensible-enum': known, ...rest }, place) => {
    if (known === undefined) return;
    const values = known as string[];
    open[place] = values;
    t.like(rest, { type: 'string', examples: [values[0]] }, place);
    t.false('enum' in rest || 'anyOf' in rest, place);
  });
  t.deepEqual(Object.keys(open), [
    '/Account/properties/type',
    '/Transaction/properties/type',
    '/CategoryGroup/properties/budgetMode',
    '/Token/properties/scopes/items',
    '/CategoryGroupSummary/properties/budgetMode',
    '/Deletion/properties/kind',
    '/ErrorBody/properties/error/properties/code',
    '/ErrorBody/properties/error/properties/details/items/properties/code',
  ]);
  t.deepEqual(open['/Token/properties/scopes/items'], [...SCOPES]);
  const check = checkAt(documentAjv, 'openapi#/components/schemas/Deletion');
  t.true(check({ kind: 'transaction', id: 'x' }));
  t.true(check({ kind: 'a kind of tomorrow', id: 'x' }));
  t.false(check({ kind: 1, id: 'x' }));
});

test('the paths are the endpoints and the document itself, each with its own operation id', t => {
  const paths = [...ROUTES.map(({ path }) => path), '/openapi.json'];
  t.deepEqual(Object.keys(DOCUMENT.paths), paths);
  t.is(new Set(operations.map(([, { operationId }]) => operationId)).size, paths.length);
});

test('every reference has a target, and every component is used', t => {
  const text = JSON.stringify(DOCUMENT);
  const references = new Set([...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, to]) => to ?? ''));
  for (const $ref of references) t.truthy(at({ $ref }), $ref);
  for (const [kind, components] of Object.entries(DOCUMENT.components)) {
    if (kind === 'securitySchemes') continue;
    for (const name of Object.keys(components)) {
      t.regex(name, /^[\w.-]+$/);
      t.true(references.has(`#/components/${kind}/${name}`), `${kind}/${name}`);
    }
  }
});

test('the schemas are JSON Schema 2020-12', t => {
  for (const name of Object.keys(DOCUMENT.components.schemas ?? {})) {
    t.is(typeof documentAjv.getSchema(`openapi#/components/schemas/${name}`), 'function', name);
  }
});

const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const CORS = 'Access-Control-Allow-Origin';
const CODED = ['Vary', 'Content-Encoding'];
const CACHED = [CORS, ...LIMITS, 'X-Request-Id', 'ETag', 'Cache-Control', ...CODED];
const REFUSED = CACHED.filter(name => name !== 'ETag' && name !== 'Vary');
const NOTICE = ['Deprecation', 'Sunset', 'Link'];
const POSITION = ['X-Projection-Position', 'X-Projection-Parked-Since'];
const OWN: Record<string, string[]> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

for (const { path, scopes, query, noStore = false, stream = false } of ROUTES) {
  const operation = DOCUMENT.paths[path]?.get as Operation;
  const isCached = (status: string) => status === '200' || status === '304';

  test(`rules/api.md#errors: ${path} lists every status`, t => {
    const statuses = '200 304 400 401 403 404 405 408 429 431 500 503'.split(' ');
    const expected = noStore ? statuses.filter(status => status !== '304') : statuses;
    t.deepEqual(Object.keys(operation.responses), expected);
  });

  test(`${path}: each status lists its headers`, t => {
    const ofBudget = ['/budgets', '/token', '/events'].includes(path) ? [] : POSITION;
    const cached = CACHED.filter(name => !(noStore && name === 'ETag')).filter(
      // A stream is never compressed.
      name => !(stream && name === 'Content-Encoding'),
    );
    for (const [status, response] of Object.entries(operation.responses)) {
      const expected = isCached(status)
        ? [...cached, ...NOTICE, ...ofBudget]
        : [...REFUSED, ...NOTICE, ...(OWN[status] ?? [])];
      t.deepEqual(Object.keys(at<Response>(response).headers), expected, status);
      t.truthy(at<Response>(response).description);
    }
  });

  test(`${path}: every status but 304 has a body with valid examples`, t => {
    for (const [status, response] of Object.entries(operation.responses)) {
      const type = stream && status === '200' ? 'text/event-stream' : 'application/json';
      const body = at<Response>(response).content?.[type];
      t.is(body === undefined, status === '304', status);
      if (body === undefined) continue;
      const check = checkAt(documentAjv, `openapi${body.schema.$ref}`);
      const examples = Object.values(body.examples ?? {}).map(({ value }) => value as unknown);
      if (body.example !== undefined) examples.push(body.example);
      t.true(examples.length > 0, status);
      for (const example of examples) t.true(check(example), JSON.stringify(check.errors));
    }
  });

  test(`${path}: requires a token with the scopes ${scopes.join(' ')}`, t => {
    t.deepEqual(operation.security, [{ personalAccessToken: [...scopes] }]);
    for (const scope of scopes) t.true(operation.description.includes(`\`${scope}\``), scope);
  });

  test(`${path}: its parameters are those of the schema, and If-None-Match where it has an ETag`, t => {
    const { schema } = readQuery(query);
    const required = (schema.required ?? []) as readonly string[];
    const parameters = operation.parameters.map(parameter => at<Parameter>(parameter));
    t.deepEqual(
      parameters.map(({ name }) => name),
      [...Object.keys(schema.properties as object), ...(noStore ? [] : ['If-None-Match'])],
    );
    for (const parameter of parameters) {
      t.is(parameter.required ?? false, required.includes(parameter.name));
      const isHeader = /^[XI]/.test(parameter.name);
      const inPath = path.includes(`{${parameter.name}}`);
      const place = isHeader ? 'header' : inPath ? 'path' : 'query';
      t.is(parameter.in, place);
      t.truthy(parameter.schema.type);
    }
  });
}

test('rules/api.md#csv: transactions come as CSV too, with the fields of Transaction in their order', t => {
  const contents = operations.map(([path, { responses }]) => {
    const { content = {} } = at<Response>(responses['200']);
    return [path, Object.keys(content).join(' '), content['text/csv']?.example] as const;
  });
  const fields = Object.keys(DOCUMENT.components.schemas?.Transaction?.properties as object);
  for (const [path, forms, example] of contents) {
    const isCsv = path === '/transactions';
    const whole = isCsv ? 'application/json text/csv' : 'application/json';
    t.is(forms, path === '/events' ? 'text/event-stream' : whole, path);
    if (isCsv) t.is(String(example).split('\r\n')[0], fields.join(','));
  }
});

test('openapi.json itself needs no token', t => {
  const operation = DOCUMENT.paths['/openapi.json']?.get;
  t.deepEqual(operation?.security, []);
  t.deepEqual(Object.keys(operation?.responses ?? {}), [
    '200',
    '304',
    '400',
    '405',
    '408',
    '429',
    '431',
    '500',
    '503',
  ]);
});

test('rules/api.md#errors: each status has an example of each of its codes', t => {
  const expected: Record<string, string[]> = {
    BadRequest: ['missing_parameter', 'invalid_parameter', 'unknown_parameter'],
    Unauthenticated: ['unauthenticated', 'invalid_token'],
    Forbidden: ['insufficient_scope', 'budget_not_allowed'],
    NotFound: ['not_found'],
    MethodNotAllowed: ['method_not_allowed'],
    RequestTimeout: ['invalid_parameter'],
    RateLimited: ['rate_limited'],
    HeadersTooLarge: ['invalid_parameter'],
    InternalError: ['internal_error'],
    Unavailable: ['unavailable'],
  };
  t.deepEqual(Object.keys(DOCUMENT.components.responses ?? {}), Object.keys(expected));
  for (const [name, codes] of Object.entries(expected)) {
    const response = DOCUMENT.components.responses?.[name] as unknown as Response;
    const examples = response.content?.['application/json']?.examples ?? {};
    t.deepEqual(
      Object.values(examples).map(({ value }) => value.error.code as string),
      codes,
    );
    const isBadRequest = name === 'BadRequest';
    t.true(
      Object.values(examples).every(
        ({ value }) =>
          Array.isArray(value.error.details) && value.error.details.length > 0 === isBadRequest,
      ),
    );
  }
});

test('the example of an ETag is weak, like those of the API', t => {
  t.regex(String(DOCUMENT.components.headers?.ETag?.example), /^W\/"[\w-]{22}"$/);
});

test('the security scheme is a bearer token and describes every scope', t => {
  const scheme = DOCUMENT.components.securitySchemes?.personalAccessToken;
  t.like(scheme, { type: 'http', scheme: 'bearer' });
  for (const scope of SCOPES) t.true(String(scheme?.description).includes(`- \`${scope}\`:`));
});
