// One chunk of a partition: folded in memory, then written under the checkpoint's compare-and-set, in a transaction of
// its own or as a part of one.
import type { Head } from '../../../projections/documents.ts';
import type { LogRecord } from '../../event-log/event-log.ts';
import { attributeOf } from '../../event-log/parse-record.ts';
import { traceIdsOf } from '../../process/trace-context.ts';
import { inTurns } from '../../process/waiting.ts';
import type { NearType } from '../../store/near-types.ts';
import type { ShadowSet } from '../../store/shadow-sets.ts';
import type { Claim } from '../../store/writing/checkpoints.ts';
import { type CheckpointStep, type FoldWrites, NO_WRITES } from '../../store/writing/commit.ts';
import { rowWrites } from '../../store/writing/write-documents.ts';
import { fingerprintOf } from '../log-damage.ts';
import type { ProjectorStore } from '../store.ts';
import type { ChunkCache } from './cache.ts';
import { type Delivery, deliveryFromLog } from './delivery.ts';
import { createFold, type Fold, type FoldCounts, reconcileFold } from './fold.ts';
import { type BrokenFold, type FoldOnceOptions, foldOnce, isBroken } from './fold-deliveries.ts';
import { begunSets, type Folded, headChanges, writesOf } from './fold-writes.ts';

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

/** Returns the number of a chunk's records below an offset. */
export function countBelow({ records }: Chunk, next: number): number {
  const count = records.findIndex(({ offset }) => offset >= next);
  return count < 0 ? records.length : count;
}

/** An event that parked its stream, as the log line names it. */
export interface ParkedBy {
  readonly stream: string;
  readonly sequence: number;
  readonly eventId: string;
  readonly trace: ReturnType<typeof traceIdsOf>;
}

/** What applying a chunk came to, and what follows it. */
export interface Applied {
  readonly next: number;
  readonly fingerprints: Claim['fingerprints'];
  readonly counts: FoldCounts;
  /** When the first record was written to the log; absent if the log stores no times. */
  readonly writtenAt?: string | undefined;
  /**
   * Streams that wait for a missing sequence and got an event: it may be that one. It may be in the queue already, by an
   * earlier commit that was believed lost.
   */
  readonly gaps: readonly string[];
  /** Events that parked their streams. */
  readonly parked: readonly ParkedBy[];
  /** Unknown event types that are nearly known ones. */
  readonly nearTypes: readonly NearType[];
  /** Document sets are to be removed. */
  readonly swept: boolean;
  /** Streams whose shadow set is to be written. */
  readonly shadowed: readonly string[];
}

/** Returns whether work follows the commit: then it is waited for. */
export function needsFollowUp({ gaps, shadowed, swept, counts }: Applied): boolean {
  return gaps.length > 0 || shadowed.length > 0 || swept || counts.queued > 0;
}

/** A chunk that is folded and waits to be written. */
export interface FoldedChunk {
  readonly folded: Folded;
  readonly checkpoint: CheckpointStep;
  readonly begunSets: readonly ShadowSet[];
  readonly applied: Applied;
}

/** A chunk whose records are decoded; a chunk that is folded again is not decoded again. */
export interface DecodedChunk extends Chunk {
  readonly deliveries: readonly Delivery[];
}

export async function decodeChunk(chunk: Chunk, { partitions }: Claim): Promise<DecodedChunk> {
  const deliveries: Delivery[] = [];
  await inTurns(chunk.records, record => deliveries.push(deliveryFromLog(record, partitions)));
  return { ...chunk, deliveries };
}

export interface FoldChunkOptions extends Pick<FoldOnceOptions, 'limits' | 'cache' | 'broken'> {
  readonly claim: Claim;
}

/** Folds records from the claim's `next` on, over the cache: all of the chunk, or as many as the limits allow. */
export async function foldChunk(
  store: ProjectorStore,
  chunk: DecodedChunk,
  { claim, ...options }: FoldChunkOptions,
): Promise<FoldedChunk | BrokenFold> {
  const folded = await foldOnce(store, chunk.deliveries, options);
  if (isBroken(folded)) return folded;
  const { fold, taken } = folded;
  const { records, next } = cutChunk(chunk.records, taken, chunk.next);
  const fingerprints = fingerprintsAfter(claim, records);
  const { partition, epoch } = claim;
  const checkpoint = { partition, epoch, from: claim.next, to: next, fingerprints };
  const begun = options.limits.tooMuch === undefined ? [] : begunSets(fold, claim.owner);
  const applied = {
    next,
    fingerprints,
    counts: fold.counts,
    writtenAt: records[0]?.timestamp,
    gaps: [...fold.heads.values()].filter(({ held }) => held?.why === 'gap').map(({ id }) => id),
    parked: parkedBy(fold),
    nearTypes:
      fold.counts.unknown > 0
        ? nearTypesIn(chunk.deliveries.slice(0, taken), options.cache.notedTypes)
        : [],
    swept: fold.swept.size + fold.erased.size > 0,
    shadowed: begun.map(({ subject }) => subject),
  };
  return { folded, checkpoint, begunSets: begun, applied };
}

function nearTypesIn(deliveries: readonly Delivery[], noted: ReadonlySet<string>): NearType[] {
  return deliveries.flatMap(({ nearType, partition, offset }) =>
    nearType && !noted.has(nearType.type) ? [{ ...nearType, partition, offset }] : [],
  );
}

function parkedBy({ queued, heads }: Fold): ParkedBy[] {
  return [...queued].flatMap(([id, { subject, sequence, eventId, value }]) => {
    const held = heads.get(subject ?? '')?.held;
    if (subject === null || held?.why !== 'parked' || held.entry !== id) return [];
    const trace = traceIdsOf(attributeOf(value, 'traceparent'));
    return [{ stream: subject, sequence, eventId, trace }];
  });
}

/** Returns whether the chunk changes documents and heads alone, so that it may be written in parts. */
export function isPlain({ folded: { fold }, begunSets: begun, applied }: FoldedChunk): boolean {
  const { queued, erased, swept, quarantined } = fold;
  const others = erased.size + swept.size + quarantined.length + begun.length;
  return queued.size + others + applied.gaps.length === 0;
}

/** Returns what a chunk writes, with all that the parts before it left out. The cache treats it as stored. */
export function takeWrites(
  cache: ChunkCache,
  { folded, checkpoint, begunSets: begun }: FoldedChunk,
): FoldWrites {
  return { ...takeFolded(cache, folded), checkpoints: [checkpoint], begunSets: begun };
}

/** Returns the rows that a part writes. The cache treats them as stored. */
export function takeRows(cache: ChunkCache, { folded, checkpoint }: FoldedChunk): FoldWrites {
  const documents = rowWrites(cache.documents);
  cache.keepRows(headChanges(folded));
  return { ...NO_WRITES, checkpoints: [checkpoint], documents };
}

/** Returns what the parts of an open transaction left out, to end it without another chunk. */
export function takeRest(cache: ChunkCache): FoldWrites {
  return takeFolded(cache, { fold: createFold(cache.documents), loaded: new Map() });
}

function takeFolded(cache: ChunkCache, last: Folded): FoldWrites {
  const folded = withParts(cache, last);
  reconcileFold(folded.fold);
  const writes = writesOf(folded);
  cache.keep(folded.fold.heads);
  return writes;
}

/** Adds the heads that earlier parts changed: each as it was before the first part. */
function withParts({ unwritten }: ChunkCache, { fold, loaded }: Folded): Folded {
  if (unwritten.size === 0) return { fold, loaded };
  const heads = new Map<string, Head>();
  const before = new Map(loaded);
  for (const [subject, change] of unwritten) {
    heads.set(subject, change.now);
    if (change.loaded) before.set(subject, change.loaded);
    else before.delete(subject);
  }
  for (const [subject, head] of fold.heads) heads.set(subject, head);
  return { fold: { ...fold, heads }, loaded: before };
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
