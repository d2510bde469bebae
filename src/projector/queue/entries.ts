// The entries of a held stream's queue, in the order of their turns.
import type { Head } from '../../../projections/documents.ts';
import type { StoredWaiting } from '../../read-store/collections.ts';
import { type Delivery, deliveryOf } from '../fold/delivery.ts';
import type { ProjectorStore } from '../store.ts';
import { entryOf } from './holder.ts';

/** Bytes of the entries that one step takes; the first one comes however large it is. */
const STEP_BYTES_MAX = 6 * 1024 * 1024;

/** An entry of a queue. */
export interface QueueEntry {
  readonly id: string;
  readonly delivery: Delivery;
}

type Store = Pick<ProjectorStore, 'collections'>;

/** Returns the first entries of a queue; those above a sequence, where one is given. */
export async function firstEntries(
  { collections }: Store,
  subject: string,
  { eventsMax, above = -1 }: { readonly eventsMax: number; readonly above?: number },
): Promise<QueueEntry[]> {
  return take(collections, { subject, sequence: { $gt: above } }, eventsMax);
}

/** A queue entry without its contents. */
export type EntryPlace = Pick<StoredWaiting, 'sequence' | 'eventId' | 'partition' | 'offset'>;

/** Returns the entry that shows what holds a stream, null if there is none. */
export async function readEntry(
  { waiting }: Pick<ProjectorStore['collections'], 'waiting'>,
  head: Head,
): Promise<EntryPlace | null> {
  const wanted = entryOf(head);
  if (!wanted) return null;
  const filter: Filter | { _id: string } =
    'id' in wanted ? { _id: wanted.id } : { subject: head.id, sequence: { $gt: wanted.above } };
  const projection = { _id: 0, sequence: 1, eventId: 1, partition: 1, offset: 1 };
  return waiting.findOne<EntryPlace>(filter, { projection, sort: { sequence: 1, offset: 1 } });
}

/** Returns the event that arrived first among those above a sequence. */
export async function firstArrived(
  { collections: { waiting } }: Store,
  subject: string,
  sequence: number,
): Promise<Delivery | null> {
  // The index alone gives the offset: the values of a long queue are many megabytes.
  const [place] = await waiting
    .find({ subject, sequence: { $gt: sequence } })
    .project<{ sequence: number; offset: number }>({ _id: 0, sequence: 1, offset: 1 })
    .sort({ offset: 1 })
    .limit(1)
    .toArray();
  const first = place && (await waiting.findOne({ subject, ...place }));
  return first ? deliveryOf({ ...first, key: subject }) : null;
}

interface Filter {
  readonly subject: string;
  readonly sequence?: { readonly $gt: number };
}

async function take(
  { waiting }: ProjectorStore['collections'],
  filter: Filter,
  eventsMax: number,
): Promise<QueueEntry[]> {
  const found = waiting.find(filter).sort({ sequence: 1, offset: 1 }).limit(eventsMax);
  const entries: QueueEntry[] = [];
  let bytes = 0;
  for await (const stored of found) {
    bytes += stored.value.length;
    if (entries.length > 0 && bytes > STEP_BYTES_MAX) break;
    entries.push({ id: stored._id, delivery: deliveryOf({ ...stored, key: stored.subject }) });
  }
  return entries;
}
