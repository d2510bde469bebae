// Reads one transaction: the stored JSON text, as it is served. Requests of one snapshot share a query.
import { createBatches } from '../../../process/batches.ts';
import type { Reading } from '../../snapshot.ts';
import { storedId } from './stored-id.ts';

type AskText = (key: string) => Promise<string | null>;

const asking = new WeakMap<Reading, AskText>();

/** Returns null if there is no such transaction. */
export async function readTransaction(
  reading: Reading,
  set: string,
  id: string,
): Promise<string | null> {
  const shared = reading.shared ?? reading;
  const ask = asking.get(shared) ?? createBatches(keys => textsOf(shared, keys));
  asking.set(shared, ask);
  return await ask(storedId(set, id));
}

/** Returns the texts in the order of their keys. */
async function textsOf(
  { collections, options }: Reading,
  keys: readonly string[],
): Promise<(string | null)[]> {
  const found = await collections.rows
    .find({ _id: { $in: [...keys] } }, { ...options, projection: { json: 1 } })
    .toArray();
  const texts = new Map(found.map(({ _id, json }) => [_id, json]));
  return keys.map(key => texts.get(key) ?? null);
}
