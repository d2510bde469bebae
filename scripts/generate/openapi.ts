// Generates the OpenAPI 3.1 document from the hand-written frame, the routes, and the schemas of queries and answers.
import type { Route, Transaction } from '../../schemas/generated/api.ts';
import { CSV_HEAD, csvLine } from '../../src/store/reading/queries/csv.ts';
import { bodyReference, componentSchemas, queryParameters } from './openapi-schemas.ts';
import { type JsonSchema, readJson } from './schema-files.ts';

/** The components of the frame that this file reads. */
interface Components {
  readonly parameters: Record<string, JsonSchema>;
  readonly securitySchemes: { readonly personalAccessToken: JsonSchema };
}

const CORS_HEADER = 'Access-Control-Allow-Origin';
const LIMIT_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
const CACHE_HEADERS = [
  CORS_HEADER,
  ...LIMIT_HEADERS,
  'X-Request-Id',
  'ETag',
  'Cache-Control',
  'Vary',
  'Content-Encoding',
];
const ROUTE_HEADERS = [...CACHE_HEADERS, 'Deprecation', 'Sunset', 'Link'];
const BUDGET_HEADERS = [...ROUTE_HEADERS, 'X-Projection-Position', 'X-Projection-Parked-Since'];

/** Headers of every refusal. */
const REFUSAL_HEADERS = ROUTE_HEADERS.filter(name => name !== 'ETag' && name !== 'Vary');

/** An answer that is an error, as `schemas/api/refusals.json` lists them by the names of their components. */
interface Refusal {
  readonly status: number;
  readonly description: string;
  /** Headers that only this refusal has. */
  readonly headers: JsonSchema;
  readonly examples: JsonSchema;
}

/** Statuses that the document itself, which needs no token, never has. */
const TOKEN_STATUSES = [401, 403, 404];

/** Returns the text of `schemas/openapi.json`. */
export function openapi(routes: readonly Route[]): string {
  const { components: shared, ...frame } = readJson('schemas/api/openapi-base.json');
  const components = shared as Components;
  const parameters = { ...components.parameters };
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) paths[route.path] = { get: operation(route, parameters) };
  paths['/openapi.json'] = { get: documentOperation() };
  const document = {
    ...frame,
    paths,
    components: {
      ...components,
      parameters,
      securitySchemes: {
        personalAccessToken: withScopes(components.securitySchemes.personalAccessToken, routes),
      },
      responses: refusalComponents(),
      schemas: componentSchemas(),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Returns the operation of a route. Header parameters are the same for all routes, so they go to `shared`. */
function operation(route: Route, shared: Record<string, JsonSchema>): JsonSchema {
  const parameters = queryParameters(route.query).map(parameter => {
    if (parameter.in !== 'header') return parameter;
    shared[String(parameter.name)] = parameter;
    return { $ref: `#/components/parameters/${parameter.name}` };
  });
  const ofBudget = parameters.some(parameter => parameter.name === 'budget_id');
  const names = ofBudget ? BUDGET_HEADERS : ROUTE_HEADERS;
  const isStored = route.noStore !== true;
  const isStream = route.stream === true;
  const headers = headerReferences(
    names.filter(
      name => !(name === 'ETag' && !isStored) && !(name === 'Content-Encoding' && isStream),
    ),
  );
  const answer = readJson(`schemas/api/answers/${route.answer}.json`);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: `${route.description}\n\n${neededScopes(route)}`,
    ...(route.deprecation === null ? {} : { deprecated: true }),
    security: [{ personalAccessToken: route.scopes }],
    parameters: [
      ...parameters,
      ...(isStored ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
    ],
    responses: {
      200: {
        description: answer.description,
        headers,
        content: {
          [isStream ? 'text/event-stream' : 'application/json']: {
            schema: bodyReference(answer),
            example: readJson(`schemas/api/examples/${route.answer}.json`),
          },
          ...(route.csv === true && { 'text/csv': csvContent() }),
        },
      },
      ...(isStored && {
        304: { description: 'The answer that If-None-Match names still holds.', headers },
      }),
      ...refusals(),
    },
  };
}

/** Transactions are the only answers that come as CSV too. */
function csvContent(): JsonSchema {
  const { transactions } = readJson('schemas/api/examples/transactions.json');
  const description = 'RFC 4180, with a header line.';
  return {
    schema: { type: 'string', description },
    example: CSV_HEAD + (transactions as readonly Transaction[]).map(csvLine).join(''),
  };
}

function neededScopes({ scopes }: Route): string {
  const [first, ...more] = scopes.map(scope => `\`${scope}\``);
  if (first === undefined) return 'Needs no scope.';
  if (more.length === 0) return `Needs the scope ${first}.`;
  return `Needs all of the scopes ${[first, ...more].join(', ')}.`;
}

function documentOperation(): JsonSchema {
  const headers = headerReferences(CACHE_HEADERS);
  return {
    operationId: 'getDescription',
    tags: ['Description'],
    summary: 'This description of the API',
    description: 'Needs no token.',
    security: [],
    parameters: [{ $ref: '#/components/parameters/If-None-Match' }],
    responses: {
      200: {
        description: 'An OpenAPI 3.1 document.',
        headers,
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      304: { description: 'The document that If-None-Match names still holds.', headers },
      ...refusals(TOKEN_STATUSES),
    },
  };
}

function headerReferences(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

function readRefusals(): [name: string, refusal: Refusal][] {
  return Object.entries(readJson('schemas/api/refusals.json') as Record<string, Refusal>);
}

function refusalComponents(): JsonSchema {
  const schema = { $ref: '#/components/schemas/ErrorBody' };
  return Object.fromEntries(
    readRefusals().map(([name, { description, headers, examples }]) => [
      name,
      {
        description,
        headers: { ...headerReferences(REFUSAL_HEADERS), ...headers },
        content: { 'application/json': { schema, examples } },
      },
    ]),
  );
}

/** Returns references to the refusals of all statuses but `never`. */
function refusals(never: readonly number[] = []): JsonSchema {
  return Object.fromEntries(
    readRefusals()
      .filter(([, { status }]) => !never.includes(status))
      .map(([name, { status }]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

function withScopes(scheme: JsonSchema, routes: readonly Route[]): JsonSchema {
  const summaries = new Map<string, string[]>();
  for (const { scopes, summary } of routes) {
    for (const scope of scopes) summaries.set(scope, [...(summaries.get(scope) ?? []), summary]);
  }
  const scopes = [...summaries].map(([scope, of]) => `- \`${scope}\`: ${of.join('; ')}`);
  const description =
    'A personal access token: `Authorization: Bearer service_pat_…`. It acts as its owner, can be narrowed to budgets, ends after at most 365 days, and holds some or all of these scopes:';
  return { ...scheme, description: `${description}\n\n${scopes.join('\n')}` };
}
