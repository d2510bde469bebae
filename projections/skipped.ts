// The sequences of a stream that count without effect, because an operator skipped their events or gave them up. What the
// documents say up to a sequence follows from the log and from these.

/** From the first sequence up to the last. */
export type SequenceRange = readonly [first: number, last: number];

/** Adds the next sequences, which follow all others; a range that continues the last one becomes a part of it. */
export function withSkipped(
  skipped: readonly SequenceRange[] = [],
  [first, last]: SequenceRange,
): readonly SequenceRange[] {
  const previous = skipped.at(-1);
  if (previous?.[1] !== first - 1) return [...skipped, [first, last]];
  return [...skipped.slice(0, -1), [previous[0], last]];
}

/** Returns those up to a sequence. */
export function skippedUpTo(
  skipped: readonly SequenceRange[],
  sequence: number,
): readonly SequenceRange[] {
  return skipped.flatMap(([first, last]): SequenceRange[] =>
    first > sequence ? [] : [[first, Math.min(last, sequence)]],
  );
}
