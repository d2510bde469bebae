// The projector: follows the log, takes partitions over and applies their records exactly once.
import { randomUUID } from 'node:crypto';
import type { BatchLimits, EventLog, Subscriber } from '../event-log/event-log.ts';
import type { Log } from '../log.ts';
import { FencedError, isTransient } from '../read-store/commit.ts';
import { watchLog } from './log-watch.ts';
import { type GenerationMetrics, NO_METRICS } from './metrics.ts';
import { takeOver } from './partition/claim.ts';
import { Pipeline } from './partition/pipeline.ts';
import { createTurns } from './partition/turns.ts';
import { createShadowSetRunner } from './shadow/runner.ts';
import type { ProjectorStore } from './store.ts';

export interface ProjectorOptions {
  /** Opens a line of work: one for each partition, as their transactions run side by side. */
  readonly openStore: () => ProjectorStore;
  readonly eventLog: EventLog;
  /** The consumer group: one for each generation. */
  readonly group: string;
  readonly logger: Log;
  /** Records and bytes of a chunk. */
  readonly batch?: BatchLimits;
  /** Rows that one transaction may change before its chunk is cut smaller. */
  readonly documentsMax?: number;
  readonly metrics?: GenerationMetrics;
  /** How often the log is looked at whether it is still the one that was projected. */
  readonly logCheckMs?: number;
}

const LOG_CHECK_MS = 30_000;

/** What is behind is applied in large chunks: the more events one has, the fewer documents each of them costs. */
const BATCH: BatchLimits = { recordsMax: 10_000, bytesMax: 6 * 1024 * 1024 };
export const DOCUMENTS_MAX = 20_000;

/** Runs until the signal aborts; then finishes the chunk in hand and resolves. Rejects on what no retry can mend. */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { eventLog, openStore, logger, metrics = NO_METRICS } = options;
  const pipelines = new Map<number, Pipeline>();
  // A partition that comes back goes on in the session it had.
  const stores = new Map<number, ProjectorStore>();
  const owner = randomUUID();
  const limits = { documentsMax: options.documentsMax ?? DOCUMENTS_MAX };
  const turns = createTurns();
  const shadowSets = createShadowSetRunner({ openStore, owner, limits, logger, signal });
  const common = { eventLog: eventLog, logger, signal, owner, limits, turns, shadowSets, metrics };
  const subscriber: Subscriber = {
    async assigned(partition, heartbeat) {
      const store = stores.get(partition) ?? openStore();
      stores.set(partition, store);
      const context = { ...common, store, heartbeat };
      const claim = await takeOver(context, partition);
      if (claim) pipelines.set(partition, new Pipeline(context, claim));
      return claim?.next ?? null;
    },
    async batch(batch) {
      const pipeline = pipelines.get(batch.partition);
      if (!pipeline) {
        throw new FencedError(`Partition ${batch.partition} is not claimed by this process`);
      }
      const outcome = await pipeline.apply(batch);
      if (outcome === 'halt') {
        await pipeline.leave();
        pipelines.delete(batch.partition);
      }
      return outcome;
    },
    async revoked(partition) {
      const pipeline = pipelines.get(partition);
      if (!pipeline) return;
      await pipeline.leave();
      pipelines.delete(partition);
      metrics.partition(partition, 'released');
    },
  };
  const ended = new AbortController();
  void watchLog(
    {
      ...{ eventLog, logger, everyMs: options.logCheckMs ?? LOG_CHECK_MS },
      claimed: () => new Map([...pipelines].map(([partition, { claim }]) => [partition, claim])),
      halt: async (partition, error) => pipelines.get(partition)?.halt(error),
    },
    AbortSignal.any([signal, ended.signal]),
  );
  try {
    await eventLog.subscribe(options.group, subscriber, options.batch ?? BATCH, signal);
  } catch (error) {
    // A database that is away when we are to stop is no failure: the chunk in hand is left to the next start.
    if (!signal.aborted || !isTransient(error)) throw error;
  } finally {
    ended.abort();
    await shadowSets.idle();
  }
}
