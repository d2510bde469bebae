// Renders the requests that this process has answered, and how fast, by route.
import { groupBy } from '../../../process/group-by.ts';
import { type Html, html } from '../../kit/html.ts';
import { formatCount } from '../format.ts';
import type { RouteBucket, RouteCount } from '../metrics/http-metrics.ts';
import { formatLatency, latencyOf } from './latency.ts';
import type { RequestFacts } from './page-facts.ts';

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
<p class="quiet">Route: the path, without its values. All: answers of any status. 4xx: refused, without 429. 429: beyond a rate limit. 5xx: failed here. p50 and p99: half and 99 % of the answers were ready within this time, estimated from the histogram.</p>`;
}

function renderRoute(route: string, sums: RouteSums, buckets: readonly RouteBucket[]): Html {
  const { all, client, refused, server } = sums;
  const latency = (share: number) => formatLatency(latencyOf(buckets, share));
  return html`<tr><th scope="row">${route === '-' ? 'unknown path' : route}</th><td>${formatCount(all)}</td><td>${formatCount(client)}</td><td>${formatCount(refused)}</td><td>${formatCount(server)}</td><td>${latency(0.5)}</td><td>${latency(0.99)}</td></tr>`;
}

function sumsByRoute(counts: readonly RouteCount[]): ReadonlyMap<string, RouteSums> {
  const routes = new Map<string, RouteSums>();
  for (const { route, status, count } of counts) {
    const sums = routes.get(route) ?? { all: 0, client: 0, refused: 0, server: 0 };
    sums.all += count;
    if (status >= 500) sums.server += count;
    else if (status === 429) sums.refused += count;
    else if (status >= 400) sums.client += count;
    routes.set(route, sums);
  }
  return routes;
}
