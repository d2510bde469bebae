// Estimates by which time a share of a route's answers were ready, from the buckets of the histogram. Pure.
import type { RouteBucket } from '../metrics/http-metrics.ts';

/** Within `seconds`; `isBeyond` if it took longer than the largest bucket, whose bound `seconds` is then. */
export interface Latency {
  readonly seconds: number;
  readonly isBeyond: boolean;
}

/**
 * Returns the time within which `share` of the answers were ready, of all methods together; null without any. Inside a
 * bucket it assumes even times, as `histogram_quantile` of Prometheus does.
 */
export function latencyOf(buckets: readonly RouteBucket[], share: number): Latency | null {
  const counts = new Map<number, number>();
  for (const { seconds, count } of buckets) {
    counts.set(seconds, (counts.get(seconds) ?? 0) + count);
  }
  const total = counts.get(Number.POSITIVE_INFINITY) ?? 0;
  if (total === 0) return null;
  const wanted = share * total;
  let [lower, before] = [0, 0];
  for (const [upper, count] of [...counts].sort(([a], [b]) => a - b)) {
    if (count >= wanted && count > before) {
      if (upper === Number.POSITIVE_INFINITY) return { seconds: lower, isBeyond: true };
      const part = (wanted - before) / (count - before);
      return { seconds: lower + part * (upper - lower), isBeyond: false };
    }
    [lower, before] = [upper, count];
  }
  return { seconds: lower, isBeyond: true };
}

/** Formats two digits, as `0.5 ms`, `12 ms`, `1.2 s` or `> 10 s`. */
export function formatLatency(latency: Latency | null): string {
  if (latency === null) return '–';
  const { seconds, isBeyond } = latency;
  const mark = isBeyond ? '> ' : '';
  return seconds < 1 ? `${mark}${twoDigits(seconds * 1000)} ms` : `${mark}${twoDigits(seconds)} s`;
}

function twoDigits(value: number): string {
  return String(Number(value.toPrecision(2)));
}
