// How compressed batches are read: gzip by Node, snappy and lz4 by packages, zstd by Node or a package.
import { createRequire } from 'node:module';
import zlib from 'node:zlib';
import kafkajs, { CompressionTypes } from 'kafkajs';
import { UserError } from '../../errors.ts';
import type { Log } from '../../log.ts';

type Decompress = (bytes: Buffer) => Promise<Uint8Array> | Uint8Array;

interface Codec {
  readonly type: keyof typeof kafkajs.CompressionCodecs;
  /** Throws where this machine has none. */
  load(): Promise<Decompress> | Decompress;
  /** The sample text as Kafka's own Java classes compress it, base64. */
  readonly sample: string;
}

const SAMPLE_TEXT = 'budgeting '.repeat(20);

const CODECS: Readonly<Record<string, Codec>> = {
  gzip: {
    type: CompressionTypes.GZIP,
    load: () => zlib.gunzipSync,
    sample: 'H4sIAAAAAAAA/0sqTUlPLcnMS1dIGtIsAKXpUebIAAAA',
  },
  snappy: {
    type: CompressionTypes.Snappy,
    load: () => packaged('kafkajs-snappy')().decompress,
    sample: 'glNOQVBQWQAAAAABAAAAAQAAABbIASRidWRnZXRpbmcg/goA/goA9goA',
  },
  lz4: {
    type: CompressionTypes.LZ4,
    load: () => packaged('lz4-napi').decompressFrame,
    sample: 'BCJNGGBAghQAAACvYnVkZ2V0aW5nIAoAplB0aW5nIAAAAAA=',
  },
  zstd: {
    type: CompressionTypes.ZSTD,
    load: loadZstd,
    sample: 'KLUv/QBYjAAAUGJ1ZGdldGluZyABALtSBQkBAAA=',
  },
};

let installed: Promise<void> | null = null;

/**
 * Gives kafkajs every codec that works here, once. Each one reads a sample first; one that fails is told of now, and
 * again by a UserError when a batch comes that needs it.
 */
export function installCodecs(log: Log): Promise<void> {
  installed ??= install(log);
  return installed;
}

async function install(log: Log): Promise<void> {
  for (const [name, codec] of Object.entries(CODECS)) {
    const decompress = await tested(codec).catch((error: unknown) => {
      const reason = (error as Error).message;
      log.warn({ reason }, `Batches compressed with ${name} cannot be read on this machine`);
      return missing(name, reason);
    });
    // Nothing is compressed here, so nothing asks for the other direction.
    kafkajs.CompressionCodecs[codec.type] = () => ({ decompress });
  }
}

async function tested({ load, sample }: Codec): Promise<(bytes: Buffer) => Promise<Buffer>> {
  const decompress = await load();
  const read = async (bytes: Buffer) => asBuffer(await decompress(bytes));
  const text = (await read(Buffer.from(sample, 'base64'))).toString();
  if (text !== SAMPLE_TEXT) throw new Error('A sample was read wrongly');
  return read;
}

/** Exported for tests: no machine lacks all. */
export function missing(name: string, reason: string): () => Promise<never> {
  return async () => {
    throw new UserError(
      `The topic holds batches compressed with ${name}, which cannot be read on this machine: ${reason}`,
    );
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Of Node from version 22.15 on, else of a package in plain JavaScript. */
async function loadZstd(): Promise<Decompress> {
  const { zstdDecompressSync } = zlib as { zstdDecompressSync?: Decompress };
  return zstdDecompressSync ?? (await import('fzstd')).decompress;
}

/** Packages of CommonJS; loaded only here, as one of them is native and not built for every machine. */
function packaged(name: string) {
  return createRequire(import.meta.url)(name);
}
