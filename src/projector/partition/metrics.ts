// What the projector reports about its work on one generation.
import type { FoldCounts } from '../fold/fold.ts';

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
