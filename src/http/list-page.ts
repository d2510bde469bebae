// The body of an answer, and where the next page begins if it is a page of a list: the header Link leads there (RFC
// 8288).
import { parseQuery } from './query-string.ts';
import type { RequestState } from './request-state.ts';

export type Body = string | Buffer;

/** The parameter that leads from a page to the next one, with its value there. */
export interface NextPage {
  readonly name: 'offset' | 'cursor';
  readonly value: string;
}

export interface ListPage {
  readonly body: Body;
  /** Null if no page follows. */
  readonly next: NextPage | null;
}

/** Returns an answer without pages as the only page of its list. */
export function asPage(read: Body | ListPage): ListPage {
  return typeof read === 'string' || Buffer.isBuffer(read) ? { body: read, next: null } : read;
}

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
