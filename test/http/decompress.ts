// The content codings that this Node has, and how a client reads them.
import * as zlib from 'node:zlib';
import type { ContentCoding } from '../../src/http/content-coding.ts';

const { zstdDecompressSync } = zlib as unknown as {
  readonly zstdDecompressSync?: (body: Buffer) => Buffer;
};

export const codings: readonly ContentCoding[] = zstdDecompressSync
  ? ['zstd', 'br', 'gzip']
  : ['br', 'gzip'];

export function decompress(body: Buffer, coding: string | null): Buffer {
  if (coding === 'gzip') return zlib.gunzipSync(body);
  if (coding === 'br') return zlib.brotliDecompressSync(body);
  if (coding === 'zstd' && zstdDecompressSync) return zstdDecompressSync(body);
  if (coding !== null) throw new Error(`Expected a known content coding, got ${coding}`);
  return body;
}
