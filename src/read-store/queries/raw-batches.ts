// Reads a query's documents as the bytes that the store sent, without decoding them.
import type { Document } from 'mongodb';
import type { Reading } from '../snapshot.ts';

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
  { database, options: { session, maxTimeMS } }: Reading,
  command: Document & { readonly find: string },
): Promise<Buffer[]> {
  const send = async (sent: Document) => {
    const answer = await database.command(sent, { session, raw: true });
    return cursorOf(answer.cursor);
  };
  let cursor = await send({ ...command, maxTimeMS });
  const batches = [cursor.batch];
  while (cursor.id !== 0n) {
    cursor = await send({ getMore: cursor.id, collection: command.find });
    batches.push(cursor.batch);
  }
  return batches;
}

const STRING = 0x02;
const DOCUMENT = 0x03;
const ARRAY = 0x04;
const LONG = 0x12;
/** Sizes in bytes of the BSON types with a fixed size. */
const FIXED: Readonly<Record<number, number>> = { 1: 8, 8: 1, 9: 8, 16: 4, 17: 8, [LONG]: 8 };

/** Returns the cursor in a document `{firstBatch or nextBatch, id, ns, …}`. */
function cursorOf(bytes: Uint8Array): Cursor {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let id: bigint | undefined;
  let batch: Buffer | undefined;
  for (let at = 4; at < source.length - 1; ) {
    const type = source.readUInt8(at);
    const nameEnd = source.indexOf(0, at + 1);
    const name = source.toString('latin1', at + 1, nameEnd);
    const from = nameEnd + 1;
    at = from + sizeOf(source, type, from);
    if (type === LONG && name === 'id') id = source.readBigInt64LE(from);
    if (type === ARRAY && name.endsWith('Batch')) batch = source.subarray(from, at);
  }
  if (id === undefined || batch === undefined) throw new Error('Expected a cursor with a batch');
  return { id, batch };
}

function sizeOf(source: Buffer, type: number, from: number): number {
  if (type === DOCUMENT || type === ARRAY) return source.readInt32LE(from);
  if (type === STRING) return 4 + source.readInt32LE(from);
  const size = FIXED[type];
  if (size === undefined) throw new Error(`Expected a cursor, got a value of BSON type ${type}`);
  return size;
}
