// A client that keeps a copy of a budget by following /changes, as docs/api.md tells clients to.

/** Reads a path below the base address. */
export type Get = (path: string, headers?: Record<string, string>) => Promise<Response>;

interface Thing {
  readonly id: string;
}

const LISTS = {
  accounts: 'account',
  categoryGroups: 'categoryGroup',
  categories: 'category',
  payees: 'payee',
  labels: 'label',
  transactions: 'transaction',
} as const;

type ListName = keyof typeof LISTS;

export type Copy = Readonly<Record<ListName, Readonly<Record<string, Thing>>>>;

interface ChangesBody extends Readonly<Record<ListName, readonly Thing[]>> {
  readonly deleted: readonly { readonly kind: string; readonly id: string }[];
  readonly cursor: string;
  readonly has_more: boolean;
}

/** `gone`: the user reaches no such budget (any more). `away`: the service is not available. */
export type Step = 'more' | 'up to date' | 'gone' | 'away';

export interface SyncClient {
  /** Asks for one page and applies it; one that has a cursor waits for news, at most so many seconds. */
  step(limit: number, waitSeconds?: number): Promise<Step>;
  /** Throws the copy away. */
  startAgain(): void;
  /** The position of the last page. */
  readonly position: number;
  /** Sorted by id, so that it can be compared. */
  copy(): Copy;
}

/** Throws for a page that breaks the contract. */
export function createSyncClient(get: Get, budget: string): SyncClient {
  const things = new Map<ListName, Map<string, Thing>>();
  for (const name of listNames()) things.set(name, new Map());
  const etags = new Map<string, string>();
  let cursor: string | null = null;
  let position = 0;

  function apply(body: ChangesBody): void {
    for (const { kind, id } of body.deleted) {
      const name = listNames().find(list => LISTS[list] === kind);
      if (name) things.get(name)?.delete(id);
    }
    for (const name of listNames()) {
      for (const thing of body[name]) things.get(name)?.set(thing.id, thing);
    }
  }

  return {
    get position() {
      return position;
    },
    async step(limit, waitSeconds = 0) {
      const wait = waitSeconds === 0 ? '' : `&wait=${waitSeconds}`;
      const after = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}${wait}`;
      const path = `/changes?budget_id=${budget}&limit=${limit}${after}`;
      const etag = etags.get(path);
      const response = await get(path, etag === undefined ? {} : { 'if-none-match': etag });
      const text = await response.text();
      if (response.status === 404) return 'gone';
      if (response.status === 503) return 'away';
      position = Number(response.headers.get('x-projection-position'));
      if (response.status === 304) return 'up to date';
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
      const body = JSON.parse(text) as ChangesBody;
      checkPage(body, limit, cursor);
      etags.set(path, response.headers.get('etag') ?? '');
      apply(body);
      cursor = body.cursor;
      return body.has_more ? 'more' : 'up to date';
    },
    startAgain() {
      for (const some of things.values()) some.clear();
      cursor = null;
    },
    copy: () => asCopy(name => [...(things.get(name)?.values() ?? [])]),
  };
}

function listNames(): ListName[] {
  return Object.keys(LISTS) as ListName[];
}

function asCopy(list: (name: ListName) => readonly Thing[]): Copy {
  const byId = (name: ListName) => {
    const sorted = [...list(name)].sort((a, b) => (a.id < b.id ? -1 : 1));
    return Object.fromEntries(sorted.map(thing => [`id ${thing.id}`, thing]));
  };
  return {
    accounts: byId('accounts'),
    categoryGroups: byId('categoryGroups'),
    categories: byId('categories'),
    payees: byId('payees'),
    labels: byId('labels'),
    transactions: byId('transactions'),
  };
}

function checkPage(body: ChangesBody, limit: number, before: string | null): void {
  const named = listNames().flatMap(name => body[name].map(({ id }) => `${LISTS[name]} ${id}`));
  const all = [...named, ...body.deleted.map(({ kind, id }) => `${kind} ${id}`)];
  if (all.length > limit) throw new Error(`Expected at most ${limit} things, got ${all.length}`);
  if (new Set(all).size < all.length) throw new Error('Expected each thing once in a page');
  if (body.has_more && body.cursor === before) throw new Error('Expected the cursor to move on');
  if (body.cursor.length > 200) throw new Error(`Expected a short cursor, got ${body.cursor}`);
}

/** Returns what the lists of version 1 show, with their position; null where they are of several positions. */
export async function listedCopy(
  get: Get,
  budget: string,
): Promise<{ readonly position: number; readonly copy: Copy } | null> {
  const positions = new Set<number>();
  async function list<T>(path: string, key: string): Promise<T[]> {
    const response = await get(`${path}budget_id=${budget}`);
    positions.add(
      response.status === 200 ? Number(response.headers.get('x-projection-position')) : -1,
    );
    return response.status === 200
      ? (((await response.json()) as Record<string, T[]>)[key] ?? [])
      : [];
  }
  const transactions: Thing[] = [];
  for (let offset = 0; offset === transactions.length; offset += 1000) {
    transactions.push(...(await list<Thing>(`/transactions?offset=${offset}&`, 'transactions')));
  }
  type Group = Thing & { readonly categories: readonly Thing[] };
  const groups = await list<Group>('/categories?include_hidden=true&', 'categoryGroups');
  const lists: Record<ListName, readonly Thing[]> = {
    accounts: await list('/accounts?', 'accounts'),
    categoryGroups: groups.map(({ categories: _, ...group }) => group),
    categories: groups.flatMap(({ categories }) => categories),
    payees: await list('/payees?', 'payees'),
    labels: await list('/labels?', 'labels'),
    transactions,
  };
  const [position = -1, ...others] = positions;
  if (position === -1 || others.length > 0) return null;
  return { position, copy: asCopy(name => lists[name]) };
}
