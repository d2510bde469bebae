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
export async function firstEntries(
  { collections: { waiting } }: Store,
  subject: string,
  { eventsMax, above = -1 }: { readonly eventsMax: number; readonly above?: number },
): Promise<QueueEntry[]> {
  const filter = { subject, sequence: { $gt: above } };
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
