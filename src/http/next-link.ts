// The header Link that leads to the next page of a list (RFC 8288).
import type { NextPage } from './list-page.ts';
import { parseQuery } from './query-string.ts';
import type { RequestState } from './request-state.ts';

/**
 * Returns the link to the next page, with all other parameters of the request. Without an origin it is a
 * reference to a path of the same host: behind a proxy the header Host need not be the one that clients know.
 */
export function nextLink(
  { path, query }: Pick<RequestState, 'path' | 'query'>,
  origin: string,
  next: NextPage,
): string {
  const others = parseQuery(query).filter(({ name }) => name !== next.name);
  const parameters = [...others, next].map(
    ({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value ?? '')}`,
  );
  return `<${origin}${path}?${parameters.join('&')}>; rel="next"`;
}
