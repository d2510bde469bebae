// Keeps small bodies of recent answers. Their names contain the ETag, which covers everything that a body depends on,
// so a repeated request for unchanged data reads no documents.
import { LRUCache } from 'lru-cache';
import type { ListPage } from './list-page.ts';

export interface KeptBodies {
  /**
   * Returns the page with the kept body, or calls `read` and keeps its result; a failed `read` keeps nothing. `name`
   * consists of the request and the ETag.
   */
  get(name: string, read: () => Promise<ListPage>): Promise<ListPage>;
}

/**
 * Larger texts are not kept, nor is anything but text: reading it again costs less than the memory that it takes. A
 * month of 200 categories has some 45,000 characters.
 */
const BODY_CHARACTERS_MAX = 65_536;
/** Beyond this, the least recently used body is evicted. Characters of names count too. */
const TOTAL_CHARACTERS_MAX = 8 * 2 ** 20;

export function createKeptBodies(totalMax: number = TOTAL_CHARACTERS_MAX): KeptBodies {
  const pages = new LRUCache<string, ListPage>({
    maxSize: totalMax,
    sizeCalculation: ({ body }, name) => name.length + body.length,
  });
  return {
    async get(name, read) {
      const kept = pages.get(name);
      if (kept !== undefined) return kept;
      const page = await read();
      const { body } = page;
      if (typeof body === 'string' && body.length <= BODY_CHARACTERS_MAX) pages.set(name, page);
      return page;
    },
  };
}
