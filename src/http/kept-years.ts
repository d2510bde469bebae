// Keeps the figures of recently requested years, so that months that were never requested are answered without reading
// documents. Their names contain the budget's position, so a change of the budget is answered at once.
import { LRUCache } from 'lru-cache';
import type { YearFigures } from '../store/reading/queries/month-figures.ts';
import type { Reading } from '../store/snapshot.ts';

/** A year of a budget, and the state in which it is read. */
export interface RequestedYear {
  readonly reading: Pick<Reading, 'generation'>;
  readonly set: string;
  readonly sequence: number;
  /** `YYYY` */
  readonly year: string;
}

export interface KeptYears {
  /**
   * Returns the kept figures, or calls `read` and keeps its result; a failed `read` keeps nothing. Requests of one
   * snapshot share a read.
   */
  get(requested: RequestedYear, read: () => Promise<Figures>): Promise<Figures>;
}

/** Null before the first data. */
type Figures = YearFigures | null;

/** An upper estimate of the memory for a month, and for the rest of a year. */
const MONTH_BYTES = 256;
/** Beyond this, the least recently used year is evicted: about 2,500 years with data in each month. */
const TOTAL_BYTES_MAX = 8 * 2 ** 20;

export function createKeptYears(totalMax: number = TOTAL_BYTES_MAX): KeptYears {
  const years = new LRUCache<string, { readonly figures: Figures }>({
    maxSize: totalMax,
    sizeCalculation: ({ figures }, name) => name.length + bytesOf(figures),
  });
  // By snapshot, because a read that never ends must not delay later requests.
  const readsOf = new WeakMap<RequestedYear['reading'], Map<string, Promise<Figures>>>();

  async function readAndKeep(name: string, read: () => Promise<Figures>): Promise<Figures> {
    const figures = await read();
    years.set(name, { figures });
    return figures;
  }

  return {
    async get({ reading, set, sequence, year }, read) {
      const name = `${reading.generation} ${set} ${sequence} ${year}`;
      const kept = years.get(name);
      if (kept !== undefined) return kept.figures;
      const reads = readsOf.get(reading) ?? new Map<string, Promise<Figures>>();
      readsOf.set(reading, reads);
      const figures = reads.get(name) ?? readAndKeep(name, read);
      reads.set(name, figures);
      return await figures;
    },
  };
}

function bytesOf(figures: Figures): number {
  return MONTH_BYTES * (1 + Object.keys(figures?.months ?? {}).length);
}
