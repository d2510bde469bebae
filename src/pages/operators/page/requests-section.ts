// Renders the requests that this process has answered, and how fast, by route.
import { groupBy } from '../../../process/group-by.ts';
import { type Html, html } from '../../kit/html.ts';
import { formatCount } from '../format.ts';
import type { RouteBucket, RouteCount } from '../metrics/http-metrics.ts';
import type { RequestFacts } from './page-facts.ts';

/** The client went away before its answer (src/http/request-end.ts): nothing was refused. */
const GONE = 499;

interface RouteSums {
  all: number;
  client: number;
  refused: number;
  server: number;
}

export function renderRequests({ counts, buckets }: RequestFacts): Html {
  if (counts.length === 0) return html`<p>None yet.</p>`;
  const own = groupBy(buckets, ({ route }) => route);
  const rows = [...sumsByRoute(counts)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([route, sums]) => renderRoute(route, sums, own.get(route) ?? []));
  return html`<table class="requests">
<caption>Answers since this process began</caption>
<thead><tr><th scope="col">Route</th><th scope="col">All</th><th scope="col">4xx</th><th scope="col">429</th><th scope="col">5xx</th><th scope="col">p50</th><th scope="col">p99</th></tr></thead>
<tbody>${rows}</tbody>
</table>
<p class="quiet">Route: the path, without its values; other: unknown, or refused before it counts. All: answers of any status. 4xx: refused, without 429. 429: beyond a rate limit. 5xx: failed here. p50 and p99: half and 99 % of the answers were ready within this time, estimated from the histogram.</p>`;
}

function renderRoute(route: string, sums: RouteSums, buckets: readonly RouteBucket[]): Html {
  const { all, client, refused, server } = sums;
  const latency = (share: number) => formatLatency(latencyOf(buckets, share));
  return html`<tr><th scope="row">${route === '-' ? 'other' : route}</th><td>${formatCount(all)}</td><td>${formatCount(client)}</td><td>${formatCount(refused)}</td><td>${formatCount(server)}</td><td>${latency(0.5)}</td><td>${latency(0.99)}</td></tr>`;
}

function sumsByRoute(counts: readonly RouteCount[]): ReadonlyMap<string, RouteSums> {
  const routes = new Map<string, RouteSums>();
  for (const { route, status, count } of counts) {
    const sums = routes.get(route) ?? { all: 0, client: 0, refused: 0, server: 0 };
    sums.all += count;
    if (status >= 500) sums.server += count;
    else if (status === 429) sums.refused += count;
    else if (status >= 400 && status !== GONE) sums.client += count;
    routes.set(route, sums);
  }
  return routes;
}

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
