// All pages of /changes after a cursor, put together.

type Lists = Record<string, unknown[]>;

/** Returns null for a 404. */
export async function allPages(
  get: (path: string) => Promise<Response>,
  path: string,
  from: string | null,
): Promise<{ lists: Lists; cursor: string } | null> {
  const lists: Lists = {};
  for (let cursor = from; ; ) {
    const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await get(`${path}&limit=37${after}`);
    if (response.status === 404) return null;
    const body = (await response.json()) as { cursor: string; has_more: boolean };
    const { cursor: next, has_more: hasMore, ...page } = body;
    for (const [name, things] of Object.entries<unknown[]>(page)) {
      lists[name] = [...(lists[name] ?? []), ...things];
    }
    cursor = next;
    if (!hasMore) return { lists, cursor };
  }
}
