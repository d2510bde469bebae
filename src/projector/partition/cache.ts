// Documents and heads that stay in memory from one chunk to the next. Any other writer of a stream changes its head,
// and the commit's compare-and-set on heads then refuses what was cached.
import type { Head } from '../../../projections/documents.ts';
import { createWorkingSet, type WorkingSet } from '../../../projections/working-set.ts';

/** Beyond this many, the streams that the last chunk did not touch are evicted. */
const DOCUMENTS_MAX = 20_000;
const HEADS_MAX = 10_000;

export interface ChunkCache {
  readonly documents: WorkingSet;
  readonly heads: ReadonlyMap<string, Head>;
  /** Resolves once no commit is under way: the store then holds what was folded. */
  committed(): Promise<void>;
  addLoaded(heads: ReadonlyMap<string, Head>): void;
  /** Treats a folded chunk as stored, from when its commit begins. */
  keep(heads: ReadonlyMap<string, Head>): void;
  /** Evicts rows, most of which are never needed again; nothing may be folding. */
  evictRows(): void;
  clear(): void;
}

/** @param committed waits for the commit of the previous chunk, where chunks overlap */
export function createChunkCache(committed: () => Promise<void> = async () => {}): ChunkCache {
  let documents = createWorkingSet();
  let known = new Map<string, Head>();
  // A head never goes without its documents: a newer head over older documents would pass the compare-and-set.
  function evict(subject: string): void {
    const set = known.get(subject)?.set ?? null;
    if (set !== null) documents.drop(set);
    known.delete(subject);
  }
  return {
    get documents() {
      return documents;
    },
    get heads() {
      return known;
    },
    committed,
    addLoaded(heads) {
      for (const [subject, head] of heads) known.set(subject, head);
    },
    keep(heads) {
      const count = documents.markCommitted();
      for (const [subject, head] of heads) {
        known.set(subject, head);
        // Others write to held streams: operators, big changes, the drain of a queue.
        if (head.held) evict(subject);
      }
      if (count <= DOCUMENTS_MAX && known.size <= HEADS_MAX) return;
      for (const subject of known.keys()) if (!heads.has(subject)) evict(subject);
    },
    evictRows: () => documents.forgetRows(),
    clear() {
      documents = createWorkingSet();
      known = new Map();
    },
  };
}
