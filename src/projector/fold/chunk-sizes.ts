// Decides how many records the next transaction takes, from a batch of the log or the queue of a held stream. Pure.
import type { TooManyRowsError } from '../../store/writing/load-documents.ts';
import type { ChunkLimits } from './fold-deliveries.ts';

export interface ChunkSizes {
  /** Returns the most records of the next chunk; each failure in a row halves it. */
  next(failures: number): number;
  /** Reports that a chunk of this many records was applied. */
  applied(count: number): void;
  /** Reports that a chunk would load too many documents: its first `before` records come alone, then the next one. */
  tooMany(before: number): void;
}

/** An event that changes many documents is often followed by others: the size begins small again, and doubles. */
const SIZE_AFTER_CUT = 16;

export function createChunkSizes(max: number): ChunkSizes {
  let cuts: number[] = [];
  let size = max;
  return {
    next: failures => Math.max(1, Math.ceil((cuts[0] ?? size) / 2 ** failures)),
    applied(count) {
      const [first, ...rest] = cuts;
      if (first === undefined) size = Math.min(max, size * 2);
      else cuts = first > count ? [first - count, ...rest] : rest;
    },
    tooMany(before) {
      cuts = before > 0 ? [before, 1] : [1];
      size = Math.min(max, SIZE_AFTER_CUT);
    },
  };
}

/** A transaction of so many rows fits into the cache of any server. */
const ROWS_THAT_FIT = 1000;

/**
 * Returns the limits with the rows that the next transaction may change. From the second failure in a row on, each halves
 * them: a server whose cache is too small for an event refuses it for ever, mostly as a conflict. Such an event becomes a
 * big change.
 */
export function limitsAfter(failures: number, limits: ChunkLimits): ChunkLimits {
  const { rowsMax } = limits;
  const halved = Math.floor(rowsMax / 2 ** Math.max(0, failures - 1));
  return { ...limits, rowsMax: Math.max(halved, Math.min(rowsMax, ROWS_THAT_FIT)) };
}

/** Returns why a single event is too much for a transaction; cuts several around the large one, and returns null. */
export function cutSmaller(
  { message, before }: TooManyRowsError,
  count: number,
  sizes: ChunkSizes,
): string | null {
  if (count === 1) return message;
  sizes.tooMany(before);
  return null;
}
