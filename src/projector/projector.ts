// The projector: subscribes to the log, claims partitions and applies their records exactly once.
import { randomUUID } from 'node:crypto';
import type { Batch, BatchLimits, EventLog, Outcome, Subscriber } from '../event-log/event-log.ts';
import type { Logger } from '../process/log.ts';
import type { StoredCheckpoint } from '../store/collections.ts';
import { FencedError, isTransient } from '../store/database-errors.ts';
import type { Claim } from '../store/writing/checkpoints.ts';
import { createCommitGroup, joined } from '../store/writing/commit-group.ts';
import { dataLoss, watchLog } from './log-damage.ts';
import { SHARING_LIMITS } from './machine/machine-state.ts';
import { takeOver } from './partition/claim.ts';
import type { GenerationMetrics, PartitionContext } from './partition/partition-context.ts';
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
  /** Its name in the checkpoints; by default a new one. */
  readonly owner?: string;
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
 * resolves. Where the store was set back, as by a restored backup, everything is claimed again.
 */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  while ((await project(options, signal)) === 'set back') {
    options.logger.warn('The store holds less than it had confirmed: claiming everything again');
  }
}

async function project(
  options: ProjectorOptions,
  stopping: AbortSignal,
): Promise<'stopped' | 'set back'> {
  const { eventLog, openStore, logger, metrics, owner = randomUUID() } = options;
  const { session, collections } = openStore();
  const limits = { rowsMax: options.rowsMax ?? CHANGED_ROWS_MAX };
  const setBack = new AbortController();
  const signal = AbortSignal.any([stopping, setBack.signal]);
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
        const confirmed = partitions.confirmed();
        const fields = { epoch: 1, owner: 1, next: 1 } as const;
        const stored = await collections.checkpoints.find().project<Owned>(fields).toArray();
        if (isSetBack(stored, confirmed)) setBack.abort();
        return partitions.current(stored);
      },
      halt: (partition, reason) => partitions.halt(partition, reason),
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
  return setBack.signal.aborted && !stopping.aborted ? 'set back' : 'stopped';
}

/** Of a checkpoint, as the last claim left them. */
type Owned = Pick<StoredCheckpoint, '_id' | 'epoch' | 'owner' | 'next'>;

/**
 * Returns whether a checkpoint is before what the store had confirmed when it was read. A missing one says nothing: the
 * generation may have been dropped.
 */
function isSetBack(stored: readonly Owned[], confirmed: ReadonlyMap<number, Claim>): boolean {
  return stored.some(({ _id, epoch, next }) => {
    const claim = confirmed.get(_id);
    return claim !== undefined && epoch <= claim.epoch && next < claim.next;
  });
}

/** The partitions that a projector has claimed: the log hands over their batches, and each has a pipeline. */
class ClaimedPartitions implements Subscriber {
  readonly #context: Omit<PartitionContext, 'store'>;
  readonly #openStore: () => ProjectorStore;
  readonly #pipelines = new Map<number, Pipeline>();
  /** A partition that is assigned again reuses its session. */
  readonly #stores = new Map<number, ProjectorStore>();
  /** Claimed by another process while nothing came. */
  readonly #lost = new Set<number>();
  /** Halted by this process, the last one that claimed them. */
  readonly #halted = new Set<number>();

  /** @param openStore opens a store with a session of its own */
  constructor(context: Omit<PartitionContext, 'store'>, openStore: () => ProjectorStore) {
    this.#context = context;
    this.#openStore = openStore;
  }

  async assigned(partition: number, heartbeat: () => Promise<void>): Promise<number | null> {
    const store = this.#stores.get(partition) ?? this.#openStore();
    this.#stores.set(partition, store);
    const context = { ...this.#context, store, heartbeat };
    const taken = await takeOver(context, partition);
    if (!taken) {
      this.#halted.add(partition);
      return null;
    }
    this.#halted.delete(partition);
    this.#pipelines.set(partition, new Pipeline(context, taken));
    this.#lost.delete(partition);
    return taken.claim.next;
  }

  ready(
    partition: number,
    waiting: Pick<Batch, 'heartbeat' | 'signal'>,
  ): Promise<void> | 'lost' | null {
    if (this.#lost.delete(partition)) return 'lost';
    return this.#pipelines.get(partition)?.ready(waiting) ?? null;
  }

  async batch(batch: Batch): Promise<Outcome> {
    const { partition } = batch;
    const pipeline = this.#pipelines.get(partition);
    if (!pipeline) throw new FencedError(`Partition ${partition} is not claimed by this process`);
    const outcome = await pipeline.apply(batch);
    if (outcome === 'halt') {
      await pipeline.leave();
      this.#pipelines.delete(partition);
      this.#halted.add(partition);
    }
    return outcome;
  }

  async damaged(partition: number, message: string): Promise<void> {
    await this.halt(partition, dataLoss(this.#context.eventLog, partition, message));
  }

  async halt(partition: number, reason: string): Promise<void> {
    await this.#pipelines.get(partition)?.halt(reason);
  }

  async revoked(partition: number): Promise<void> {
    const { shadowSets, metrics } = this.#context;
    shadowSets.released(partition);
    const pipeline = this.#pipelines.get(partition);
    if (!pipeline) return;
    await pipeline.leave();
    this.#pipelines.delete(partition);
    metrics?.partition(partition, 'released');
  }

  /** Returns the claims of the partitions for which nothing is under way: the store has confirmed all of these. */
  confirmed(): Map<number, Claim> {
    const still = [...this.#pipelines].filter(([, { isConfirmed }]) => isConfirmed);
    return new Map(still.map(([partition, { claim }]) => [partition, claim]));
  }

  /** Returns the claims, and releases partitions that the stored checkpoints show to be another process's by now. */
  current(stored: readonly Owned[]): Map<number, Claim> {
    const { owner: own, metrics } = this.#context;
    const owned = new Map([...this.#pipelines].map(([partition, { claim }]) => [partition, claim]));
    for (const { _id, epoch, owner } of stored) {
      // Whether it is still halted is for the new owner to say.
      if (owner !== own && this.#halted.delete(_id)) metrics?.partition(_id, 'released');
      if (epoch > (owned.get(_id)?.epoch ?? epoch) && owned.delete(_id)) this.#lost.add(_id);
    }
    return owned;
  }
}
