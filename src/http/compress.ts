// Compresses the body of an answer, if the client accepts that and the body is larger than one packet: small ones at once,
// others in the threads of zlib, a few at a time.
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { type ContentCoding, chooseCoding, codingOf } from './content-coding.ts';
import type { Middleware } from './request-state.ts';

/** Leaves streams as they are. Answers HEAD like GET, so that its headers are those of GET. */
export function compression(): Middleware {
  // Public documents are the same buffer in each answer, so they are compressed once.
  const compressed = new WeakMap<Buffer, Map<ContentCoding, Promise<Buffer>>>();

  function compressOnce(body: Buffer, coding: ContentCoding): Promise<Buffer> {
    const forms = compressed.get(body) ?? new Map<ContentCoding, Promise<Buffer>>();
    compressed.set(body, forms);
    const form = forms.get(coding) ?? compress(body, coding);
    forms.set(coding, form);
    // The next answer tries it again.
    form.catch(() => forms.delete(coding));
    return form;
  }

  return async function compression(ctx, next) {
    // Small answers and 304 too: their size says nothing about the next answer of the same address.
    ctx.vary('Accept-Encoding');
    ctx.state.accepted = chooseCoding(ctx.get('Accept-Encoding'));
    await next();
    const { body } = ctx;
    if (ctx.res.hasHeader('Content-Encoding')) return;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
    const coding = codingOf(ctx.state.accepted, body);
    if (coding === null) return;
    const bytes = Buffer.isBuffer(body)
      ? await compressOnce(body, coding)
      : await compress(Buffer.from(body), coding);
    ctx.set('Content-Encoding', coding);
    ctx.body = bytes;
  };
}

/** Levels by measurement (docs/performance.md): above them, a tenth fewer bytes cost up to twice the time. */
const GZIP_LEVEL = 3;
const BROTLI_QUALITY = 3;
const ZSTD_LEVEL = 1;
/** As a power of two. 256 kB lose no byte of a large page, and keep an encoder's memory small. */
const BROTLI_WINDOW = 18;
/** The number of the parameter; Node's types for version 20 lack zstd. */
const ZSTD_COMPRESSION_LEVEL = 100;

/** Up to here, the way to another thread takes longer than the work. */
const SYNC_BYTES_MAX = 16_384;
/** As many as libuv has threads; further encoders would only take memory. */
const ENCODERS_MAX = 4;
/** The size of the pieces in which zlib returns its output; each takes a turn of a thread. */
const PIECE_BYTES = 65_536;

interface Compressor {
  readonly options: (body: Buffer) => object;
  readonly sync: (body: Buffer, options: object) => Buffer;
  readonly inThread: (body: Buffer, options: object, done: zlib.CompressCallback) => void;
}

const { constants } = zlib;
type Zstd = Pick<Compressor, 'sync' | 'inThread'>;
const { zstdCompressSync, zstdCompress } = zlib as unknown as {
  readonly zstdCompressSync: Zstd['sync'];
  readonly zstdCompress: Zstd['inThread'];
};

const COMPRESSORS: Readonly<Record<ContentCoding, Compressor>> = {
  gzip: {
    options: () => ({ level: GZIP_LEVEL }),
    sync: zlib.gzipSync,
    inThread: zlib.gzip,
  },
  br: {
    options: ({ length }) => ({
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW,
        [constants.BROTLI_PARAM_SIZE_HINT]: length,
      },
    }),
    sync: zlib.brotliCompressSync,
    inThread: zlib.brotliCompress,
  },
  zstd: {
    options: () => ({ params: { [ZSTD_COMPRESSION_LEVEL]: ZSTD_LEVEL } }),
    sync: zstdCompressSync,
    inThread: zstdCompress,
  },
};

let atWork = 0;
const waiting: (() => void)[] = [];

/** Returns the compressed body. Bodies beyond those at work wait, in their order. */
export async function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  const { options, sync, inThread } = COMPRESSORS[coding];
  const given = { ...options(body), chunkSize: PIECE_BYTES };
  if (body.length <= SYNC_BYTES_MAX) return sync(body, given);
  if (atWork < ENCODERS_MAX) atWork += 1;
  else await new Promise<void>(resolve => waiting.push(resolve));
  try {
    return await promisify(inThread)(body, given);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else atWork -= 1;
  }
}
