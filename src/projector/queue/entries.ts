// The entries of a held stream's queue, in the order of their turns.
import { type Delivery, deliveryOf } from '../fold/delivery.ts';
import type { ProjectorStore } from '../store.ts';

/** Bytes of the entries that one step takes; the first one comes however large it is. */
const STEP_BYTES_MAX = 6 * 1024 * 1024;

/** An entry of a queue. */
export interface QueueEntry {
  readonly id: string;
  readonly delivery: Delivery;
}

type Store = Pick<ProjectorStore, 'collections'>;

/** Returns the first entries of a queue; those above a sequence, where one is given. */
export function firstEntries(
  { collections }: Store,
  subject: string,
  { eventsMax, above = -1 }: { readonly eventsMax: number; readonly above?: number },
): Promise<QueueEntry[]> {
  return take(collections, { subject, sequence: { $gt: above } }, eventsMax);
}

/**
 * Returns entries that came in another partition before it was known in which one the stream lies. They leave the queue
 * first: a later hold must not keep them.
 */
export async function strayEntries(
  { collections }: Store,
  subject: string,
  eventsMax: number,
): Promise<QueueEntry[]> {
  const head = await collections.heads.findOne({ _id: subject, sequence: { $gt: 0 } });
  if (!head?.held || head.deleted) return [];
  return take(collections, { subject, partition: { $ne: head.partition } }, eventsMax);
}

interface Filter {
  readonly subject: string;
  readonly sequence?: { readonly $gt: number };
  readonly partition?: { readonly $ne: number };
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
