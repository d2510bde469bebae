// Documents and heads that stay in memory from one chunk to the next. Any other writer of a stream changes its head,
// and the commit's compare-and-set on heads then refuses what was cached.
import type { Head } from '../../../projections/documents.ts';
import { createWorkingSet, type WorkingSet } from '../../../projections/working-set.ts';
import type { HeadChange } from '../../store/heads.ts';

/** Beyond this many in all partitions of a process, a partition keeps only the streams that its last chunk touched. */
const DOCUMENTS_MAX = 40_000;
const HEADS_MAX = 20_000;

/** What the caches of a process hold, by cache. */
export type CacheSizes = Map<object, { readonly documents: number; readonly heads: number }>;

export interface ChunkCache {
  readonly documents: WorkingSet;
  readonly heads: ReadonlyMap<string, Head>;
  /** The heads that parts of an open transaction changed but did not write, by stream. */
  readonly unwritten: ReadonlyMap<string, HeadChange>;
  /** Unknown event types that are noted already. */
  readonly notedTypes: Set<string>;
  addLoaded(heads: ReadonlyMap<string, Head>): void;
  /** Treats a folded chunk as stored, from when its commit begins. */
  keep(heads: ReadonlyMap<string, Head>): void;
  /** Treats the rows of a folded part as stored. Its heads and all other documents stay to be written. */
  keepRows(changes: readonly HeadChange[]): void;
  /** Evicts rows, most of which are never needed again; nothing may be folding. */
  evictRows(): void;
  clear(): void;
}

/** @param sizes shared by the caches of a process */
export function createChunkCache(sizes: CacheSizes = new Map()): ChunkCache {
  let documents = createWorkingSet();
  let known = new Map<string, Head>();
  let unwritten = new Map<string, HeadChange>();
  function clear(): void {
    documents = createWorkingSet();
    known = new Map();
    unwritten = new Map();
    sizes.delete(cache);
  }
  // A head never goes without its documents: a newer head over older documents would pass the compare-and-set.
  function evict(subject: string): void {
    const set = known.get(subject)?.set ?? null;
    if (set !== null) documents.drop(set);
    known.delete(subject);
  }
  const cache: ChunkCache = {
    notedTypes: new Set(),
    get documents() {
      return documents;
    },
    get heads() {
      return known;
    },
    get unwritten() {
      return unwritten;
    },
    addLoaded(heads) {
      for (const [subject, head] of heads) known.set(subject, head);
    },
    keep(heads) {
      unwritten = new Map();
      documents.markCommitted();
      for (const [subject, head] of heads) {
        known.set(subject, head);
        // Others write to held streams: operators, big changes, the drain of a queue.
        if (head.held) evict(subject);
      }
      if (isFull()) for (const subject of known.keys()) if (!heads.has(subject)) evict(subject);
    },
    keepRows(changes) {
      documents.markRowsWritten();
      for (const { loaded, now } of changes) {
        known.set(now.id, now);
        const before = unwritten.get(now.id);
        unwritten.set(now.id, { loaded: before ? before.loaded : loaded, now });
      }
    },
    evictRows: () => documents.forgetRows(),
    clear,
  };
  function isFull(): boolean {
    sizes.set(cache, { documents: documents.size(), heads: known.size });
    let [ofDocuments, ofHeads] = [0, 0];
    for (const size of sizes.values()) {
      ofDocuments += size.documents;
      ofHeads += size.heads;
    }
    return ofDocuments > DOCUMENTS_MAX || ofHeads > HEADS_MAX;
  }
  return cache;
}
