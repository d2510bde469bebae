// Calls a tool: its arguments become the parameters of a route, and the route's answer or refusal the tool's result.
import { isWellFormed } from '../../../schemas/formats.ts';
import { ROUTES, type Route, type RouteName } from '../../../schemas/generated/api.ts';
import { QUERY_SCHEMAS } from '../../../schemas/generated/query-schemas.ts';
import { TOOLS, type Tool } from '../../../schemas/generated/tools.ts';
import {
  type ApiError,
  badParameters,
  DETAILS_MAX,
  errorBody,
  type ParameterProblem,
} from '../api-error.ts';
import { requireScopes } from '../middleware/authenticate.ts';
import { toApiError } from '../middleware/errors.ts';
import { type QuerySchema, unknownParameter } from '../parameters.ts';
import type { Context } from '../request-state.ts';
import { askInProcess, type RouteAnswer } from './ask-in-process.ts';
import { type Params, RPC, RpcError } from './json-rpc.ts';

export interface ToolSources {
  readonly basePath: string;
  /** Answers a request of the API that is authenticated and counted. */
  readonly answer: (route: RouteName, ctx: Context) => Promise<void>;
  /** Returns the ids of the budgets that the token reaches. */
  readonly budgets: (ctx: Context) => Promise<readonly string[]>;
  /** Takes room for so many bytes until the response has left, or throws. */
  readonly takeRoom: (ctx: Context, bytes: number) => void;
  /** Notes a failure that is the server's. */
  readonly noteFailure: (ctx: Context, error: ApiError) => void;
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Returns the result as JSON text.
 *
 * @throws RpcError for a tool that is not known
 */
export async function callTool(
  ctx: Context,
  sources: ToolSources,
  { name, arguments: given = {} }: Params,
): Promise<string> {
  const tool = TOOLS.find(one => one.name === name);
  if (tool === undefined) {
    const names = TOOLS.map(one => one.name).join(', ');
    const message = `Expected name to be one of ${names}, got ${JSON.stringify(name)}`;
    throw new RpcError(message, { code: RPC.invalidParams, status: 200 });
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const message = 'Expected arguments to be an object, got another JSON value';
    throw new RpcError(message, { code: RPC.invalidParams, status: 200 });
  }
  (ctx as { _matchedRoute?: string })._matchedRoute = `/mcp ${tool.name}`;
  try {
    return success(tool, await askRoute(ctx, sources, { tool, given: given as Arguments }));
  } catch (thrown) {
    if (ctx.state.abandoned?.aborted) throw thrown;
    const error = toApiError(thrown);
    sources.noteFailure(ctx, error);
    return failure(errorBody(error, ctx.state.requestId));
  }
}

/** The result of a tool has the answer twice, as text and as data, and takes several times its memory. */
const COPIES = 6;
const ROOMY_BYTES = 100_000;

async function askRoute(
  ctx: Context,
  { basePath, answer, budgets, takeRoom }: ToolSources,
  { tool, given }: { readonly tool: Tool; readonly given: Arguments },
): Promise<RouteAnswer> {
  const { route, others } = routeOf(tool, given);
  requireScopes(ctx, route.scopes);
  const values = withPage(tool, route, textsOf(tool, route, others));
  if (route.name !== 'budgets' && !values.has('budget_id')) {
    values.set('budget_id', onlyOf(await budgets(ctx)));
  }
  const captures: string[] = [];
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = values.get(name);
    if (text === undefined) throw badParameters([missing(name)]);
    const value = encodeURIComponent(text);
    values.delete(name);
    captures.push(value);
    return value;
  });
  const query = [...values].map(pair => pair.map(encodeURIComponent).join('=')).join('&');
  const question = { path: basePath + path, query, captures, takes: tool.takes };
  const found = await askInProcess(ctx, question, inner => answer(route.name, inner));
  const bytes = Buffer.byteLength(found.body);
  if (bytes > ROOMY_BYTES) takeRoom(ctx, bytes * COPIES);
  return found;
}

/** A tool of several routes takes which one as `kind`. */
function routeOf({ routes }: Tool, given: Arguments): { route: Route; others: Arguments } {
  const { kind, ...others } = given;
  const isOnly = routes.length === 1;
  const chosen = isOnly ? routes[0] : routes.find(one => one === kind);
  const route = ROUTES.find(({ name }) => name === chosen);
  if (route !== undefined) return { route, others: isOnly ? given : others };
  const code = kind === undefined ? 'missing_parameter' : 'invalid_parameter';
  const message = `Expected kind to be one of ${routes.join(', ')}, got ${kindText(kind)}`;
  throw badParameters([{ param: 'kind', code, message }]);
}

const TEXT_MAX = 40;

function kindText(kind: unknown): string {
  return kind === undefined ? 'none' : JSON.stringify(kind).slice(0, TEXT_MAX);
}

/** Adds the size of a page, where the caller may choose it. A route without pages gives everything at the offset 0. */
function withPage(tool: Tool, route: Route, values: Map<string, string>): Map<string, string> {
  if (propertyOf(route, 'limit') && !values.has('limit')) values.set('limit', String(tool.limit));
  const offset = values.get('offset');
  if (offset === undefined || !tool.takes.includes('offset') || propertyOf(route, 'offset')) {
    return values;
  }
  if (offset !== '0') {
    const message = `Expected offset to be 0, as ${route.name} have no pages, got ${kindText(offset)}`;
    throw badParameters([{ param: 'offset', code: 'invalid_parameter', message }]);
  }
  values.delete('offset');
  return values;
}

/** Numbers and booleans become the texts that the route expects and checks. Null counts as left out. */
function textsOf(tool: Tool, route: Route, given: Arguments): Map<string, string> {
  const values = Object.entries(given).filter(([, value]) => value !== null);
  const names = values.map(([name]) => name);
  const problems: ParameterProblem[] = values.flatMap(([param, value]) => {
    const message = wrongKind(param, value, propertyOf(route, param));
    return message === null ? [] : [{ param, code: 'invalid_parameter', message }];
  });
  // The routes refuse by themselves what none of them takes.
  const unknown = names.filter(name => isHidden(tool, name) || !isWellFormed(name));
  for (const [index, param] of unknown.entries()) {
    // A name that is like the given one is looked for where it is shown: thousands of names would cost too much time.
    problems.push(unknownParameter(param, index < DETAILS_MAX ? tool.takes : null));
  }
  for (const param of tool.required.filter(name => !names.includes(name))) {
    problems.push(missing(param));
  }
  const [first, ...more] = problems;
  if (first !== undefined) throw badParameters([first, ...more]);
  return new Map(values.map(([name, value]) => [name, String(value)]));
}

/** Returns whether a route takes a parameter in its query, and the tool does not. */
function isHidden({ routes, takes }: Tool, name: string): boolean {
  if (takes.includes(name)) return false;
  return ROUTES.some(route => routes.includes(route.name) && propertyOf(route, name) !== undefined);
}

function propertyOf({ query }: Route, name: string) {
  const { properties }: QuerySchema = QUERY_SCHEMAS[query];
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return property?.['x-in'] === 'header' ? undefined : property;
}

function wrongKind(
  param: string,
  value: unknown,
  property: ReturnType<typeof propertyOf>,
): string | null {
  if (typeof value === 'object') {
    return `Expected ${param} to be a single value, got a list or an object`;
  }
  // A number may have been rounded as it was read: an id of many digits would become another one. Of other kinds the route
  // says more.
  const isText = property !== undefined && !['integer', 'boolean'].includes(`${property.type}`);
  if (isText && typeof value !== 'string') {
    return `Expected ${param} to be text, got a ${typeof value}`;
  }
  if (typeof value !== 'string' || isWellFormed(value)) return null;
  return `Expected ${param} to be text, got half of a surrogate pair`;
}

function missing(param: string): ParameterProblem {
  return { param, code: 'missing_parameter', message: `Expected ${param}, got none` };
}

function onlyOf(budgets: readonly string[]): string {
  const [only, ...more] = budgets;
  if (only !== undefined && more.length === 0) return only;
  const got = only === undefined ? 'no budget' : 'several, and list_budgets names them';
  const message = `Expected budget_id, got none: the token reaches ${got}`;
  throw badParameters([{ param: 'budget_id', code: 'missing_parameter', message }]);
}

/** The parameter that leads to the next page stands last in the route's link. */
const NEXT = /[?&](offset|cursor)=([^&>]*)>; rel="next"$/;

function success({ name }: Tool, { body, header }: RouteAnswer): string {
  const text = body.toString();
  const position = header('x-projection-position');
  const since = header('x-projection-parked-since');
  const meta = {
    ...(position !== undefined && { position: Number(position) }),
    ...(since !== undefined && { parkedSince: since }),
  };
  const [, parameter, value = ''] = NEXT.exec(header('link') ?? '') ?? [];
  const hint =
    parameter === undefined
      ? []
      : [
          `More may follow: call ${name} again with the same arguments and ${parameter} ${decodeURIComponent(value)}.`,
        ];
  const content = [text, ...hint].map(part => `{"type":"text","text":${JSON.stringify(part)}}`);
  return `{"content":[${content.join(',')}],"structuredContent":${text},"_meta":${JSON.stringify(meta)}}`;
}

function failure(body: string): string {
  return JSON.stringify({ content: [{ type: 'text', text: body }], isError: true });
}
