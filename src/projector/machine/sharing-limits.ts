// How much a transaction may hold that chunks share, and when a partition is so far behind that they do.

/** Bounds of a transaction that several chunks share. */
export interface SharingLimits {
  /** Batches up to this size count as live traffic; they take little memory, share nothing and skip the turn queue. */
  readonly liveMax: number;
  readonly partsMax: number;
  /** Records of all parts together: the server keeps what they write in its cache. */
  readonly recordsMax: number;
  /** Streams of all parts together: what they change in memory stays there until the commit. */
  readonly streamsMax: number;
  /** Documents in memory, besides the rows. */
  readonly documentsMax: number;
  /** Far below the lifetime that the server gives a transaction (60 s). */
  readonly ageMsMax: number;
  /** A transaction that gets no more records is committed after this time. */
  readonly idleMsMax: number;
}

export const SHARING_LIMITS: SharingLimits = {
  liveMax: 500,
  partsMax: 6,
  recordsMax: 12_000,
  streamsMax: 4000,
  documentsMax: 20_000,
  ageMsMax: 20_000,
  idleMsMax: 1000,
};

/** Returns whether more records follow in a log than live traffic brings at once. */
export function manyFollow(next: number, end: number, { liveMax }: SharingLimits): boolean {
  return next + liveMax < end;
}
