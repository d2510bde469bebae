// One chunk of a partition: folded in memory, written in one transaction under the checkpoint's compare-and-set.
import { createHash } from 'node:crypto';
import type { Head } from '../../projections/documents.ts';
import type { LogRecord } from '../event-log/event-log.ts';
import type { Claim } from '../read-store/checkpoints.ts';
import { asidesOf } from './aside/asides-of.ts';
import { deliveryOf } from './delivery.ts';
import type { FoldCounts } from './fold.ts';
import type { ParkingAlarm } from './parking-alarm.ts';
import type { ProjectorStore } from './store.ts';
import { type Worked, type WorkLimits, work, writesOf } from './work.ts';

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

/**
 * Applies records from the claim's `next` on, all or none.
 *
 * @param next where the log goes on: beyond the last record where something follows that readers do not see
 */
export async function applyChunk(
  store: ProjectorStore,
  claim: Claim,
  records: readonly LogRecord[],
  limits: WorkLimits,
  alarm: ParkingAlarm,
  next = (records.at(-1)?.offset ?? claim.next - 1) + 1,
): Promise<Applied> {
  const worked = await work(store, records.map(deliveryOf), limits);
  const { fold, loaded } = worked;
  const parks = parkedBy(worked).length;
  await alarm.check(parks, async () => {
    const streams = await store.collections.heads.estimatedDocumentCount();
    return streams + fold.heads.size - loaded.size;
  });
  const fingerprints = fingerprintsAfter(claim, records);
  const checkpoint = { ...claim, from: claim.next, to: next, fingerprints };
  const asides = limits.tooMuch === undefined ? [] : asidesOf(worked, claim.owner);
  await store.session.commit({ ...writesOf(worked), checkpoint, asides });
  alarm.count(parks);
  const queued = new Set([...fold.waiting.values()].map(({ subject }) => subject ?? ''));
  return {
    next,
    fingerprints,
    counts: fold.counts,
    gaps: [...queued].filter(subject => fold.heads.get(subject)?.held?.why === 'gap'),
    swept: fold.swept.size > 0,
    asides: asides.map(({ subject }) => subject),
  };
}

function parkedBy({ fold, loaded }: Worked): Head[] {
  return [...fold.heads.values()].filter(
    ({ id, held }) => held?.why === 'parked' && !loaded.get(id)?.held,
  );
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

/** What a record looked like when it was applied: tells a log that was shortened, restored or made anew. */
export function fingerprintOf({ offset, key, value }: LogRecord): { offset: number; hash: string } {
  const hash = createHash('sha256').update(`${key}\n`);
  return {
    offset,
    hash: hash
      .update(value ?? '')
      .digest('hex')
      .slice(0, 32),
  };
}
