// The entries of a held stream's queue, in the order of their turns.
import type { Head } from '../../../projections/documents.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { StoredQueueEntry } from '../../store/collections.ts';
import { type Delivery, deliveryOf } from '../fold/delivery.ts';
import type { ProjectorStore } from '../store.ts';
import { wantedEntryOf } from './holder.ts';
import { type QueueEntry, turnsOf } from './turns-of.ts';

/** Bytes of the entries that one step takes; the first one comes however large it is. */
const STEP_BYTES_MAX = 6 * 1024 * 1024;

type Store = Pick<ProjectorStore, 'collections'>;

/** Returns the first entries of a queue in the order of sequences; those above a sequence, where one is given. */
export async function firstEntries(
  { collections }: Store,
  subject: string,
  { eventsMax, above = -1 }: { readonly eventsMax: number; readonly above?: number },
): Promise<QueueEntry[]> {
  return take(collections, { subject, sequence: { $gt: above } }, eventsMax);
}

/** Returns the entries of a held stream whose turn is next, in their order. */
export async function nextEntries(
  { collections }: Store,
  head: Head,
  { isSkipped, eventsMax }: { readonly isSkipped: IsSkipped; readonly eventsMax: number },
): Promise<QueueEntry[]> {
  const { id: subject } = head;
  const [strays, first] = await Promise.all([
    take(collections, { subject, sequence: 0 }, eventsMax),
    take(collections, { subject, sequence: { $gt: 0 } }, eventsMax),
  ]);
  const sequences = [head.sequence, ...first.map(({ delivery }) => delivery.sequence)];
  const isPlain = sequences.every((one, index) => index === 0 || one > (sequences[index - 1] ?? 0));
  if (strays.length === 0 && isPlain) return first;
  // The next one tells whether an entry arrived before it.
  const above = { $gt: sequences.at(-1) ?? 0 };
  const next = await take(collections, { subject, sequence: above }, 1);
  const turns = { head, isSkipped, isCut: next.length > 0 };
  return turnsOf([...strays, ...first, ...next], turns).slice(0, eventsMax);
}

/** A queue entry without its contents. */
export type EntryPlace = Pick<StoredQueueEntry, 'sequence' | 'eventId' | 'partition' | 'offset'>;

/** Returns the entry that shows what holds a stream, null if there is none. */
export async function readEntry(
  { waiting }: Pick<ProjectorStore['collections'], 'waiting'>,
  head: Head,
): Promise<EntryPlace | null> {
  const wanted = wantedEntryOf(head);
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
  readonly sequence: number | { readonly $gt: number };
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
