// A reader without a database for tests: it counts requests in memory, knows one token, and reads nothing.
import type { ExecutionContext } from 'ava';
import { MongoClient } from 'mongodb';
import { createLocalCounts } from '../../src/access/limiter.ts';
import type { RateLimiter } from '../../src/access/rate-limits.ts';
import type { Token } from '../../src/access/token.ts';
import { createTokenValue } from '../../src/access/token-value.ts';
import type { TokenStore } from '../../src/access/tokens.ts';
import type { RequestObservation } from '../../src/http/middleware/request-log.ts';
import type { Middleware } from '../../src/http/request-state.ts';
import { loadConfig } from '../../src/process/config.ts';
import { createPositionWatcher } from '../../src/store/reading/position-watcher.ts';
import { memoryLog } from './memory-log.ts';
import { sendRaw } from './send-raw.ts';
import { startReader } from './start-reader.ts';

/** The time of the limiter's clock, which stands still. */
export const NOW = new Date('2024-06-15T10:20:30.250Z');
export const MINUTE_END = Date.parse('2024-06-15T10:21:00Z') / 1000;

const RECORD: Token = {
  id: 't1',
  last4: 'xxxx',
  name: 'Sheet',
  owner: 'anna',
  scopes: [],
  budgets: null,
  createdAt: new Date(0),
  expiresAt: new Date('2999-01-01'),
  lastUsedAt: null,
  revokedAt: null,
};

export interface BareOptions {
  readonly addressPerMinute?: number;
  readonly pages?: Middleware;
  readonly publicUrl?: string;
}

export async function serveBare(t: ExecutionContext, options: BareOptions = {}) {
  const { addressPerMinute = 1_000_000, pages, publicUrl = null } = options;
  const counts = createLocalCounts(addressPerMinute);
  const countAddress = async (address: string) => counts.count(address, NOW.getTime());
  const countHere = (address: string) => counts.count(address, NOW.getTime());
  const limiter: RateLimiter = {
    refusedHere: () => null,
    countAddress,
    countHere,
    countToken: () => countAddress('any token'),
  };
  const token = createTokenValue(bytes => new Uint8Array(bytes).fill(7));
  const never = () => Promise.reject(new Error('Expected no question'));
  const tokens: TokenStore = {
    issue: never,
    issueWithin: never,
    reached: never,
    find: async value => (value === token ? RECORD : null),
    findOwn: never,
    unrevoked: never,
    list: never,
    own: never,
    revoke: never,
    touch: async () => {},
    history: never,
  };
  // Connects only when it is asked.
  const readModel = new MongoClient('mongodb://127.0.0.1:1').db('none');
  const { logger, lines } = memoryLog();
  const observed: RequestObservation[] = [];
  const server = await startReader({
    readModel,
    access: { tokens, limiter },
    watcher: createPositionWatcher(readModel, logger),
    clock: () => NOW,
    logger,
    config: { publicUrl, limits: loadConfig({}).limits },
    stopping: new AbortController().signal,
    observe: request => observed.push(request),
    ...(pages && { pages }),
  });
  t.teardown(() => server.stop(0));
  return {
    port: server.port,
    token,
    lines,
    observed,
    raw: (text: string | Buffer) => sendRaw(server.port, text),
  };
}
