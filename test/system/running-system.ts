// The whole system in one process for tests: a folder log, projectors, the HTTP API, a real mongod.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureAccessIndexes } from '../../src/access/connect.ts';
import { createDecisionLog } from '../../src/access/decisions.ts';
import { createLimiter } from '../../src/access/limiter.ts';
import { createTokenStore, type TokenStore } from '../../src/access/tokens.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { progressOf } from '../../src/projector/catch-up.ts';
import { runProjector } from '../../src/projector/projector.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { generationCollections } from '../../src/store/collections.ts';
import { createPositionWatcher } from '../../src/store/reading/position-watcher.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';
import { refusePaused } from '../../src/store/writing/parking-alarm.ts';
import type { VerifySource } from '../../src/verify/source.ts';
import { ensureGeneration } from '../helpers/generation.ts';
import type { TestMongo } from '../helpers/mongo.ts';
import { memoryLog } from '../http/memory-log.ts';
import { startReader } from '../http/start-reader.ts';
import { dueQueues } from '../projector/due-queues.ts';

export interface RunningSystem {
  readonly address: string;
  readonly tokens: TokenStore;
  readonly store: ProjectorStore;
  /** Opens a store with its own session. */
  readonly openStore: () => ProjectorStore;
  /** The log and the decisions that a verification reads. */
  readonly source: VerifySource;
  append(events: readonly { subject: string }[]): Promise<void>;
  /** Resolves once all appended events are applied, queues behind closed gaps too; rejects when the generation is paused or the projector stands still. */
  projected(): Promise<void>;
  get(path: string, token: string, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

export interface SystemOptions {
  /** The reader's clock. */
  readonly now?: () => Date;
  readonly partitions?: number;
  readonly recordsMax?: number;
  readonly rowsMax?: number;
}

/** A projector that stands still for so long fails the test. */
const STALL_MS = 300_000;

const UNLIMITED = {
  addressPerMinute: 1_000_000,
  tokenReadsPerMinute: 1_000_000,
  tokenWritesPerMinute: 1_000_000,
  userPerMinute: 1_000_000,
  userPerDay: 1_000_000,
};

/** Of a request that is answered with 503. */
const ATTEMPTS_MAX = 5;

export async function startSystem(
  mongo: TestMongo,
  {
    now = () => new Date(),
    partitions = 2,
    recordsMax = 500,
    rowsMax = 20_000,
  }: SystemOptions = {},
): Promise<RunningSystem> {
  const readModel = mongo.database('read_model');
  const access = mongo.newDatabase('access');
  await ensureAccessIndexes(access);
  const generation = await ensureGeneration(readModel);
  const collections = generationCollections(readModel, generation);
  const decisions = createDecisionLog(access);
  const openStore = () => ({
    collections,
    decisions,
    session: openCommitSession(mongo.client, collections),
  });
  const folder = await mkdtemp(join(tmpdir(), 'budgeting-system-'));
  const eventLog = await openFolderLog(folder, { partitions });
  const { logger, lines } = memoryLog();
  const stopping = new AbortController();
  const batch = { recordsMax, bytesMax: 4_000_000 };
  const options = { openStore, eventLog, group: 'test', logger, batch, rowsMax };
  const projecting = runProjector(options, stopping.signal);
  projecting.catch(() => {});
  const tokens = createTokenStore(access);
  const watcher = createPositionWatcher(readModel, logger);
  const listening = await startReader({
    readModel,
    access: { tokens, limiter: createLimiter(access, UNLIMITED) },
    watcher,
    clock: now,
    logger,
    config: { limits: UNLIMITED },
    stopping: stopping.signal,
  });
  const address = `http://127.0.0.1:${listening.port}`;
  const store = openStore();
  return {
    address,
    tokens,
    store,
    openStore,
    source: { database: readModel, generation, store, eventLog },
    async append(events) {
      await eventLog.append(
        events.map(event => ({ key: event.subject, value: JSON.stringify(event) })),
      );
    },
    async projected() {
      let last = { applied: -1, atMs: 0 };
      for (;;) {
        const { applied, total } = await progressOf(collections, eventLog);
        if (applied >= total && (await dueQueues(collections)).length === 0) return;
        await refusePaused(collections);
        const atMs = performance.now();
        if (applied !== last.applied) last = { applied, atMs };
        if (atMs - last.atMs > STALL_MS) {
          const logged = lines.slice(-30).map(({ msg, err }) => `${msg} ${err?.message ?? ''}`);
          throw new Error(`Still ${applied} of ${total} events are applied\n${logged.join('\n')}`);
        }
        // A projector that failed rejects here.
        await Promise.race([sleep(10), projecting]);
      }
    },
    async get(path, token, headers = {}) {
      const sent = { headers: { authorization: `Bearer ${token}`, ...headers } };
      // On a busy machine the database may be too slow for one answer, and 503 is right.
      for (let attempt = 1; ; attempt += 1) {
        const response = await fetch(`${address}/api/v1${path}`, sent);
        if (response.status !== 503 || attempt === ATTEMPTS_MAX) return response;
        await response.arrayBuffer();
        await sleep(1000 * Number(response.headers.get('retry-after')));
      }
    },
    async stop() {
      stopping.abort();
      await projecting.catch(() => {});
      await watcher.stop();
      await listening.stop(1000);
      await eventLog.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
