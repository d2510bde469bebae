// Writes many documents with plain commands, because the driver's bulk writes measure each document first; and locks
// documents that a transaction relies on, without changing them.
import {
  type ClientSession,
  type Collection,
  type Document,
  type Filter,
  MongoServerError,
} from 'mongodb';
import { type CollectionPlace, inForm } from './stored-form.ts';

/** The option of a write that no failover may undo. */
export const MAJORITY = { writeConcern: { w: 'majority' } } as const;

/** Writes to one collection, at most one for each document. */
export interface Writes {
  /** Asked for when they are sent, so that they can be encoded then: few of a chunk's documents wait in memory. */
  readonly inserts: Iterable<Document>;
  readonly updates: Update[];
  /** Ids of documents. */
  readonly deletes: string[];
}

export interface Update {
  /** Filter: the name is that of the command's field. */
  readonly q: Document;
  /** The new document, or update operators. */
  readonly u: Document;
  /** Whether the new document is inserted when the filter matches none. */
  readonly upsert?: true;
}

/**
 * Statements of one command; more are sent in several. The database begins with the first ones while others are encoded,
 * and messages of a replay stay below 1 MB: larger buffers are mapped and given back each time (docs/notebook.md).
 */
const STATEMENTS_MAX = 1000;
/** The database refuses commands above 16 MB: a thousand documents of long texts have more. */
const BYTES_MAX = 12_000_000;

export function noWrites(): Writes & { readonly inserts: Document[] } {
  return { inserts: [], updates: [], deletes: [] };
}

/**
 * Inserts documents in the session's transaction. The driver's `insertMany` hides the cause of a broken connection, so
 * the caller could not decide whether to retry.
 *
 * @throws MongoServerError on the first insert that the database refuses
 */
export async function insertAll<T extends Document>(
  collection: Collection<T>,
  documents: readonly T[],
  session: ClientSession,
): Promise<void> {
  await write(collection, { ...noWrites(), inserts: documents }, session);
}

/**
 * Writes in the session's transaction. Returns the number of documents that were inserted or matched by an update.
 *
 * @throws MongoServerError on the first write that the database refuses
 */
export async function write(
  { db, collectionName }: CollectionPlace,
  { inserts, updates, deletes }: Writes,
  session: ClientSession,
): Promise<number> {
  let written = 0;
  const run = async (command: Document) => {
    const { n, writeErrors } = await db.command({ ...command, ordered: false }, { session });
    if (writeErrors?.length > 0) throw new MongoServerError(writeErrors[0]);
    return n as number;
  };
  for (const documents of parts(inserts))
    written += await run({ insert: collectionName, documents });
  for (const some of parts(updates))
    written += await run({ update: collectionName, updates: some });
  for (const ids of parts(deletes)) {
    await run({ delete: collectionName, deletes: [{ q: { _id: { $in: ids } }, limit: 0 }] });
  }
  return written;
}

function* parts<T>(all: Iterable<T>): Generator<readonly T[]> {
  let part: T[] = [];
  let bytes = 0;
  for (const one of all) {
    const more = bytesAtMost(one);
    if (part.length === STATEMENTS_MAX || (part.length > 0 && bytes + more > BYTES_MAX)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(one);
    bytes += more;
  }
  if (part.length > 0) yield part;
}

/** Returns at least the size of a value in BSON, without looking at the letters of texts: each takes 3 bytes at most. */
function bytesAtMost(value: unknown): number {
  if (typeof value === 'string') return 5 + 3 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return 5 + value.byteLength;
  let bytes = 8;
  if (value instanceof Map) {
    for (const [key, field] of value) bytes += 2 + 3 * String(key).length + bytesAtMost(field);
    return bytes;
  }
  for (const key in value) {
    bytes += 2 + 3 * key.length + bytesAtMost((value as Record<string, unknown>)[key]);
  }
  return bytes;
}

/**
 * Keeps documents as they are until the transaction ends: who has begun to write one conflicts with it, and is retried.
 * They are written and written back, so they keep no trace, which releases before would take for a difference.
 */
export async function lockDocuments(
  place: CollectionPlace,
  filter: Filter<Document>,
  session: ClientSession,
): Promise<void> {
  const documents = inForm(place);
  await documents.updateMany(filter, { $set: { locked: true } }, { session });
  await documents.updateMany(filter, { $unset: { locked: '' } }, { session });
}
