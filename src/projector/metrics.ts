// What the projector tells about its work on one generation; who counts it is no matter of the projector's.
import type { FoldCounts } from './fold/fold.ts';

/** `released`: another process has it now, or none. */
export type PartitionState = 'claimed' | 'halted' | 'released';

export interface GenerationMetrics {
  /** A chunk is committed: what came of its records, and how long it took with all its tries. */
  chunkApplied(counts: FoldCounts, seconds: number): void;
  partition(partition: number, state: PartitionState): void;
}

export const NO_METRICS: GenerationMetrics = { chunkApplied() {}, partition() {} };
