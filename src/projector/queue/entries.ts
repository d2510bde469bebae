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
  return (await takeAbove(collections, { subject, above }, { eventsMax })).entries;
}

/** Returns the entries of a held stream whose turn is next, in their order: none only where the queue is empty. */
export async function nextEntries(
  { collections }: Store,
  head: Head,
  { isSkipped, eventsMax }: { readonly isSkipped: IsSkipped; readonly eventsMax: number },
): Promise<QueueEntry[]> {
  const { id: subject, sequence } = head;
  const reached = await takeReached(collections, head, { eventsMax });
  for (let factor = 1; ; factor *= 2) {
    const limits = { eventsMax: eventsMax * factor, bytesMax: STEP_BYTES_MAX * factor };
    const next = await takeAbove(collections, { subject, above: sequence }, limits);
    const knownTo = reached.isCut && reached.entries.at(-1)?.delivery.offset;
    const turns = turnsOf([...reached.entries, ...next.entries], {
      ...{ head, isSkipped, isCut: next.isCut },
      ...(typeof knownTo === 'number' && { knownTo }),
    });
    // Without any the turns of the first entries depend on later ones: their sequences were given up.
    if (turns.length > 0 || !next.isCut) return turns.slice(0, eventsMax);
  }
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
  const filter =
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

interface Limits {
  readonly eventsMax: number;
  readonly bytesMax?: number;
}

interface Taken {
  readonly entries: QueueEntry[];
  /** There may be more. */
  readonly isCut: boolean;
}

/** Takes the entries above a sequence, in the order of sequences and offsets. */
async function takeAbove(
  { waiting }: ProjectorStore['collections'],
  { subject, above }: { readonly subject: string; readonly above: number },
  limits: Limits,
): Promise<Taken> {
  const found = waiting.find({ subject, sequence: { $gt: above } });
  return take(found.sort({ sequence: 1, offset: 1 }).limit(limits.eventsMax), limits);
}

/** Takes the entries that would hold the stream whatever comes next, in the order of their arrival. */
async function takeReached(
  { waiting }: ProjectorStore['collections'],
  { id: subject, sequence }: Head,
  limits: Limits,
): Promise<Taken> {
  // The index alone gives the order: values that the server sorts would take much memory.
  const places = await waiting
    .find({ subject, sequence: { $lte: sequence } })
    .project<Pick<StoredQueueEntry, 'sequence' | 'offset'>>({ _id: 0, sequence: 1, offset: 1 })
    .sort({ offset: 1 })
    .limit(limits.eventsMax)
    .toArray();
  return take(findEach(waiting, subject, places), limits);
}

async function* findEach(
  waiting: ProjectorStore['collections']['waiting'],
  subject: string,
  places: readonly Pick<StoredQueueEntry, 'sequence' | 'offset'>[],
): AsyncGenerator<StoredQueueEntry> {
  for (const place of places) {
    const found = await waiting.findOne({ subject, ...place });
    // Otherwise another process changed the queue, and so the head.
    if (found) yield found;
  }
}

async function take(
  found: AsyncIterable<StoredQueueEntry>,
  { eventsMax, bytesMax = STEP_BYTES_MAX }: Limits,
): Promise<Taken> {
  const entries: QueueEntry[] = [];
  let bytes = 0;
  for await (const stored of found) {
    bytes += stored.value.length;
    if (entries.length > 0 && bytes > bytesMax) return { entries, isCut: true };
    entries.push({ id: stored._id, delivery: deliveryOf({ ...stored, key: stored.subject }) });
  }
  return { entries, isCut: entries.length >= eventsMax };
}
