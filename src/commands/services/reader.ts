// Starts and stops a reader: the HTTP server of the read API and the settings pages.
import openapi from '../../../schemas/openapi.json' with { type: 'json' };
import { ACCESS_DATABASE, ensureAccessIndexes } from '../../access/connect.ts';
import { createLimiter } from '../../access/limiter.ts';
import {
  createSignInAttempts,
  createSignInLinks,
  type SignInLinks,
} from '../../access/one-time-secrets.ts';
import { createSessionStore } from '../../access/sessions.ts';
import { createTokenStore, type TokenStore } from '../../access/tokens.ts';
import { createBounds } from '../../http/bounds.ts';
import { createApp } from '../../http/create-app.ts';
import { checkPort, listen } from '../../http/listen.ts';
import { refuseUnread } from '../../http/refuse-unread.ts';
import type { HttpMetrics } from '../../pages/operators/metrics/http-metrics.ts';
import { createPages } from '../../pages/settings/create-pages.ts';
import type { Config } from '../../process/config.ts';
import { messageOf, reasonOf } from '../../process/describe-error.ts';
import type { Logger } from '../../process/log.ts';
import type { StoreConnection } from '../../store/connect.ts';
import { isUnavailable } from '../../store/database-errors.ts';
import { createPositionWatcher } from '../../store/reading/position-watcher.ts';
import { retried } from '../../store/retry.ts';
import { httpAddress } from '../opening/system.ts';

/** Requests still open this long after the stop begins are cut off. */
const DRAIN_MS = 5000;

export interface Reader {
  /** The URL that it listens on. */
  readonly address: string;
  /** The URL under which people reach it: PUBLIC_URL, or `address` if that is not set. */
  readonly origin: string;
  readonly tokens: TokenStore;
  readonly links: SignInLinks;
  /** Stops accepting requests, and finishes the open ones. */
  stop(): Promise<void>;
}

export interface ReaderOptions {
  readonly connection: Pick<StoreConnection, 'readModel' | 'database'>;
  readonly config: Config;
  readonly logger: Logger;
  /** Absent or null: requests are not counted. */
  readonly metrics?: HttpMetrics | null;
}

export async function startReader(options: ReaderOptions): Promise<Reader> {
  const { connection, config, logger, metrics = null } = options;
  const access = connection.database(ACCESS_DATABASE);
  const tokens = createTokenStore(access);
  const bare = createLimiter(access, config.limits, {
    onUnavailable(error) {
      const reason = reasonOf(error);
      logger.warn({ reason }, 'limits not counted in the database, this process counts addresses');
    },
  });
  const limiter = metrics?.counted(bare) ?? bare;
  const bounds = createBounds();
  metrics?.watch(bounds);
  const watcher = createPositionWatcher(connection.readModel, logger);
  const stopping = new AbortController();
  const prepare = () => ensureAccessIndexes(access).catch(error => sayUnavailable(error, logger));
  await retried(prepare, { logger, signal: stopping.signal });
  const clock = () => new Date();
  const links = createSignInLinks(access);
  let origin = config.publicUrl ?? '';
  const pages = createPages({
    readModel: connection.readModel,
    access: {
      tokens,
      limiter,
      sessions: createSessionStore(access),
      links,
      attempts: createSignInAttempts(access),
    },
    bounds,
    clock,
    logger,
    config,
    origin: () => origin,
  });
  const observe = metrics ? { observe: metrics.observe } : {};
  const app = createApp({
    readModel: connection.readModel,
    access: { tokens, limiter },
    watcher,
    bounds,
    clock,
    logger,
    openapi,
    pages,
    config,
    stopping: stopping.signal,
    ...observe,
    ...(metrics && { observeStream: metrics.observeStream }),
  });
  const refuse = refuseUnread({ limiter, logger, ...observe });
  const listening = await listen(app.callback(), {
    ...placeOf(config),
    refuse,
    connections: bounds.connections,
  });
  const address = httpAddress(config.host, listening.port);
  // A zone of IPv6 is in no URL.
  origin ||= URL.canParse(address) ? new URL(address).origin : address;
  return {
    address,
    origin,
    tokens,
    links,
    async stop() {
      stopping.abort();
      // First of all: a proxy asks another reader where no connection is taken, and not where the answer is 503.
      await Promise.all([listening.stop(DRAIN_MS), watcher.stop()]);
    },
  };
}

// The first of several retries is no warning, but here nothing was said yet, and each attempt may take seconds.
function sayUnavailable(error: unknown, logger: Logger): never {
  if (isUnavailable(error)) logger.warn(`Waiting for MongoDB: ${messageOf(error)}`);
  throw error;
}

/**
 * Call it before anything is loaded or started: the port is opened last.
 *
 * @throws UserError when the port cannot be used
 */
export function checkReaderPort(config: Config): Promise<void> {
  return checkPort(placeOf(config));
}

function placeOf({ host, port }: Config) {
  return { host, port, variables: { host: 'HOST', port: 'PORT' } };
}
