// One chunk of a partition: folded in memory, written in one transaction under the checkpoint's compare-and-set.
import type { Head } from '../../projections/documents.ts';
import type { LogRecord } from '../event-log/event-log.ts';
import { inTurns } from '../in-turns.ts';
import type { Claim } from '../read-store/checkpoints.ts';
import type { FoldWrites } from '../read-store/commit.ts';
import { asidesOf } from './aside/asides-of.ts';
import type { Carried } from './carried.ts';
import { type Delivery, deliveryOf } from './delivery.ts';
import type { FoldCounts } from './fold.ts';
import { fingerprintOf } from './log-damage.ts';
import type { ProjectorStore } from './store.ts';
import { type WorkLimits, work, writesOf } from './work.ts';

/** Records to be applied together, and where the log goes on: beyond the last of them where readers see no more. */
export interface Chunk {
  readonly records: readonly LogRecord[];
  readonly next: number;
}

export interface Applied {
  readonly next: number;
  readonly fingerprints: Claim['fingerprints'];
  readonly counts: FoldCounts;
  /** Streams that wait for a missing number and got something in their queue: it may be that number. */
  readonly gaps: readonly string[];
  readonly swept: boolean;
  /** Streams whose new document set is to be written aside. */
  readonly asides: readonly string[];
}

/** A chunk that is folded and waits for its commit. */
export interface FoldedChunk {
  readonly writes: FoldWrites;
  readonly applied: Applied;
  readonly heads: ReadonlyMap<string, Head>;
}

/** Folds records from the claim's `next` on, over what is carried. */
export async function foldChunk(
  store: ProjectorStore,
  claim: Claim,
  { records, next }: Chunk,
  limits: WorkLimits,
  carried: Carried,
): Promise<FoldedChunk> {
  const deliveries: Delivery[] = [];
  await inTurns(records, record => deliveries.push(deliveryOf(record)));
  const worked = await work(store, deliveries, limits, carried);
  const { fold } = worked;
  const fingerprints = fingerprintsAfter(claim, records);
  const checkpoint = { ...claim, from: claim.next, to: next, fingerprints };
  const asides = limits.tooMuch === undefined ? [] : asidesOf(worked, claim.owner);
  const queued = new Set([...fold.waiting.values()].map(({ subject }) => subject ?? ''));
  const applied = {
    next,
    fingerprints,
    counts: fold.counts,
    gaps: [...queued].filter(subject => fold.heads.get(subject)?.held?.why === 'gap'),
    swept: fold.swept.size > 0,
    asides: asides.map(({ subject }) => subject),
  };
  const writes = { ...writesOf(worked), checkpoint, asides };
  return { writes, applied, heads: fold.heads };
}

// Of the first record ever applied, and of the last one.
function fingerprintsAfter(
  { fingerprints }: Claim,
  records: readonly LogRecord[],
): Claim['fingerprints'] {
  const [first, last] = [records[0], records.at(-1)];
  return first && last
    ? [fingerprints[0] ?? fingerprintOf(first), fingerprintOf(last)]
    : fingerprints;
}
