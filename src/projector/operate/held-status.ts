// What operators see of held streams: the event that holds each of them, and who is at work on it.
import type { Head, Held } from '../../../projections/documents.ts';
import type { GenerationCollections } from '../../store/collections.ts';
import { leasedSets } from '../../store/shadow-sets.ts';
import { type EntryPlace, readEntry } from '../queue/entries.ts';
import { type Duty, dutyOf, type WorkOn } from '../shadow/duty.ts';

export interface HeldStatus {
  readonly stream: string;
  readonly partition: number;
  readonly sequence: number;
  readonly why: Held['why'];
  readonly since: string;
  readonly reason: string;
  readonly queued: number;
  /** The event that parks the stream, or the first one that waits behind a gap; null for a change. */
  readonly event: EntryPlace | null;
  /** Who is at work on a change; null for other streams. */
  readonly work: WorkStatus | null;
}

/**
 * `projector`: writes a big change. `rebuild`: `rebuild --budget` is running. `ended rebuild`: its process is gone.
 * `queue`: nothing is left but to apply the queue.
 */
export type WorkStatus = 'projector' | 'rebuild' | 'ended rebuild' | 'queue';

const WORK_OF: Readonly<Record<Duty, WorkStatus>> = {
  write: 'projector',
  nothing: 'rebuild',
  'give up': 'ended rebuild',
  drain: 'queue',
};

type Collections = Pick<GenerationCollections, 'waiting' | 'shadowSets'>;

/** Returns what operators see of these streams; nothing for streams that are not held. */
export async function heldStatuses(
  collections: Collections,
  heads: readonly Head[],
): Promise<HeldStatus[]> {
  const changing = heads.filter(({ held }) => held?.why === 'change').map(({ id }) => id);
  const works = new Map<string, WorkOn>();
  if (changing.length > 0) {
    const sets = await leasedSets(collections.shadowSets, { _id: { $in: changing } });
    for (const set of sets) works.set(set.subject, set);
  }
  const statuses: HeldStatus[] = [];
  for (const head of heads) {
    const { id, partition, sequence, held } = head;
    if (!held) continue;
    const event = await readEntry(collections, head);
    const work = held.why === 'change' ? WORK_OF[dutyOf(works.get(id) ?? null)] : null;
    // The id of the queue entry is internal.
    const { entry: _, ...shown } = held;
    statuses.push({ stream: id, partition, sequence, ...shown, event, work });
  }
  return statuses;
}

/** Returns what names the event in the log and for `parked skip`; empty without one. */
export function describeEvent({ why, event }: Pick<HeldStatus, 'why' | 'event'>): string {
  if (event === null) return '';
  const { sequence, eventId, partition, offset } = event;
  const before = why === 'gap' ? 'before ' : '';
  return `${before}event ${eventId} (sequence ${sequence}, partition ${partition}, offset ${offset})`;
}

/** Returns the option by which `parked skip` drops no other event. */
export function skipOption(event: EntryPlace | null): string {
  // The ids of events need no quotes (schemas/envelope.json), but one may begin like an option.
  return event?.eventId ? `--event=${event.eventId} ` : '';
}

/** Returns how a stream that is held for work goes on. */
export function describeWork(work: WorkStatus | null): string {
  switch (work) {
    case 'rebuild':
      return 'it goes on by itself when its rebuild is done';
    case 'ended rebuild':
      return 'its rebuild was killed; it goes on by itself as soon as a projector has its partition';
    case 'queue':
      return 'its queue is applied by itself as soon as a projector has its partition';
    default:
      return 'it goes on by itself when a projector has written the big change';
  }
}
