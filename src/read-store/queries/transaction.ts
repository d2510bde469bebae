// Reads one transaction: the stored JSON text, as it is served.
import type { Reading } from '../snapshot.ts';
import { storedId } from './stored-id.ts';

/** The transaction must exist. */
export async function readTransaction(
  { collections, options }: Reading,
  set: string,
  id: string,
): Promise<string> {
  const filter = { _id: storedId(set, id) };
  const found = await collections.rows.findOne(filter, {
    ...options,
    projection: { _id: 0, json: 1 },
  });
  if (found === null) throw new Error(`Expected the row ${id} in the snapshot, got none`);
  return found.json;
}
