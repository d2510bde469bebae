// Reads a query's documents as the bytes that the store sent, without decoding them.
import { BSON, type Document } from 'mongodb';
import { inTurns } from '../../../process/waiting.ts';
import type { Reading } from '../../snapshot.ts';
import {
  ARRAY,
  asciiAt,
  DOCUMENT,
  eachField,
  fieldName,
  isNamed,
  LONG,
  nameAt,
  sizeOf,
} from './bson.ts';

type Find = Document & { readonly find: string; readonly batchSize?: number };

interface Reply {
  /** Of the cursor; zero when no documents are left. */
  readonly id: bigint;
  /** A BSON array of documents. */
  readonly batch: Buffer;
}

/**
 * Returns the documents that a `find` command matches, in BSON arrays: usually one, more when the documents exceed the
 * size of a message (16 MB).
 *
 * @param makeRoom called with the bytes of all arrays so far before the next one is asked for; it may throw
 */
export async function rawBatches(
  reading: Reading,
  command: Find,
  makeRoom?: (bytes: number) => void,
): Promise<Buffer[]> {
  const batches: Buffer[] = [];
  let bytes = 0;
  for await (const { batch } of eachReply(reading, command)) {
    batches.push(batch);
    bytes += batch.length;
    makeRoom?.(bytes);
  }
  return batches;
}

/** Yields the BSON arrays one after the other, for documents that need not be in memory at the same time. */
export async function* eachRawBatch(reading: Reading, command: Find): AsyncGenerator<Buffer> {
  for await (const { batch } of eachReply(reading, command)) yield batch;
}

/** Returns the documents that fit into one message, and whether there are more. */
export async function firstRawBatch(
  reading: Reading,
  command: Find,
): Promise<{ readonly batch: Buffer; readonly isCut: boolean }> {
  for await (const { id, batch } of eachReply(reading, command)) return { batch, isCut: id !== 0n };
  throw new Error('Expected a reply');
}

/** Returns the places of the documents of a BSON array. */
export function documentPlaces(batch: Buffer): number[] {
  const places: number[] = [];
  eachField(batch, 0, (_index, place) => void places.push(place));
  return places;
}

/** Decodes the documents of a BSON array. */
export function documentsIn(batch: Buffer): Document[] {
  return documentPlaces(batch).map(place => documentAt(batch, place));
}

export function documentAt(batch: Buffer, place: number): Document {
  return BSON.deserialize(batch.subarray(place, place + sizeOf(batch, place, DOCUMENT)));
}

const ID = fieldName('id');

/** Calls `visit` in turns for each document of a BSON array that has a record: with its id, and the place of the record. */
export async function eachRecord(
  batch: Buffer,
  record: Buffer,
  visit: (id: string, place: number) => void,
): Promise<void> {
  await inTurns(documentPlaces(batch), document => {
    let id = '';
    let place: number | undefined;
    eachField(batch, document, (name, value, type) => {
      if (isNamed(batch, name, ID)) id = asciiAt(batch, value);
      if (type === DOCUMENT && isNamed(batch, name, record)) place = value;
    });
    if (place !== undefined) visit(id, place);
  });
}

const KILL_MS_MAX = 1000;

async function* eachReply(
  { database, options: { maxTimeMS, ...sending } }: Reading,
  command: Find,
): AsyncGenerator<Reply> {
  const send = async (sent: Document) => {
    const answer = await database.command(sent, { ...sending, raw: true });
    return replyOf(answer.cursor);
  };
  let reply = await send({ ...command, maxTimeMS });
  try {
    yield reply;
    const { find: collection, batchSize } = command;
    const more = { collection, ...(batchSize !== undefined && { batchSize }) };
    while (reply.id !== 0n) {
      reply = await send({ getMore: reply.id, ...more });
      yield reply;
    }
  } finally {
    if (reply.id !== 0n) {
      // MongoDB would keep what nobody reads on for ten minutes. In the session of a snapshot it refuses this command, which
      // is why the driver's own cursors are not read in part.
      const kill = { killCursors: command.find, cursors: [reply.id] };
      const signal = AbortSignal.timeout(KILL_MS_MAX);
      await database.command(kill, { signal }).catch(() => {});
    }
  }
}

/** Returns the cursor in a document `{firstBatch or nextBatch, id, ns, …}`. */
function replyOf(bytes: Uint8Array): Reply {
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
