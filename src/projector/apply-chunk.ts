// One chunk of a partition: folded in memory, written in one transaction under the checkpoint's compare-and-set.
import { createHash } from 'node:crypto';
import type { LogRecord } from '../event-log/event-log.ts';
import type { Claim } from '../read-store/checkpoints.ts';
import { deliveryOf } from './delivery.ts';
import type { FoldCounts } from './fold.ts';
import type { ParkingAlarm } from './parking-alarm.ts';
import type { ProjectorStore } from './store.ts';
import { type WorkLimits, work, writesOf } from './work.ts';

export interface Applied {
  readonly next: number;
  readonly fingerprints: Claim['fingerprints'];
  readonly counts: FoldCounts;
  /** Streams that wait for a missing number and got something in their queue: it may be that number. */
  readonly gaps: readonly string[];
  readonly swept: boolean;
}

/** Applies records from the claim's `next` on, all or none. */
export async function applyChunk(
  store: ProjectorStore,
  claim: Claim,
  records: readonly LogRecord[],
  limits: WorkLimits,
  alarm: ParkingAlarm,
): Promise<Applied> {
  const [first, last] = [records[0], records.at(-1)];
  if (!first || !last) throw new Error('A chunk holds at least one record');
  const worked = await work(store, records.map(deliveryOf), limits);
  const { fold, loaded } = worked;
  const parks = [...fold.heads.values()].filter(
    ({ id, held }) => held?.why === 'parked' && !loaded.get(id)?.held,
  );
  await alarm.check(parks.length, () => store.collections.heads.estimatedDocumentCount());
  const next = last.offset + 1;
  const fingerprints = [claim.fingerprints[0] ?? fingerprintOf(first), fingerprintOf(last)];
  const checkpoint = { ...claim, from: claim.next, to: next, fingerprints };
  await store.session.commit({ ...writesOf(worked), checkpoint });
  const queued = new Set([...fold.waiting.values()].map(({ subject }) => subject ?? ''));
  return {
    next,
    fingerprints,
    counts: fold.counts,
    gaps: [...queued].filter(subject => fold.heads.get(subject)?.held?.why === 'gap'),
    swept: fold.swept.size > 0,
  };
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
