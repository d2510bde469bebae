// The entries of a held stream's queue, in the order of their turns.
import type { Head } from '../../../projections/documents.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { StoredQueueEntry } from '../../store/collections.ts';
import { type Delivery, deliveryOf } from '../fold/delivery.ts';
import { admit } from '../fold/gate.ts';
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
  const sequence = { $gt: above };
  return (await take(collections, { subject, sequence }, { eventsMax })).entries;
}

/**
 * Returns the entries of a held stream whose turn is next, in their order: none only where the queue is empty. Those that are
 * dropped whatever comes first are returned first, and alone.
 */
export async function nextEntries(
  { collections }: Store,
  head: Head,
  { isSkipped, eventsMax }: { readonly isSkipped: IsSkipped; readonly eventsMax: number },
): Promise<QueueEntry[]> {
  const { id: subject, sequence } = head;
  const [strays, reached] = await Promise.all([
    take(collections, { subject, sequence: 0 }, { eventsMax }),
    take(collections, { subject, sequence: { $gt: 0, $lte: sequence } }, { eventsMax }),
  ]);
  const open = { ...head, held: null };
  const dropped = reached.entries.filter(
    ({ delivery }) => admit(open, delivery, isSkipped).kind === 'drop',
  );
  if (dropped.length > 0) return dropped;
  // What is left has the sequence of the head or none, so both are in the order of their arrival.
  const ends = [strays, reached].filter(({ isCut }) => isCut).map(({ entries }) => entries.at(-1));
  const knownTo = Math.min(...ends.map(end => end?.delivery.offset ?? 0));
  const holding = [...strays.entries, ...reached.entries];
  for (let factor = 1; ; factor *= 2) {
    const limits = { eventsMax: eventsMax * factor, bytesMax: STEP_BYTES_MAX * factor };
    const next = await take(collections, { subject, sequence: { $gt: sequence } }, limits);
    const known = { isCut: next.isCut, knownTo };
    const turns = turnsOf([...holding, ...next.entries], { head, isSkipped, ...known });
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

interface Filter {
  readonly subject: string;
  readonly sequence: number | { readonly $gt: number; readonly $lte?: number };
}

async function take(
  { waiting }: ProjectorStore['collections'],
  filter: Filter,
  { eventsMax, bytesMax = STEP_BYTES_MAX }: Limits,
): Promise<Taken> {
  const found = waiting.find(filter).sort({ sequence: 1, offset: 1 }).limit(eventsMax);
  const entries: QueueEntry[] = [];
  let bytes = 0;
  for await (const stored of found) {
    bytes += stored.value.length;
    if (entries.length > 0 && bytes > bytesMax) return { entries, isCut: true };
    entries.push({ id: stored._id, delivery: deliveryOf({ ...stored, key: stored.subject }) });
  }
  return { entries, isCut: entries.length >= eventsMax };
}
