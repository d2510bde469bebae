// Stores a generation as an earlier version of the projections did: without the fields and kinds that came later.
import type { Document } from 'mongodb';
import type { DocumentKind } from '../../projections/document-kinds.ts';
import { documentsOf, type GenerationCollections } from '../../src/store/collections.ts';
import { noWrites, type Writes } from '../../src/store/write-commands.ts';
import type { CommitSession, FoldWrites } from '../../src/store/writing/commit.ts';

/** A version that later ones are upgraded from. */
export type Earlier = 2 | 4;

interface Added {
  readonly kinds: readonly DocumentKind[];
  readonly fields: { readonly [K in DocumentKind]?: readonly string[] };
}

const MARKED = ['accounts', 'groups', 'categories', 'payees', 'labels', 'rows'] as const;
const NAMED = ['accounts', 'categories', 'payees', 'labels'] as const;

/** What a version added to the one before. */
const ADDED_IN: Readonly<Record<3 | 5, Added>> = {
  3: {
    kinds: ['tombstones'],
    fields: Object.fromEntries(MARKED.map(kind => [kind, ['changed']])),
  },
  5: {
    kinds: ['monthSums'],
    fields: {
      ...Object.fromEntries(NAMED.map(kind => [kind, ['entry']])),
      rows: ['amount', 'type'],
    },
  },
};

/** Returns what versions after that one added, by kind; null for a whole kind. */
function addedSince(version: Earlier): Map<DocumentKind, string[] | null> {
  const added = new Map<DocumentKind, string[] | null>();
  for (const [number, { kinds, fields }] of Object.entries(ADDED_IN)) {
    if (Number(number) <= version) continue;
    for (const kind of kinds) added.set(kind, null);
    for (const [kind, names] of Object.entries(fields) as [DocumentKind, string[]][]) {
      added.set(kind, [...(added.get(kind) ?? []), ...names]);
    }
  }
  return added;
}

/** To be called when everything in it is written. */
export async function asVersion(
  version: Earlier,
  collections: GenerationCollections,
): Promise<void> {
  for (const [kind, fields] of addedSince(version)) {
    const documents = documentsOf(collections, kind);
    if (fields === null) {
      await documents.drop();
      continue;
    }
    for (const { name = '' } of await documents.indexes()) {
      if (fields.some(field => name.includes(field))) await documents.dropIndex(name);
    }
    const $unset = Object.fromEntries(fields.map(field => [field, '']));
    await documents.updateMany({}, { $unset });
  }
  await withoutLabelOrder(collections);
}

/** Before version 5 rows had no order by label. */
async function withoutLabelOrder({ rows }: GenerationCollections): Promise<void> {
  const byLabel = (await rows.indexes()).find(({ key }) => 'labels' in key);
  if (byLabel?.name) await rows.dropIndex(byLabel.name);
  await rows.createIndex(
    { set: 1, labels: 1 },
    { partialFilterExpression: { labels: { $exists: true } } },
  );
}

/** Returns the number of documents that are new in later versions, or have fields that are. */
export async function addedDocuments(
  version: Earlier,
  collections: GenerationCollections,
): Promise<number> {
  let count = 0;
  for (const [kind, fields] of addedSince(version)) {
    const has = fields?.map(field => ({ [field]: { $exists: true } }));
    count += await documentsOf(collections, kind).countDocuments(has ? { $or: has } : {});
  }
  return count;
}

/** Returns a session that writes what a projector of that version writes. */
export function sessionOf(version: Earlier, session: CommitSession): CommitSession {
  const added = addedSince(version);
  return {
    ...session,
    commit: (writes, endsParts) => session.commit(without(added, writes), endsParts),
    writePart: (writes, isFirst) => session.writePart(without(added, writes), isFirst),
  };
}

function without(
  added: ReadonlyMap<DocumentKind, readonly string[] | null>,
  writes: FoldWrites,
): FoldWrites {
  const documents = new Map(writes.documents);
  for (const [kind, fields] of added) {
    if (fields === null) {
      documents.delete(kind);
      continue;
    }
    const strip = (document: Document) =>
      Object.fromEntries(Object.entries(document).filter(([field]) => !fields.includes(field)));
    const { inserts, updates, deletes }: Writes = documents.get(kind) ?? noWrites();
    documents.set(kind, {
      inserts: Array.from(inserts, strip),
      updates: updates.map(({ q, u }) => ({ q, u: strip(u) })),
      deletes,
    });
  }
  return { ...writes, documents };
}
