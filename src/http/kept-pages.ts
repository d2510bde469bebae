// Keeps the bodies of recent answers, plain and compressed. Their names contain the ETag, which covers everything that a
// body depends on, so a repeated request for unchanged data reads no documents. Pages of rows are large, and a client that
// walks through a list asks for each of them once: they are kept when they are read again.
import { LRUCache } from 'lru-cache';
import { compress } from './compress.ts';
import { type ContentCoding, isSmall } from './content-coding.ts';
import type { Body, ListPage } from './list-page.ts';

export interface KeptBodies {
  /**
   * Returns the page with the kept body, or calls `read` and keeps its result; a failed `read` keeps nothing. `name`
   * consists of the request and the ETag.
   */
  get(name: string, read: () => Promise<ListPage>): Promise<ListPage>;
}

/** Larger bodies are not kept. A page of 1000 transactions has some 430,000 bytes. */
const BODY_BYTES_MAX = 2 ** 19;
/** Beyond this, the least recently used body is evicted. Names count too. */
const TOTAL_BYTES_MAX = 16 * 2 ** 20;
/** What the cache itself takes for each name. */
const ENTRY_BYTES = 400;

export function createKeptBodies(totalMax: number = TOTAL_BYTES_MAX): KeptBodies {
  const pages = new LRUCache<string, ListPage | 'asked for once'>({
    maxSize: totalMax,
    sizeCalculation: (page, name) =>
      ENTRY_BYTES + name.length + (page === 'asked for once' ? 0 : bytesOf(page.body)),
  });
  return {
    async get(name, read) {
      const kept = pages.get(name);
      if (kept !== undefined && kept !== 'asked for once') return kept;
      const page = await read();
      if (bytesOf(page.body) > BODY_BYTES_MAX) return page;
      const isFirst = Buffer.isBuffer(page.body) && kept === undefined;
      pages.set(name, isFirst ? 'asked for once' : page);
      return page;
    },
  };
}

/** Returns the memory that a body holds: small buffers share a larger one. Texts have a byte for a character, as a rule. */
function bytesOf(body: Body): number {
  return typeof body === 'string' ? body.length : body.buffer.byteLength;
}

/** What zlib returns is a part of a larger buffer, 64 kB for a hundred bytes. */
function ownCopyOf(body: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(body.length);
  body.copy(copy);
  return copy;
}

export interface CompressedPage extends ListPage {
  readonly body: Buffer;
  readonly coding: ContentCoding;
}

interface CompressedName {
  readonly name: string;
  readonly coding: ContentCoding;
}

/**
 * Keeps compressed bodies, of whole pages of transactions too: compressed they are small, and to compress them again
 * would cost more than all the rest of an answer.
 */
export interface KeptCompressed {
  find(name: CompressedName): CompressedPage | undefined;
  /** Returns the compressed page, and keeps it; simultaneous calls for one name compress once. */
  compress(name: CompressedName, page: ListPage): Promise<CompressedPage>;
}

/** Larger bodies are not kept. A page of 1000 transactions takes 40,000 to 80,000 bytes. */
const COMPRESSED_BYTES_MAX = 131_072;
/** Beyond this, the least recently used body is evicted. Names count too. */
const COMPRESSED_TOTAL_MAX = 8 * 2 ** 20;

export function createKeptCompressed(totalMax: number = COMPRESSED_TOTAL_MAX): KeptCompressed {
  const pages = new LRUCache<string, CompressedPage>({
    maxSize: totalMax,
    sizeCalculation: ({ body }, key) => ENTRY_BYTES + key.length + bytesOf(body),
  });
  const underWay = new Map<string, Promise<CompressedPage>>();
  const keyOf = ({ name, coding }: CompressedName) => `${coding} ${name}`;

  async function compressAndKeep(
    key: string,
    coding: ContentCoding,
    { body: plain, next }: ListPage,
  ) {
    try {
      const bytes = typeof plain === 'string' ? Buffer.from(plain) : plain;
      const body = await compress(bytes, coding);
      // Most clients want a small one as it is, and what is kept answers them all.
      const isKept = !isSmall(plain) && body.length <= COMPRESSED_BYTES_MAX;
      const page: CompressedPage = { body: isKept ? ownCopyOf(body) : body, next, coding };
      if (isKept) pages.set(key, page);
      return page;
    } finally {
      underWay.delete(key);
    }
  }

  return {
    find: name => pages.get(keyOf(name)),
    compress(name, page) {
      const key = keyOf(name);
      const compressed = underWay.get(key) ?? compressAndKeep(key, name.coding, page);
      underWay.set(key, compressed);
      return compressed;
    },
  };
}
