// Checks the parameters of a request against the schema of its endpoint: nothing is trimmed, ignored or guessed.
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { nearestName } from '../process/nearest-name.ts';
import { shown } from '../process/printable.ts';
import { checkAt, createAjv, describeError } from '../process/validation.ts';
import { ApiError, badParameters, DETAILS_MAX, type ParameterProblem } from './api-error.ts';
import { decodeText, parseQuery, type RawParameter } from './query-string.ts';
import type { Context } from './request-state.ts';

/** The parameters of a request, as they were sent. */
export interface RawInput {
  /** Undecoded values by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: string;
  /** Returns undefined if the header is absent. */
  readonly header: (name: string) => string | undefined;
  /** The date in UTC, for rules that depend on it. */
  readonly today: string;
  /** The names that the hint at an unknown parameter lists, if not those in the query: a tool takes others. */
  readonly takes?: readonly string[] | undefined;
}

export interface QuerySchema {
  readonly properties: Readonly<Record<string, PropertySchema>>;
}

interface PropertySchema {
  readonly description?: string;
  readonly type?: unknown;
  /** The parameter's place, `path` or `header`; absent for the query. */
  readonly 'x-in'?: string;
}

/**
 * A rule over several parameters; receives only those that are valid on their own, the date in UTC, and whether a
 * parameter of the query was sent at all.
 */
export type Rule<Query> = (
  values: Readonly<Partial<Query>>,
  today: string,
  isSent: (name: string) => boolean,
) => ParameterProblem | null;

/** The longest query that is all in order has little more than half of it. */
const QUERY_BYTES_MAX = 8192;
const UNREADABLE = 'Expected parameters to be percent-encoded UTF-8';

const ajv = createAjv({ allErrors: true, useDefaults: true });

/**
 * Returns a check that returns the parameters of an endpoint with defaults filled in, or throws an ApiError of status
 * 400. `path` is the schema's path in the repository; the schema's references are relative to it.
 */
export function createParameterCheck<Query extends object>(
  path: string,
  schema: QuerySchema,
  rules: readonly Rule<Query>[] = [],
): (input: RawInput) => Query {
  let compiled: ValidateFunction<Query> | undefined;
  return function checkParameters(input) {
    // Compiled on the first request: compiling all schemas would take a good part of a reader's start.
    compiled ??= compile<Query>(path, schema);
    checkLength(input.query);
    const collected = collect(schema, input);
    const { values, found } = collected;
    const isValid = compiled(values);
    const valid: Partial<Query> = isValid ? values : withoutErrors(compiled, schema, collected);
    const isSent = (name: string) => found.has(keyOf(name, undefined));
    for (const rule of rules) {
      const problem = rule(valid, input.today, isSent);
      if (problem === null) continue;
      const key = keyOf(problem.param, schema.properties[problem.param]);
      if (!found.get(key)) found.set(key, problem);
    }
    const [first, ...rest] = [...found.values()].filter(problem => problem !== null);
    if (first !== undefined) throw badParameters([first, ...rest]);
    if (!isValid) throw new Error(`Expected a problem for each error of ${path}, got none`);
    return values;
  };
}

/** Node gives each byte of the query as one character. */
function checkLength({ length }: string): void {
  if (length <= QUERY_BYTES_MAX) return;
  const message = `Expected a query of at most ${QUERY_BYTES_MAX} bytes, got ${length}`;
  throw new ApiError('invalid_parameter', { message });
}

function compile<Query>(path: string, schema: QuerySchema): ValidateFunction<Query> {
  if (ajv.getSchema(path) === undefined) ajv.addSchema(schema, path);
  return checkAt<Query>(ajv, path);
}

interface Collected {
  /** The decoded values; numbers and booleans where schema and spelling allow. */
  readonly values: Record<string, string | number | boolean>;
  /**
   * The problem of each parameter, null while none is found. The keys are place and name, because a query may carry a
   * name of the path or of a header. In the order of the request: path, query, headers; missing parameters last.
   */
  readonly found: Map<string, ParameterProblem | null>;
}

/** Unknown parameters always come in the query. */
function keyOf(name: string, property: PropertySchema | undefined): string {
  return `${property?.['x-in'] ?? 'query'} ${name}`;
}

function collect({ properties }: QuerySchema, { path, query, header, takes }: RawInput): Collected {
  const collected: Collected = { values: {}, found: new Map() };
  const names = Object.keys(properties);
  const inHeader = names.filter(name => properties[name]?.['x-in'] === 'header');
  const inQuery = names.filter(name => properties[name]?.['x-in'] === undefined);
  for (const [name, text] of Object.entries(path)) {
    add(collected, { name, value: decodeText(text) }, properties[name]);
  }
  for (const parameter of parseQuery(query)) {
    const { name } = parameter;
    if (inQuery.includes(name)) add(collected, parameter, properties[name]);
    else addUnknown(collected, parameter, takes ?? inQuery);
  }
  for (const name of inHeader) {
    const value = header(name);
    if (value !== undefined) add(collected, { name, value }, properties[name]);
  }
  return collected;
}

function add(
  { values, found }: Collected,
  { name, value }: RawParameter,
  property: PropertySchema | undefined,
): void {
  const key = keyOf(name, property);
  if (found.has(key)) {
    found.set(key, invalid(name, `Expected ${name} once, got it repeated`));
    delete values[name];
  } else if (value === null) {
    found.set(key, invalid(name, `Expected ${name} to be percent-encoded UTF-8`));
  } else {
    found.set(key, null);
    values[name] = coerce(value, property?.type);
  }
}

function addUnknown(
  { found }: Collected,
  { name, value }: RawParameter,
  known: readonly string[],
): void {
  const key = keyOf(name, undefined);
  if (found.has(key)) return;
  // Among the problems that are shown, besides parameters in order. Thousands of names would cost too much time.
  const isShown = found.size < DETAILS_MAX + known.length;
  if (value === null) found.set(key, invalid(name, UNREADABLE));
  else found.set(key, unknownParameter(name, isShown ? known : null));
}

/** Converts only the canonical spelling: `007`, `+1`, `1.0` and `True` stay strings, which the schema refuses. */
function coerce(text: string, type: unknown): string | number | boolean {
  if (type === 'integer' && /^(?:0|[1-9][0-9]{0,14})$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Notes the errors of the last validation, and returns the values that are valid on their own. */
function withoutErrors<Query>(
  validate: ValidateFunction<Query>,
  { properties }: QuerySchema,
  { values, found }: Collected,
): Partial<Query> {
  for (const error of validate.errors ?? []) {
    const isMissing = error.keyword === 'required';
    const name = isMissing ? String(error.params.missingProperty) : error.instancePath.slice(1);
    const key = keyOf(name, properties[name]);
    if (found.get(key)) continue;
    const message = isMissing ? `Expected ${name}, got none` : describeError(error, { root: '' });
    const code = isMissing ? 'missing_parameter' : 'invalid_parameter';
    found.set(key, { param: name, code, message });
    delete values[name];
  }
  return values as Partial<Query>;
}

function invalid(param: string, message: string): ParameterProblem {
  return { param, code: 'invalid_parameter', message };
}

/** `known` are the names that there are, or null to leave out the hint. */
export function unknownParameter(param: string, known: readonly string[] | null): ParameterProblem {
  const got = `Expected a parameter of this endpoint, got ${shown(param)}`;
  const message = known === null ? got : `${got}; ${hintFor(param, known)}`;
  return { param, code: 'unknown_parameter', message };
}

function hintFor(param: string, known: readonly string[]): string {
  const names = known.length === 0 ? 'none' : known.join(', ');
  const nearest = nearestName(param, known);
  return nearest === null ? `it takes ${names}` : `did you mean ${nearest}? It takes ${names}`;
}

/**
 * Returns a function that returns the checked parameters of a request, or throws an ApiError of status 400. `name` is
 * that of a schema in schemas/api/queries, `today` the date in UTC.
 */
export function createQueryReader<Query extends object>(
  name: string,
  schema: QuerySchema,
  rules: readonly Rule<Query>[] = [],
): (ctx: Context, today: string) => Query {
  const check = createParameterCheck(`schemas/api/queries/${name}.json`, schema, rules);
  const inPath = Object.entries(schema.properties).flatMap(([property, { 'x-in': place }]) =>
    place === 'path' ? property : [],
  );
  return function readQuery(ctx, today) {
    // The undecoded captures: the router would repair or refuse malformed encodings.
    const captures = (ctx as { captures?: readonly string[] }).captures ?? [];
    return check({
      path: Object.fromEntries(inPath.map((property, index) => [property, captures[index] ?? ''])),
      query: ctx.state.query,
      takes: ctx.state.takes,
      header: header => ctx.req.headers[header.toLowerCase()]?.toString(),
      today,
    });
  };
}
