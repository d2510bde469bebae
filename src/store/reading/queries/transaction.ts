// Reads one transaction: the stored JSON text, as it is served.
import type { Reading } from '../../snapshot.ts';
import { storedId } from './stored-id.ts';

/** Returns null if there is no such transaction. */
export async function readTransaction(
  { collections, options }: Reading,
  set: string,
  id: string,
): Promise<string | null> {
  const filter = { _id: storedId(set, id) };
  const found = await collections.rows.findOne(filter, {
    ...options,
    projection: { _id: 0, json: 1 },
  });
  return found?.json ?? null;
}
