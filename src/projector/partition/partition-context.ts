// What the work on one partition needs, and what it reports.
import type { EventLog } from '../../event-log/event-log.ts';
import type { RetryOptions } from '../../store/retry.ts';
import type { CacheSizes } from '../fold/cache.ts';
import type { FoldCounts } from '../fold/fold.ts';
import type { ChunkLimits } from '../fold/fold-deliveries.ts';
import type { SharingLimits } from '../machine/machine-state.ts';
import type { ShadowSetRunner } from '../shadow/runner.ts';
import type { ProjectorStore } from '../store.ts';
import type { Turns } from '../turns.ts';

/** Its `heartbeat` tells the event log that work goes on, so that the partition stays with this process. */
export interface PartitionContext extends RetryOptions {
  readonly store: ProjectorStore;
  readonly eventLog: EventLog;
  /** Name of this process in the checkpoint. */
  readonly owner: string;
  readonly limits: ChunkLimits;
  /** Shared by all partitions of this projector. */
  readonly turns: Turns;
  readonly sharing: SharingLimits;
  /** Shared by all partitions of this projector. */
  readonly cacheSizes?: CacheSizes;
  readonly metrics?: GenerationMetrics;
  readonly shadowSets: ShadowSetRunner;
}

/** `released`: this process no longer owns the partition. */
export type PartitionState = 'claimed' | 'halted' | 'released';

export interface GenerationMetrics {
  /** Called after the commit of a chunk with the outcomes of its records. */
  chunkApplied(counts: FoldCounts, times: ChunkTimes): void;
  partition(partition: number, state: PartitionState): void;
}

export interface ChunkTimes {
  /** From its fold to its commit, retries included. */
  readonly seconds: number;
  /** When its first record was written to the log; absent if the log stores no times. */
  readonly writtenAt?: Date;
}
