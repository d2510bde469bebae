// The projector: subscribes to the log, claims partitions and applies their records exactly once.
import { randomUUID } from 'node:crypto';
import type { BatchLimits, EventLog, Subscriber } from '../event-log/event-log.ts';
import type { Logger } from '../process/log.ts';
import { FencedError, isTransient } from '../store/database-errors.ts';
import { createCommitGroup, joined } from '../store/writing/commit-group.ts';
import { DataLossError, watchLog } from './log-damage.ts';
import { SHARING_LIMITS } from './machine/sharing-limits.ts';
import { takeOver } from './partition/claim.ts';
import { type GenerationMetrics, NO_METRICS } from './partition/partition-context.ts';
import { Pipeline } from './partition/pipeline.ts';
import { createShadowSetRunner } from './shadow/runner.ts';
import type { ProjectorStore } from './store.ts';
import { createTurns } from './turns.ts';

export interface ProjectorOptions {
  /** Opens a store with a session of its own. Each partition has one, so that their large transactions run in parallel. */
  readonly openStore: () => ProjectorStore;
  readonly eventLog: EventLog;
  /** The consumer group: one for each generation. */
  readonly group: string;
  readonly logger: Logger;
  /** The most records and bytes that one batch of the log takes. */
  readonly batch?: BatchLimits;
  /** Rows that one transaction may change; beyond it the chunk is cut smaller. */
  readonly rowsMax?: number;
  readonly metrics?: GenerationMetrics;
  /** Interval of the checks that the log is still the one that was projected, in milliseconds. */
  readonly logCheckMs?: number;
}

const LOG_CHECK_MS = 30_000;

/** Large chunks catch up faster: events that change the same document share one write. */
const BATCH: BatchLimits = { recordsMax: 10_000, bytesMax: 6 * 1024 * 1024 };
export const CHANGED_ROWS_MAX = 20_000;

/**
 * Runs until the signal aborts, then finishes the chunk under way and resolves. Rejects on an error that no retry
 * resolves.
 */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { eventLog, openStore, logger, metrics = NO_METRICS } = options;
  const pipelines = new Map<number, Pipeline>();
  /** Claimed by another process while nothing came. */
  const lost = new Set<number>();
  // A partition that is assigned again reuses its session.
  const stores = new Map<number, ProjectorStore>();
  const { session, collections } = openStore();
  const group = createCommitGroup(session);
  const openJoined = () => {
    const store = openStore();
    return { ...store, session: joined(store.session, group) };
  };
  const owner = randomUUID();
  const limits = { rowsMax: options.rowsMax ?? CHANGED_ROWS_MAX };
  const turns = createTurns();
  const shadowSets = createShadowSetRunner({ openStore, owner, limits, logger, signal });
  const sharing = SHARING_LIMITS;
  const cacheSizes = new Map();
  const shared = { turns, sharing, cacheSizes, shadowSets };
  const common = { eventLog, logger, signal, owner, limits, metrics, ...shared };
  const subscriber: Subscriber = {
    async assigned(partition, heartbeat) {
      const store = stores.get(partition) ?? openJoined();
      stores.set(partition, store);
      const context = { ...common, store, heartbeat };
      const taken = await takeOver(context, partition);
      if (!taken) return null;
      pipelines.set(partition, new Pipeline(context, taken));
      lost.delete(partition);
      return taken.claim.next;
    },
    ready(partition, waiting) {
      if (lost.delete(partition)) return 'lost';
      return pipelines.get(partition)?.ready(waiting) ?? null;
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
    async damaged(partition, message) {
      await pipelines.get(partition)?.halt(new DataLossError(eventLog, partition, message));
    },
    async revoked(partition) {
      shadowSets.released(partition);
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
      async claimed() {
        const stored = await collections.checkpoints.find().project({ epoch: 1 }).toArray();
        const owned = new Map([...pipelines].map(([partition, { claim }]) => [partition, claim]));
        for (const { _id, epoch } of stored) {
          if (epoch > (owned.get(_id)?.epoch ?? epoch) && owned.delete(_id)) lost.add(_id);
        }
        return owned;
      },
      halt: async (partition, error) => pipelines.get(partition)?.halt(error),
    },
    AbortSignal.any([signal, ended.signal]),
  );
  try {
    const { group, batch: limits = BATCH } = options;
    await eventLog.subscribe(subscriber, { group, limits, signal });
  } catch (error) {
    // An unreachable database is no failure while stopping: the next owner applies the chunk.
    if (!signal.aborted || !isTransient(error)) throw error;
  } finally {
    ended.abort();
    await shadowSets.idle();
  }
}
