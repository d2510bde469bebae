// How much the next transaction takes, of a batch of the log or of the queue of a held stream. Pure.

export interface ChunkSizes {
  /** Records of the next chunk at most. What fails again and again is tried in ever smaller parts. */
  next(failures: number): number;
  /** A chunk of so many records was applied. */
  applied(count: number): void;
  /** A chunk would load too many documents: its first `before` records come alone, then the one that loads them. */
  tooMany(before: number): void;
}

/** Where one event changes many documents others may follow: what comes after it begins small, and doubles. */
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
