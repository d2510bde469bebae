// A complete reader for tests: a read model and access records in real databases, and the API on a port of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { createLimiter, type LimiterOptions } from '../../src/access/limiter.ts';
import type { RateLimiter } from '../../src/access/rate-limits.ts';
import type { TokenRequest } from '../../src/access/token-request.ts';
import { createTokenStore } from '../../src/access/tokens.ts';
import { createBounds } from '../../src/http/bounds.ts';
import type { AppOptions } from '../../src/http/create-app.ts';
import type { RateLimits } from '../../src/process/config.ts';
import {
  createPositionWatcher,
  type PositionWatcher,
} from '../../src/store/reading/position-watcher.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { createReadModel } from '../helpers/read-model.ts';
import { createPatience } from './ask-again.ts';
import { memoryLog } from './memory-log.ts';
import { sendRaw } from './send-raw.ts';
import { startReader } from './start-reader.ts';

/** So high that no test reaches them by chance. */
const LIMITS: RateLimits = {
  addressPerMinute: 1_000_000,
  tokenReadsPerMinute: 900_000,
  tokenWritesPerMinute: 900_000,
  userPerMinute: 950_000,
  userPerDay: 2_000_000,
};

/** Shorter than a request may wait for a position. */
const DRAIN_MS = 5000;

const WAIT_MS_MAX = 10_000;
const PAUSE_MS = 50;
/** Below the 5 minutes that `fetch` waits for an answer. */
const PATIENT_MS = 280_000;

const NOW = new Date('2024-06-15T10:20:30.250Z');
/** A minute of the limits that does not end. */
export const ONE_MINUTE: LimiterOptions = { databaseClock: NOW, now: () => NOW.getTime() };

export interface ServeOptions extends Partial<Omit<AppOptions, 'config'>> {
  readonly limits?: Partial<RateLimits>;
  readonly limiterOptions?: LimiterOptions;
  readonly meter?: (limiter: RateLimiter) => RateLimiter;
  readonly config?: Partial<AppOptions['config']>;
  /** Answers that only say that the database pauses count. Without it such a request is sent again. */
  readonly expectsPauses?: boolean;
  /** No generation is created. */
  readonly empty?: boolean;
  /** Waits of 10 s for a position, the longest that clients may ask for, last so long that none runs out on a slow machine. */
  readonly patient?: boolean;
}

export interface Asked {
  readonly token?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read any field of a body
export type Body = any;

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed text; null if it is empty or not JSON. */
  readonly body: Body;
}

/** Starts a reader. `name` begins the names of its databases. */
export async function serve(mongo: TestMongo, name: string, options: ServeOptions = {}) {
  const db = mongo.database(name);
  const access = mongo.newDatabase(`${name}_access`);
  const model = options.empty ? null : await createReadModel(db);
  await model?.activate();
  const tokens = createTokenStore(access);
  const allowed = { ...LIMITS, ...options.limits };
  const { meter = one => one } = options;
  const limiter = meter(createLimiter(access, allowed, options.limiterOptions));
  const { logger, lines } = memoryLog();
  const watcher = watcherOf(createPositionWatcher(db, logger), options);
  const bounds = options.bounds ?? createBounds();
  const stopping = new AbortController();
  const {
    limits: _l,
    limiterOptions: _o,
    meter: _m,
    empty: _e,
    patient: _p,
    expectsPauses: _x,
    config,
    ...given
  } = options;
  const server = await startReader({
    readModel: db,
    access: { tokens, limiter },
    watcher,
    clock: () => new Date(),
    logger,
    stopping: stopping.signal,
    bounds,
    ...given,
    config: { limits: allowed, ...config },
  });
  const origin = `http://127.0.0.1:${server.port}`;

  async function ask(path: string, asked: Asked = {}): Promise<Answered> {
    const isPaused = createPatience();
    for (;;) {
      const [answer, response] = await askOnce(path, asked);
      const { body, text } = answer;
      const isShown = options.expectsPauses === true || body === null;
      if (isShown || !isPaused(origin, response, text)) return answer;
      await sleep(PAUSE_MS);
    }
  }
  async function askOnce(path: string, asked: Asked): Promise<[Answered, Response]> {
    const { token, method = 'GET', headers = {} } = asked;
    const response = await fetch(origin + path, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const body = isJson && text !== '' ? JSON.parse(text) : null;
    return [{ status: response.status, headers: response.headers, text, body }, response];
  }

  return {
    mongo,
    db,
    access,
    lines,
    origin,
    port: server.port,
    stopping,
    watcher,
    bounds,
    tokens,
    get model() {
      if (model === null) throw new Error('Expected a read model');
      return model;
    },
    /** Sends a request to a path below /api/v1. */
    api: (path: string, asked: Asked = {}) => ask(`/api/v1${path}`, asked),
    ask,
    issue: async (owner: string, request: Partial<TokenRequest> = {}, now = new Date()) =>
      (await tokens.issue({ owner, ...request }, now)).token,
    /** Resolves when so many requests have read once and wait for a position. */
    async waits(count: number) {
      while (bounds.waits.taken() < count) await sleep(10);
    },
    raw: (text: string | Buffer) => sendRaw(server.port, text),
    async stop(drainMs = DRAIN_MS) {
      stopping.abort();
      await Promise.all([server.stop(drainMs), watcher.stop()]);
    },
  };
}

function watcherOf(watcher: PositionWatcher, { patient }: ServeOptions): PositionWatcher {
  if (!patient) return watcher;
  const longer = (ms: number) => (ms === WAIT_MS_MAX ? PATIENT_MS : ms);
  return {
    ...watcher,
    waitFor: (request, read) =>
      watcher.waitFor({ ...request, waitMs: longer(request.waitMs) }, read),
  };
}

export type Served = Awaited<ReturnType<typeof serve>>;
