// Remembers where some lines begin, so that a seek reads only a small part of a segment. Sparse and bounded in size.
import { LRUCache } from 'lru-cache';

export interface LinePosition {
  readonly offset: number;
  /** The byte of the segment where the line begins. */
  readonly position: number;
}

export interface OffsetIndex {
  note(segment: number, offset: number, position: number): void;
  /** Returns the last known place of the segment at or before the offset. */
  nearest(segment: number, offset: number): LinePosition;
}

const SPACING_BYTES = 262_144;
const SEGMENTS_MAX = 64;

/** Creates the index of one partition. Segments are identified by their first offset. */
export function createOffsetIndex(): OffsetIndex {
  /** The least recently noted one is evicted. */
  const segments = new LRUCache<number, LinePosition[]>({ max: SEGMENTS_MAX });
  return {
    note(segment, offset, position) {
      const places = segments.get(segment) ?? [];
      const last = places.at(-1)?.position ?? 0;
      if (position >= last + SPACING_BYTES) places.push({ offset, position });
      segments.set(segment, places);
    },
    nearest(segment, offset) {
      const place = segments.peek(segment)?.findLast(candidate => candidate.offset <= offset);
      return place ?? { offset: segment, position: 0 };
    },
  };
}
