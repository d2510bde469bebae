// Keeps small bodies of recent answers. Their names contain the ETag, which covers everything that a body depends on,
// so a repeated request for unchanged data reads no documents.
import { LRUCache } from 'lru-cache';

export interface KeptBodies {
  /**
   * Returns the kept body, or calls `read` and keeps its result; a failed `read` keeps nothing. `name` consists of the
   * request and the ETag.
   */
  get<Body>(name: string, read: () => Promise<Body>): Promise<Body | string>;
}

/**
 * Larger texts are not kept, nor is anything but text: reading it again costs less than the memory that it takes. A
 * month of 200 categories has some 45,000 characters.
 */
const BODY_CHARACTERS_MAX = 65_536;
/** Beyond this, the least recently used body is evicted. Characters of names count too. */
const TOTAL_CHARACTERS_MAX = 8 * 2 ** 20;

export function createKeptBodies(totalMax: number = TOTAL_CHARACTERS_MAX): KeptBodies {
  const bodies = new LRUCache<string, string>({
    maxSize: totalMax,
    sizeCalculation: (body, name) => name.length + body.length,
  });
  return {
    async get(name, read) {
      const kept = bodies.get(name);
      if (kept !== undefined) return kept;
      const body = await read();
      if (typeof body === 'string' && body.length <= BODY_CHARACTERS_MAX) bodies.set(name, body);
      return body;
    },
  };
}
