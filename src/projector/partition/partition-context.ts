// What the work on one partition needs, and what it reports.
import type { EventLog } from '../../event-log/event-log.ts';
import type { RetryOptions } from '../../store/retry.ts';
import type { CacheSizes } from '../fold/cache.ts';
import type { FoldCounts } from '../fold/fold.ts';
import type { ChunkLimits } from '../fold/fold-deliveries.ts';
import type { ShadowSetRunner } from '../shadow/runner.ts';
import type { ProjectorStore } from '../store.ts';
import type { Turns } from '../turns.ts';

/** Bounds of a transaction that several chunks share. */
export interface SharingLimits {
  /** Batches up to this size count as live traffic; they take little memory, share nothing and skip the turn queue. */
  readonly liveMax: number;
  readonly partsMax: number;
  /** Records of all parts together: the server keeps what they write in its cache. */
  readonly recordsMax: number;
  /** Streams of all parts together: what they change in memory stays there until the commit. */
  readonly streamsMax: number;
  /** Documents in memory, besides the rows. */
  readonly documentsMax: number;
  /** Far below the lifetime that the server gives a transaction (60 s). */
  readonly ageMsMax: number;
  /** A transaction that gets no more records is committed after this time. */
  readonly idleMsMax: number;
}

export const SHARING_LIMITS: SharingLimits = {
  liveMax: 500,
  partsMax: 6,
  recordsMax: 12_000,
  streamsMax: 4000,
  documentsMax: 20_000,
  ageMsMax: 20_000,
  idleMsMax: 1000,
};

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

/** Returns whether more records follow in a log than live traffic brings at once. */
export function manyFollow(next: number, end: number, { liveMax }: SharingLimits): boolean {
  return next + liveMax < end;
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

export const NO_METRICS: GenerationMetrics = { chunkApplied() {}, partition() {} };
