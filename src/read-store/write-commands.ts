// Writes of many documents as plain commands: the driver's bulk writes measure each document before they write it.
import { type ClientSession, type Collection, type Document, MongoServerError } from 'mongodb';
import type { CollectionPlace } from './in-form.ts';

/** Writes to one collection, no document twice. */
export interface Writes {
  readonly inserts: Document[];
  readonly updates: Update[];
  /** Ids. */
  readonly deletes: string[];
}

export interface Update {
  /** The filter. */
  readonly q: Document;
  /** What the document becomes, or how it changes. */
  readonly u: Document;
}

/** Statements of one command: even of the largest documents, no more than a message takes (48 MB). */
const STATEMENTS_MAX = 5000;

export function noWrites(): Writes {
  return { inserts: [], updates: [], deletes: [] };
}

/**
 * Inserts documents in the session's transaction. The driver's `insertMany` hides why a connection broke, so the
 * caller could not tell whether to retry.
 *
 * @throws MongoServerError on the first that the database refuses
 */
export async function insertAll<T extends Document>(
  collection: Collection<T>,
  documents: readonly T[],
  session: ClientSession,
): Promise<void> {
  await write(collection, { ...noWrites(), inserts: [...documents] }, session);
}

/**
 * Writes in the session's transaction and returns how many documents were inserted or matched by an update.
 *
 * @throws MongoServerError on the first write that the database refuses
 */
export async function write(
  { db, collectionName }: CollectionPlace,
  { inserts, updates, deletes }: Writes,
  session: ClientSession,
): Promise<number> {
  let met = 0;
  const run = async (command: Document) => {
    const { n, writeErrors } = await db.command({ ...command, ordered: false }, { session });
    if (writeErrors?.length > 0) throw new MongoServerError(writeErrors[0]);
    return n as number;
  };
  for (const documents of parts(inserts)) met += await run({ insert: collectionName, documents });
  for (const some of parts(updates)) met += await run({ update: collectionName, updates: some });
  for (const ids of parts(deletes)) {
    await run({ delete: collectionName, deletes: [{ q: { _id: { $in: ids } }, limit: 0 }] });
  }
  return met;
}

function* parts<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += STATEMENTS_MAX) {
    yield all.slice(from, from + STATEMENTS_MAX);
  }
}
