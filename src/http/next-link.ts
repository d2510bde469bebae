// The header Link that leads to the next page of a list (RFC 8288).
import { parseQuery } from './query-string.ts';
import type { RequestState } from './request-state.ts';

/**
 * Returns the link to the page at `offset`, with all other parameters of the request. Without an origin it is a
 * reference to a path of the same host: behind a proxy the header Host need not be the one that clients know.
 */
export function nextLink(
  { path, query }: Pick<RequestState, 'path' | 'query'>,
  origin: string,
  offset: number,
): string {
  const others = parseQuery(query).filter(({ name }) => name !== 'offset');
  const parameters = [...others, { name: 'offset', value: String(offset) }].map(
    ({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value ?? '')}`,
  );
  return `<${origin}${path}?${parameters.join('&')}>; rel="next"`;
}
