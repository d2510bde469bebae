// The store as the projector knows it: one generation, and the decisions that it obeys.
import type { DecisionLog } from '../access/decisions.ts';
import type { GenerationCollections } from '../read-store/collections.ts';
import type { CommitSession } from '../read-store/commit.ts';

export interface StoreParts {
  readonly collections: GenerationCollections;
  readonly decisions: DecisionLog;
}

/** One line of work: its transactions follow one another in one session. */
export interface ProjectorStore extends StoreParts {
  readonly session: CommitSession;
}
