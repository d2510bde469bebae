// The projector: subscribes to the log, claims partitions and applies their records exactly once.
import { randomUUID } from 'node:crypto';
import type { BatchLimits, EventLog } from '../event-log/event-log.ts';
import type { Logger } from '../process/log.ts';
import { isTransient } from '../store/database-errors.ts';
import { createCommitGroup, joined } from '../store/writing/commit-group.ts';
import { watchLog } from './log-damage.ts';
import { SHARING_LIMITS } from './machine/sharing-limits.ts';
import { ClaimedPartitions, type Epoch } from './partition/claimed-partitions.ts';
import type { GenerationMetrics } from './partition/partition-context.ts';
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
  const { eventLog, openStore, logger, metrics } = options;
  const { session, collections } = openStore();
  const owner = randomUUID();
  const limits = { rowsMax: options.rowsMax ?? CHANGED_ROWS_MAX };
  const shadowSets = createShadowSetRunner({ openStore, owner, limits, logger, signal });
  const group = createCommitGroup(session);
  const partitions = new ClaimedPartitions(
    {
      ...{ eventLog, logger, signal, owner, limits, shadowSets, ...(metrics && { metrics }) },
      ...{ turns: createTurns(), sharing: SHARING_LIMITS, cacheSizes: new Map() },
    },
    () => {
      const store = openStore();
      return { ...store, session: joined(store.session, group) };
    },
  );
  const ended = new AbortController();
  void watchLog(
    {
      ...{ eventLog, logger, everyMs: options.logCheckMs ?? LOG_CHECK_MS },
      async claimed() {
        const stored = collections.checkpoints.find().project<Epoch>({ epoch: 1 });
        return partitions.current(await stored.toArray());
      },
      halt: (partition, error) => partitions.halt(partition, error),
    },
    AbortSignal.any([signal, ended.signal]),
  );
  try {
    const { group, batch = BATCH } = options;
    await eventLog.subscribe(partitions, { group, limits: batch, signal });
  } catch (error) {
    // An unreachable database is no failure while stopping: the next owner applies the chunk.
    if (!signal.aborted || !isTransient(error)) throw error;
  } finally {
    ended.abort();
    await shadowSets.idle();
  }
}
