// The routes of the API, each with its checks in order (rules/api.md#order-of-checks).
import { Router } from '@koa/router';
import { ROUTES, type Route, type RouteName } from '../../schemas/generated/api.ts';
import type { BudgetsQuery, Queries } from '../../schemas/generated/queries.ts';
import { QUERY_SCHEMAS } from '../../schemas/generated/query-schemas.ts';
import type { RateLimiter } from '../access/rate-limits.ts';
import type { TokenStore } from '../access/tokens.ts';
import { utcDate } from '../process/calendar.ts';
import type { RateLimits } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { deprecationHeaders } from './deprecation.ts';
import { docsPages } from './docs/docs-page.ts';
import type { OpenApiDocument } from './docs/openapi-document.ts';
import type { OriginConfig } from './docs/page-facts.ts';
import { MCP_PATH, mcpAdmission, mcpEndpoint, mcpMethods } from './mcp/endpoint.ts';
import { authenticate, requireScopes } from './middleware/authenticate.ts';
import { takeRoom } from './middleware/bound-in-flight.ts';
import { preflight } from './middleware/cors.ts';
import { logCause } from './middleware/errors.ts';
import { tokenLimit } from './middleware/limits.ts';
import { isRead, methods } from './middleware/refusals.ts';
import { withHeaders } from './middleware/security-headers.ts';
import { createQueryReader } from './parameters.ts';
import { onceClosed } from './request-end.ts';
import type { Context, Middleware, RequestState } from './request-state.ts';
import { budgets, reachedIds, token } from './routes/budgets.ts';
import { changes, events } from './routes/changes.ts';
import { publicDocument } from './routes/public-document.ts';
import {
  accounts,
  balances,
  categories,
  categoryMonths,
  labels,
  monthList,
  months,
  payees,
  sums,
  transaction,
  transactions,
} from './routes/resources.ts';
import type { Endpoint, ReadModel } from './routes/route.ts';

export const BASE_PATH = '/api/v1';
const OPENAPI_PATH = `${BASE_PATH}/openapi.json`;

export interface RouterOptions {
  readonly model: ReadModel;
  readonly tokens: TokenStore;
  readonly limiter: RateLimiter;
  readonly clock: () => Date;
  readonly logger: Logger;
  readonly openapi: OpenApiDocument;
  readonly config: OriginConfig & { readonly limits: RateLimits; readonly mcp?: boolean };
}

/** The endpoint of each route; a missing one is a compile error. */
const ENDPOINTS: { readonly [Name in RouteName]: Endpoint<Queries[Name]> } = {
  budgets,
  accounts,
  transactions,
  transaction,
  categories,
  payees,
  labels,
  months,
  'month-list': monthList,
  'category-months': categoryMonths,
  balances,
  sums,
  token,
  changes,
  events,
};

export function createRouter(options: RouterOptions): Router<RequestState> {
  const { clock } = options;
  // Paths match exactly: case counts, and so does a slash at the end.
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  const entries = ROUTES.map(route => [route.name, answering(route, options)] as const);
  const answers = Object.fromEntries(entries) as Record<RouteName, Answer>;
  for (const route of ROUTES) {
    const path = BASE_PATH + route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.all(path, ...guarded(route, options), answers[route.name]);
  }
  if (options.config.mcp !== false) router.all(MCP_PATH, ...assistants(answers, options));
  const description = { text: JSON.stringify(options.openapi), type: 'json' };
  router.all(OPENAPI_PATH, preflight, methods, noParameters(clock), publicDocument(description));
  const { openapi: document, config } = options;
  const facts = { document, openapiPath: OPENAPI_PATH, limits: config.limits };
  for (const [path, page] of Object.entries(docsPages(facts, config))) {
    router.all(path, preflight, methods, page);
  }
  return router;
}

/** Returns the checks of a route in their order; the address is counted before (create-app.ts). */
function guarded(route: Route, { tokens, limiter, clock, logger }: RouterOptions): Middleware[] {
  return [
    withHeaders(deprecationHeaders(route.deprecation)),
    preflight,
    authenticate(tokens, clock, logger),
    tokenLimit(limiter),
    methods,
  ];
}

type Answer = (ctx: Context) => Promise<void>;

/** Returns what a route does once a request is counted: it checks scopes and parameters, and answers. */
function answering<Name extends RouteName>(
  route: Route & { readonly name: Name },
  { model, clock, config }: RouterOptions,
): Answer {
  const { rules, answer }: Endpoint<Queries[Name]> = ENDPOINTS[route.name];
  const schema = QUERY_SCHEMAS[route.query];
  const readQuery = createQueryReader<Queries[Name]>(route.query, schema, rules);
  const origin = config.publicUrl ?? '';
  return async function answerRoute(ctx) {
    requireScopes(ctx, route.scopes);
    await answer(ctx, readQuery(ctx, utcDate(clock())), { model, clock, origin });
  };
}

/** Returns the middleware of the endpoint for assistants; each of its requests is one read. */
function assistants(
  answers: Readonly<Record<RouteName, Answer>>,
  { model, tokens, limiter, clock, logger, openapi, config }: RouterOptions,
): Middleware[] {
  return [
    mcpAdmission(config),
    authenticate(tokens, clock, logger),
    tokenLimit(limiter, method => method === 'POST' || isRead(method)),
    mcpMethods,
    mcpEndpoint({
      basePath: BASE_PATH,
      version: openapi.info.version,
      answer: (name, ctx) => answers[name](ctx),
      budgets: ctx => reachedIds(ctx, model),
      takeRoom: (ctx, bytes) => onceClosed(ctx.res, takeRoom(model.answers, bytes)),
      noteFailure: (ctx, error) => logCause(logger, ctx.state.requestId, error),
    }),
  ];
}

/** Refuses every parameter, by the schema of `/budgets`, which has none. */
function noParameters(clock: () => Date): Middleware {
  const readQuery = createQueryReader<BudgetsQuery>('budgets', QUERY_SCHEMAS.budgets);
  return async function noParameters(ctx, next) {
    readQuery(ctx, utcDate(clock()));
    await next();
  };
}
