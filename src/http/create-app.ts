// The HTTP server's middleware, in the order in which requests pass it.
import Koa from 'koa';
import type { RateLimiter } from '../access/rate-limits.ts';
import { createTokenChecks } from '../access/token-checks.ts';
import type { TokenStore } from '../access/tokens.ts';
import type { RateLimits } from '../process/config.ts';
import type { Logger } from '../process/log.ts';
import { createPositionFeed } from '../store/reading/position-feed.ts';
import type { PositionWatcher } from '../store/reading/position-watcher.ts';
import type { ReadDatabase } from '../store/snapshot.ts';
import { overloaded } from './api-error.ts';
import { createBounds, type ProcessBounds, READINGS_OF_PERSON } from './bounds.ts';
import { compression } from './compress.ts';
import { isBeyondBound } from './connections.ts';
import { BASE_PATH, createRouter } from './create-router.ts';
import type { OpenApiDocument } from './docs/openapi-document.ts';
import { makeEtag } from './etag.ts';
import { createKeptBodies, createKeptCompressed } from './kept-pages.ts';
import { createKeptYears } from './kept-years.ts';
import { MCP_PATH } from './mcp/endpoint.ts';
import { lookUpToken } from './middleware/authenticate.ts';
import { boundInFlight } from './middleware/bound-in-flight.ts';
import { CORS_HEADERS } from './middleware/cors.ts';
import { errors } from './middleware/errors.ts';
import { hasGoodHost, host } from './middleware/host.ts';
import { addressLimit } from './middleware/limits.ts';
import { refuseWhileStopping, unknownPath } from './middleware/refusals.ts';
import { type RequestObservation, requestId, requestLog } from './middleware/request-log.ts';
import { SECURITY_HEADERS, withHeaders } from './middleware/security-headers.ts';
import { createReadingTurns, READING_MS_MAX } from './reading-turns.ts';
import type { Context, Middleware, RequestState } from './request-state.ts';
import { QUERY_MS_MAX } from './routes/read-budget.ts';
import { createStreams, type StreamObservation } from './streams/streams.ts';

export interface AppOptions {
  /** The database of the read model. */
  readonly readModel: ReadDatabase;
  readonly access: { readonly tokens: TokenStore; readonly limiter: RateLimiter };
  readonly watcher: PositionWatcher;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** schemas/openapi.json */
  readonly openapi: object;
  readonly config: {
    readonly trustedProxies: number;
    /** For links to other pages of a list; absent or null: such links name only the path. */
    readonly publicUrl?: string | null;
    /** For examples on the page /docs, like `publicUrl`: the configured host that the API listens on. */
    readonly host: string;
    /** Named on the page /docs; `access.limiter` applies them. */
    readonly limits: RateLimits;
    /** False: there is no endpoint for assistants. */
    readonly mcp?: boolean;
  };
  /** By default those of BOUNDS. */
  readonly bounds?: ProcessBounds;
  /** Aborted when the process begins to stop; from then on the API answers 503. */
  readonly stopping: AbortSignal;
  /** Serves pages for people beside the API; calls `next` for every other path. */
  readonly pages?: Middleware;
  /** Receives each request after it was handled. */
  readonly observe?: (request: RequestObservation) => void;
  /** Receives each event that a stream tells, and each stream that is refused because its token has too many. */
  readonly observeStream?: (what: StreamObservation) => void;
}

export function createApp(options: AppOptions): Koa<RequestState> {
  const {
    readModel,
    access,
    watcher,
    clock,
    logger,
    config,
    stopping,
    pages,
    bounds = createBounds(),
  } = options;
  const { tokens, limiter } = access;
  const openapi = options.openapi as OpenApiDocument;
  const contract = makeEtag([JSON.stringify(openapi)]);
  const checks = createTokenChecks({ tokens, clock, logger });
  const feed = createPositionFeed({
    db: readModel,
    watcher,
    logger,
    admit: checks.refresh,
    queryMsMax: QUERY_MS_MAX,
    roundMsMax: READING_MS_MAX,
  });
  const model = {
    database: readModel,
    watcher,
    waits: bounds.waits,
    answers: bounds.answers,
    turns: createReadingTurns(READINGS_OF_PERSON),
    checks,
    streams: createStreams({
      feed,
      checks,
      places: bounds.streams,
      clock,
      stopping,
      ...(options.observeStream && { observe: options.observeStream }),
    }),
    contract,
    bodies: createKeptBodies(),
    compressed: createKeptCompressed(),
    years: createKeptYears(),
  };

  const app = new Koa<RequestState>();
  // Only sockets that break during a response get here; `errors` handles everything else.
  app.on('error', (err: unknown) => logger.debug({ err }, 'answer not delivered'));
  app.use(requestId);
  app.use(requestLog(logger, options.observe));
  if (pages) {
    const isFine = (ctx: Context) => hasGoodHost(ctx) && !isBeyondBound(ctx.req.socket);
    app.use((ctx, next) => (isFine(ctx) ? pages(ctx, next) : next()));
  }
  app.use(withHeaders({ ...SECURITY_HEADERS, ...CORS_HEADERS }));
  app.use(compression());
  app.use(errors(logger));
  app.use(
    addressLimit({
      limiter,
      uncounted: bounds.uncounted,
      trustedProxies: config.trustedProxies,
      logger,
      beside: ctx => {
        const { path } = ctx.state;
        if (path.startsWith(`${BASE_PATH}/`) || path === MCP_PATH) lookUpToken(ctx, tokens);
      },
    }),
  );
  app.use(host);
  app.use(refuseWhileStopping(stopping));
  app.use(boundInFlight(bounds.requests, overloaded));
  app.use(createRouter({ model, tokens, limiter, clock, logger, openapi, config }).routes());
  app.use(unknownPath);
  return app;
}
