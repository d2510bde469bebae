// Keeps the bodies of recent answers. Their names contain the ETag, which covers everything that a body depends on, so a
// repeated request for unchanged data reads no documents. Pages of rows are large, and a client that walks through a list
// asks for each of them once: they are kept when they are read again.
import { LRUCache } from 'lru-cache';
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
