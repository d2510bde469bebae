// Remembers where some lines begin, so that a seek reads a small part of a segment. Sparse, and bounded.

export interface Place {
  readonly offset: number;
  /** The byte of the segment where the line begins. */
  readonly position: number;
}

export interface OffsetIndex {
  note(segment: number, offset: number, position: number): void;
  /** The last known place of the segment that is not behind the offset. */
  nearest(segment: number, offset: number): Place;
}

const SPACING_BYTES = 262_144;
const SEGMENTS_MAX = 64;

/** The index of one partition; segments are named by their first offset. */
export function createOffsetIndex(): OffsetIndex {
  const segments = new Map<number, Place[]>();
  return {
    note(segment, offset, position) {
      const places = segments.get(segment) ?? [];
      const last = places.at(-1)?.position ?? 0;
      if (position >= last + SPACING_BYTES) places.push({ offset, position });
      // Deleting first makes this segment the one used last; the oldest stands at the front.
      segments.delete(segment);
      segments.set(segment, places);
      const oldest = segments.keys().next().value;
      if (segments.size > SEGMENTS_MAX && oldest !== undefined) segments.delete(oldest);
    },
    nearest(segment, offset) {
      const place = segments.get(segment)?.findLast(candidate => candidate.offset <= offset);
      return place ?? { offset: segment, position: 0 };
    },
  };
}
