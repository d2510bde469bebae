// The reader as a part of a process: the HTTP server over a store, from start to its graceful end.

import openapi from '../../schemas/openapi.json' with { type: 'json' };
import { ACCESS_DATABASE, ensureAccessIndexes } from '../access/connect.ts';
import { createLimiter } from '../access/limiter.ts';
import { createTokenStore, type TokenStore } from '../access/tokens.ts';
import type { Config } from '../config.ts';
import { createApp } from '../http/create-app.ts';
import { listen } from '../http/listen.ts';
import type { Log } from '../log.ts';
import type { StoreConnection } from '../read-store/connect.ts';
import { createPositionWatcher } from '../read-store/position-watcher.ts';

/** Requests in hand may take so long to finish when the process stops. */
const DRAIN_MS = 5000;

export interface Reader {
  readonly address: string;
  readonly tokens: TokenStore;
  /** Stops taking requests, finishes those in hand. */
  stop(): Promise<void>;
}

export async function startReader(
  connection: StoreConnection,
  config: Config,
  log: Log,
): Promise<Reader> {
  const access = connection.database(ACCESS_DATABASE);
  await ensureAccessIndexes(access);
  const tokens = createTokenStore(access);
  const limiter = createLimiter(access, config.limits);
  const watcher = createPositionWatcher(connection.readModel, log);
  const stopping = new AbortController();
  const app = createApp({
    readModel: connection.readModel,
    access: { tokens, limiter },
    watcher,
    clock: () => new Date(),
    log,
    openapi,
    config: { trustedProxies: config.trustedProxies },
    stopping: stopping.signal,
  });
  const listening = await listen(app.callback(), config);
  return {
    address: addressOf(config.host, listening.port),
    tokens,
    async stop() {
      stopping.abort();
      await watcher.stop();
      await listening.stop(DRAIN_MS);
    },
  };
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
