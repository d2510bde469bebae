// One chunk of a partition: folded in memory, then written in one transaction under the checkpoint's compare-and-set.
import type { Head } from '../../../projections/documents.ts';
import type { LogRecord } from '../../event-log/event-log.ts';
import { inTurns } from '../../in-turns.ts';
import type { Claim } from '../../read-store/checkpoints.ts';
import type { FoldWrites } from '../../read-store/commit.ts';
import { type Delivery, deliveryOf } from '../fold/delivery.ts';
import type { FoldCounts } from '../fold/fold.ts';
import { fingerprintOf } from '../log-damage.ts';
import { begunSets } from '../shadow/begun-sets.ts';
import type { ProjectorStore } from '../store.ts';
import type { ChunkCache } from './cache.ts';
import { type ChunkLimits, foldDeliveries, writesOf } from './fold-deliveries.ts';

/** Records to apply together, and the next offset: beyond the last record where readers see nothing more. */
export interface Chunk {
  readonly records: readonly LogRecord[];
  readonly next: number;
}

/** Cuts the next chunk from the records that are due; the last one reaches up to `to`. */
export function cutChunk(due: readonly LogRecord[], size: number, to: number): Chunk {
  const records = due.slice(0, size);
  const last = records.at(-1);
  return { records, next: last && records.length < due.length ? last.offset + 1 : to };
}

/** What applying a chunk came to, and what follows it. */
export interface Applied {
  readonly next: number;
  readonly fingerprints: Claim['fingerprints'];
  readonly counts: FoldCounts;
  /** Streams that wait for a missing number and got an event in their queue: it may be that number. */
  readonly gaps: readonly string[];
  /** Document sets are to be removed. */
  readonly swept: boolean;
  /** Streams whose shadow set is to be written. */
  readonly shadowed: readonly string[];
}

/** A chunk that is folded and waits for its commit. */
export interface FoldedChunk {
  readonly writes: FoldWrites;
  readonly applied: Applied;
  readonly heads: ReadonlyMap<string, Head>;
}

export interface FoldChunkOptions {
  readonly claim: Claim;
  readonly limits: ChunkLimits;
  readonly cache: ChunkCache;
}

/** Folds records from the claim's `next` on, over the cache. */
export async function foldChunk(
  store: ProjectorStore,
  { records, next }: Chunk,
  { claim, limits, cache }: FoldChunkOptions,
): Promise<FoldedChunk> {
  const deliveries: Delivery[] = [];
  await inTurns(records, record => deliveries.push(deliveryOf(record)));
  const folded = await foldDeliveries(store, deliveries, { limits, cache });
  const { fold } = folded;
  const fingerprints = fingerprintsAfter(claim, records);
  const checkpoint = { ...claim, from: claim.next, to: next, fingerprints };
  const begun = limits.tooMuch === undefined ? [] : begunSets(fold, claim.owner);
  const queued = new Set([...fold.waiting.values()].map(({ subject }) => subject ?? ''));
  const applied = {
    next,
    fingerprints,
    counts: fold.counts,
    gaps: [...queued].filter(subject => fold.heads.get(subject)?.held?.why === 'gap'),
    swept: fold.swept.size > 0,
    shadowed: begun.map(({ subject }) => subject),
  };
  const writes: FoldWrites = { ...writesOf(folded), checkpoint, begunSets: begun };
  return { writes, applied, heads: fold.heads };
}

/** Fingerprints of the first record ever applied and of the last one. */
function fingerprintsAfter(
  { fingerprints }: Claim,
  records: readonly LogRecord[],
): Claim['fingerprints'] {
  const [first, last] = [records[0], records.at(-1)];
  return first && last
    ? [fingerprints[0] ?? fingerprintOf(first), fingerprintOf(last)]
    : fingerprints;
}
