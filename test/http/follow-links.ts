// From page to page by the header Link.
import type { Answered, Asked, Served } from './serve.ts';

/** Follows the links with rel="next" from a path of the reader, and returns all pages. */
export async function followLinks(
  { ask }: Pick<Served, 'ask'>,
  path: string,
  asked: Asked,
): Promise<Answered[]> {
  const pages: Answered[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: Answered = await ask(next, asked);
    if (page.status !== 200) throw new Error(`${next}: ${page.status}`);
    pages.push(page);
    const link = page.headers.get('link');
    next = /^<([^>]+)>; rel="next"$/.exec(link ?? '')?.[1];
    if (link !== null && next === undefined) throw new Error(`Expected a next page in ${link}`);
  }
  return pages;
}
