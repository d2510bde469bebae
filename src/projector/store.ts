// The store as the projector knows it: one generation, and the decisions that it obeys.
import type { DecisionLog } from '../access/decisions.ts';
import type { GenerationCollections } from '../read-store/collections.ts';
import type { FoldWrites } from '../read-store/commit.ts';

export interface ProjectorStore {
  readonly collections: GenerationCollections;
  readonly decisions: DecisionLog;
  /** Writes a fold in one transaction. */
  commit(writes: FoldWrites): Promise<void>;
}
