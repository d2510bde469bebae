// The store as the projector sees it: the collections of one generation, and the operators' decisions.
import type { DecisionLog } from '../access/decisions.ts';
import type { GenerationCollections } from '../store/collections.ts';
import type { CommitSession } from '../store/writing/commit.ts';

export interface StoreParts {
  readonly collections: GenerationCollections;
  readonly decisions: DecisionLog;
}

/** A store with a session, in which transactions run one after another. */
export interface ProjectorStore extends StoreParts {
  readonly session: CommitSession;
}
