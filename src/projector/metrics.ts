// What the projector reports about its work on one generation.
import type { FoldCounts } from './fold/fold.ts';

/** `released`: this process no longer owns the partition. */
export type PartitionState = 'claimed' | 'halted' | 'released';

export interface GenerationMetrics {
  /** Called after the commit of a chunk with the outcomes of its records and its duration, retries included. */
  chunkApplied(counts: FoldCounts, seconds: number): void;
  partition(partition: number, state: PartitionState): void;
}

export const NO_METRICS: GenerationMetrics = { chunkApplied() {}, partition() {} };
