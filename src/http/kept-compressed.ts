// Keeps compressed bodies of recent answers, of whole pages of transactions too: compressed they are small, and to compress
// them again would cost more than all the rest of an answer. Names are those of kept-bodies.ts.
import { LRUCache } from 'lru-cache';
import { compress } from './compress.ts';
import { type ContentCoding, isSmall } from './content-coding.ts';
import type { ListPage } from './list-page.ts';

export interface CompressedPage extends ListPage {
  readonly body: Buffer;
  readonly coding: ContentCoding;
}

export interface CompressedName {
  readonly name: string;
  readonly coding: ContentCoding;
}

export interface KeptCompressed {
  find(name: CompressedName): CompressedPage | undefined;
  /** Returns the compressed page, and keeps it; simultaneous calls for one name compress once. */
  compress(name: CompressedName, page: ListPage): Promise<CompressedPage>;
}

/** Larger bodies are not kept. A page of 1000 transactions takes 40,000 to 80,000 bytes. */
const BODY_BYTES_MAX = 131_072;
/** Beyond this, the least recently used body is evicted. Names count too. */
const TOTAL_BYTES_MAX = 8 * 2 ** 20;

export function createKeptCompressed(totalMax: number = TOTAL_BYTES_MAX): KeptCompressed {
  const pages = new LRUCache<string, CompressedPage>({
    maxSize: totalMax,
    sizeCalculation: ({ body }, key) => key.length + body.length,
  });
  const underWay = new Map<string, Promise<CompressedPage>>();
  const keyOf = ({ name, coding }: CompressedName) => `${coding} ${name}`;

  async function compressAndKeep(
    key: string,
    coding: ContentCoding,
    { body: plain, next }: ListPage,
  ) {
    try {
      const body = await compress(Buffer.from(plain), coding);
      const page: CompressedPage = { body, next, coding };
      // Most clients want a small one as it is, and what is kept answers them all.
      if (!isSmall(plain) && body.length <= BODY_BYTES_MAX) pages.set(key, page);
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
