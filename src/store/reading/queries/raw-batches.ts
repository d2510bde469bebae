// Reads a query's documents as the bytes that the store sent, without decoding them.
import type { Document } from 'mongodb';
import type { Reading } from '../../snapshot.ts';
import { ARRAY, eachField, LONG, nameAt, sizeOf } from './bson.ts';

interface Cursor {
  /** Zero when no documents are left. */
  readonly id: bigint;
  /** A BSON array of documents. */
  readonly batch: Buffer;
}

/**
 * Returns the documents that a `find` command matches, in BSON arrays: usually one, more when the documents exceed the
 * size of a message.
 */
export async function rawBatches(
  reading: Reading,
  command: Document & { readonly find: string },
): Promise<Buffer[]> {
  const batches: Buffer[] = [];
  for await (const batch of eachRawBatch(reading, command)) batches.push(batch);
  return batches;
}

/** Yields the BSON arrays one after the other, for documents that need not be in memory at the same time. */
export async function* eachRawBatch(
  { database, options: { maxTimeMS, ...sending } }: Reading,
  command: Document & { readonly find: string },
): AsyncGenerator<Buffer> {
  const send = async (sent: Document) => {
    const answer = await database.command(sent, { ...sending, raw: true });
    return cursorOf(answer.cursor);
  };
  let cursor = await send({ ...command, maxTimeMS });
  yield cursor.batch;
  while (cursor.id !== 0n) {
    cursor = await send({ getMore: cursor.id, collection: command.find });
    yield cursor.batch;
  }
}

/** Returns the cursor in a document `{firstBatch or nextBatch, id, ns, …}`. */
function cursorOf(bytes: Uint8Array): Cursor {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let id: bigint | undefined;
  let batch: Buffer | undefined;
  eachField(source, 0, (name, value, type) => {
    if (type === LONG && nameAt(source, name) === 'id') id = source.readBigInt64LE(value);
    if (type === ARRAY && nameAt(source, name).endsWith('Batch')) {
      batch = source.subarray(value, value + sizeOf(source, value, type));
    }
  });
  if (id === undefined || batch === undefined) throw new Error('Expected a cursor with a batch');
  return { id, batch };
}
