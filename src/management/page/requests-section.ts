// Renders the requests that this process has answered, by route.
import { type Html, html } from '../../page/html.ts';
import type { RouteCount } from '../metrics/http-metrics.ts';
import { formatCount } from './format.ts';

interface RouteSums {
  all: number;
  client: number;
  refused: number;
  server: number;
}

export function renderRequests(counts: readonly RouteCount[]): Html {
  if (counts.length === 0) return html`<p>None yet.</p>`;
  const rows = [...sumsByRoute(counts)].sort(([a], [b]) => (a < b ? -1 : 1));
  return html`<table>
<caption>Answers since this process began</caption>
<thead><tr><th scope="col">Route</th><th scope="col">All</th><th scope="col">4xx</th><th scope="col">429</th><th scope="col">5xx</th></tr></thead>
<tbody>${rows.map(
    ([route, { all, client, refused, server }]) =>
      html`<tr><th scope="row">${route === '-' ? 'unknown path' : route}</th><td>${formatCount(all)}</td><td>${formatCount(client)}</td><td>${formatCount(refused)}</td><td>${formatCount(server)}</td></tr>`,
  )}</tbody>
</table>`;
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
