// Searches for rows in a generation whose late indexes may not stand yet: each then reads a whole budget.
import { completeIndexes, type GenerationCollections } from '../collections.ts';

export interface RowSearches {
  /** Runs work that searches for rows. Searches that have taken long together make it build the late indexes. */
  run<T>(search: () => Promise<T>): Promise<T>;
}

/** A log with few cascades needs no index before its bulk is projected; one with many waits no longer than this. */
const SPENT_MS_MAX = 10_000;

const known = new WeakMap<GenerationCollections, RowSearches>();

/** Returns the searches of a generation in this process. */
export function rowSearches(collections: GenerationCollections): RowSearches {
  const searches = known.get(collections) ?? createRowSearches(collections);
  known.set(collections, searches);
  return searches;
}

/** @param spentMsMax time of all searches together, in milliseconds, after which the indexes are built */
export function createRowSearches(
  collections: GenerationCollections,
  spentMsMax = SPENT_MS_MAX,
): RowSearches {
  let spentMs = 0;
  async function build(): Promise<void> {
    spentMs = Number.NEGATIVE_INFINITY;
    try {
      // Where the indexes stand already, the database answers at once.
      await completeIndexes(collections);
    } catch {
      // Whatever the reason is, searches stay right without the indexes, and the next slow ones try again.
      spentMs = 0;
    }
  }
  return {
    async run(search) {
      const startedAtMs = performance.now();
      const found = await search();
      spentMs += performance.now() - startedAtMs;
      // Not waited for: a build takes minutes, and the partition goes on meanwhile.
      if (spentMs > spentMsMax) void build();
      return found;
    },
  };
}
