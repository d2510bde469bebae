// Reads batches of records that kafkajs alone does not: compressed ones (gzip with Node, snappy and lz4 with packages, zstd
// with Node or a package), and those of very many records.
import { createRequire } from 'node:module';
import zlib from 'node:zlib';
import kafkajs, { CompressionTypes } from 'kafkajs';
import { UserError } from '../../process/errors.ts';
import type { Logger } from '../../process/log.ts';

type Decompress = (bytes: Buffer) => Promise<Uint8Array> | Uint8Array;

interface Codec {
  readonly type: keyof typeof kafkajs.CompressionCodecs;
  /** Throws if this machine lacks the codec. */
  load(): Promise<Decompress> | Decompress;
  /** The sample text, compressed by Kafka's own Java classes; base64. */
  readonly sample: string;
}

const SAMPLE_TEXT = 'budgeting '.repeat(20);

const CODECS: Readonly<Record<string, Codec>> = {
  gzip: {
    type: CompressionTypes.GZIP,
    load: () => bytes => zlib.gunzipSync(bytes, BOUNDED),
    sample: 'H4sIAAAAAAAA/0sqTUlPLcnMS1dIGtIsAKXpUebIAAAA',
  },
  snappy: {
    type: CompressionTypes.Snappy,
    load: () => requirePackage('kafkajs-snappy')().decompress,
    sample: 'glNOQVBQWQAAAAABAAAAAQAAABbIASRidWRnZXRpbmcg/goA/goA9goA',
  },
  lz4: {
    type: CompressionTypes.LZ4,
    load: () => requirePackage('lz4-napi').decompressFrame,
    sample: 'BCJNGGBAghQAAACvYnVkZ2V0aW5nIAoAplB0aW5nIAAAAAA=',
  },
  zstd: {
    type: CompressionTypes.ZSTD,
    load: loadZstd,
    sample: 'KLUv/QBYjAAAUGJ1ZGdldGluZyABALtSBQkBAAA=',
  },
};

/**
 * The little that a batch has on its way may be memory enough to end the process, at each start again. The other two codecs
 * have a limit of their own: lz4 unfolds each byte to 255 at most, snappy to 21.
 */
const BOUNDED = { maxOutputLength: 268_435_456 };

let installed: Promise<void> | null = null;

/**
 * Registers every codec that works on this machine with kafkajs, once. Each codec first reads a sample: a failure is
 * logged now, and becomes a UserError when a batch needs that codec.
 */
export function installCodecs(logger: Logger): Promise<void> {
  installed ??= install(logger);
  return installed;
}

async function install(logger: Logger): Promise<void> {
  for (const [name, codec] of Object.entries(CODECS)) {
    const decompress = await tested(codec).catch((error: unknown) => {
      const reason = (error as Error).message;
      logger.warn({ reason }, `Batches compressed with ${name} cannot be read on this machine`);
      return missing(name, reason);
    });
    // This program compresses nothing, so it needs no compressor.
    kafkajs.CompressionCodecs[codec.type] = () => ({ decompress });
  }
}

async function tested({ load, sample }: Codec): Promise<(bytes: Buffer) => Promise<Buffer>> {
  const decompress = await load();
  const read = async (bytes: Buffer) => {
    try {
      const { buffer, byteOffset, byteLength } = await decompress(bytes);
      return Buffer.from(buffer, byteOffset, byteLength);
    } catch (error) {
      throw (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error;
    }
  };
  const text = (await read(Buffer.from(sample, 'base64'))).toString();
  if (text !== SAMPLE_TEXT) throw new Error('A sample was read wrongly');
  return read;
}

function tooLarge(): UserError {
  return new UserError(
    `Expected batches of at most ${BOUNDED.maxOutputLength} bytes without compression, got a larger one: its producer must write smaller batches`,
  );
}

/** Exported for tests: no machine lacks all codecs. */
export function missing(name: string, reason: string): () => Promise<never> {
  return async () => {
    throw new UserError(
      `The topic holds batches compressed with ${name}, which cannot be read on this machine: ${reason}`,
    );
  };
}

/** Node has zstd from version 22.15 on; older versions use a package in plain JavaScript. */
async function loadZstd(): Promise<Decompress> {
  const { zstdDecompressSync } = zlib as {
    zstdDecompressSync?: (bytes: Buffer, options: typeof BOUNDED) => Buffer;
  };
  if (zstdDecompressSync) return bytes => zstdDecompressSync(bytes, BOUNDED);
  const { Decompress: Stream } = await import('fzstd');
  return bytes => {
    const parts: Uint8Array[] = [];
    let length = 0;
    const stream = new Stream(part => {
      length += part.length;
      if (length > BOUNDED.maxOutputLength) throw tooLarge();
      parts.push(part);
    });
    stream.push(bytes, true);
    return Buffer.concat(parts, length);
  };
}

/** CommonJS packages, loaded on demand because one of them is native and not built for every machine. */
function requirePackage(name: string) {
  return createRequire(import.meta.url)(name);
}

interface Decoder {
  readonly buffer: Buffer;
  readonly offset: number;
  readInt32(): number;
  readBytes(bytes: number): Buffer;
  canReadBytes(bytes: number): boolean;
}

type DecodeMessages = (decoder: Decoder) => Promise<unknown[]>;

/** Byte of a batch that names its format, and the format of Kafka 0.11 and later. */
const MAGIC_AT = 16;
const MAGIC = 2;
/** Bytes of a batch without records. */
const BATCH_BYTES_MIN = 49;

/** @param decodeOthers decodes earlier formats, and no messages at all */
function decodeMessages(require: NodeJS.Require, decodeOthers: DecodeMessages): DecodeMessages {
  const BytesDecoder: new (bytes: Buffer) => Decoder = require('kafkajs/src/protocol/decoder');
  const decodeBatch: (decoder: Decoder) => Promise<{ readonly records: readonly unknown[] }> =
    require('kafkajs/src/protocol/recordBatch/v0/decoder');
  return async decoder => {
    const { buffer, offset } = decoder;
    // The size comes before the batches.
    const at = offset + 4 + MAGIC_AT;
    const bytes = buffer.length > at ? buffer.readInt32BE(offset) : 0;
    const isWhole = bytes > MAGIC_AT && offset + 4 + bytes <= buffer.length;
    if (!isWhole || buffer.readInt8(at) !== MAGIC) return await decodeOthers(decoder);
    const batches = new BytesDecoder(decoder.readBytes(decoder.readInt32()));
    const records: unknown[] = [];
    while (batches.canReadBytes(BATCH_BYTES_MIN)) {
      try {
        for (const record of (await decodeBatch(batches)).records) records.push(record);
      } catch (error) {
        // The last batch may be cut by the limit of the fetch.
        if ((error as Error).name !== 'KafkaJSPartialMessageError') throw error;
        break;
      }
    }
    return records;
  };
}

interface RecordDecoder extends Decoder {
  readVarInt(): number;
  readVarIntArray: unknown;
}

type HeaderValue = Buffer | null;

/** Reads the headers of a record in the place of an array that kafkajs would reduce to an object. */
function readHeaders(
  this: RecordDecoder,
  decodeHeader: (decoder: Decoder) => { readonly key: string; readonly value: HeaderValue },
) {
  const headers: Record<string, HeaderValue | HeaderValue[]> = Object.create(null);
  for (let left = this.readVarInt(); left > 0; left -= 1) {
    const { key, value } = decodeHeader(this);
    const before = headers[key];
    if (before === undefined) headers[key] = value;
    else if (Array.isArray(before)) before.push(value);
    else headers[key] = [before, value];
  }
  return { reduce: () => headers };
}

function patchRecords(require: NodeJS.Require): void {
  const path = require.resolve('kafkajs/src/protocol/recordBatch/record/v0/decoder');
  const decodeRecord: (decoder: RecordDecoder, batch: unknown) => unknown = require(path);
  const loaded = require.cache[path];
  if (!loaded) return;
  loaded.exports = (decoder: RecordDecoder, batch: unknown) => {
    decoder.readVarIntArray = readHeaders;
    return decodeRecord(decoder, batch);
  };
}

/**
 * Makes up for two defects of kafkajs 2.2.4: it adds the records of a batch as arguments of one call, for which the stack has
 * no room beyond about 120,000; and it copies all headers of a record for each of them, which takes a minute for 10,000.
 * Must run before the first fetch.
 */
export function patchDecoding(require: NodeJS.Require): void {
  // Before the decoder of batches is loaded, which keeps that of records.
  patchRecords(require);
  const path = require.resolve('kafkajs/src/protocol/requests/fetch/v4/decodeMessages');
  const decodeOthers: DecodeMessages = require(path);
  const loaded = require.cache[path];
  if (loaded) loaded.exports = decodeMessages(require, decodeOthers);
}
