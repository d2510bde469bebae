// The arithmetic of measurements (pure).

/** The middle value; of two middle ones their mean. */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length / 2;
  const upper = valueAt(sorted, Math.floor(middle));
  return Number.isInteger(middle) ? (valueAt(sorted, middle - 1) + upper) / 2 : upper;
}

/** The smallest value that at least `percent` of all values do not exceed (nearest rank). */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = ascending(values);
  return valueAt(sorted, Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1));
}

function ascending(values: readonly number[]): number[] {
  if (values.length === 0) throw new Error('Expected values, got none');
  return [...values].sort((a, b) => a - b);
}

function valueAt(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  if (value === undefined) throw new Error(`Expected one of ${sorted.length} values, got ${index}`);
  return value;
}
