// Stores a generation as version 2 of the projections did: without `changed` and without tombstones.
import type { Document } from 'mongodb';
import { documentsOf, type GenerationCollections } from '../../src/read-store/collections.ts';
import type { CommitSession, FoldWrites } from '../../src/read-store/commit.ts';
import { noWrites, type Writes } from '../../src/read-store/write-commands.ts';

const MARKED = ['accounts', 'groups', 'categories', 'payees', 'labels', 'rows'] as const;

/** To be called when everything in it is written. */
export async function asVersion2(collections: GenerationCollections): Promise<void> {
  for (const kind of MARKED) {
    const documents = documentsOf(collections, kind);
    for (const { name = '' } of await documents.indexes()) {
      if (name.includes('changed')) await documents.dropIndex(name);
    }
    await documents.updateMany({}, { $unset: { changed: '' } });
  }
  await collections.tombstones.drop();
}

/** Returns a session that writes what a projector of version 2 writes. */
export function sessionOfVersion2(session: CommitSession): CommitSession {
  return {
    ...session,
    commit: writes => session.commit(withoutMarks(writes)),
    writePart: (writes, isFirst) => session.writePart(withoutMarks(writes), isFirst),
    commitParts: writes => session.commitParts(withoutMarks(writes)),
  };
}

function withoutMarks(writes: FoldWrites): FoldWrites {
  const documents = new Map(writes.documents);
  documents.delete('tombstones');
  for (const kind of MARKED) {
    const { inserts, updates, deletes }: Writes = documents.get(kind) ?? noWrites();
    documents.set(kind, {
      inserts: Array.from(inserts, unmarked),
      updates: updates.map(({ q, u }) => ({ q, u: unmarked(u) })),
      deletes,
    });
  }
  return { ...writes, documents };
}

function unmarked({ changed: _, ...document }: Document): Document {
  return document;
}
