// Removes the documents of sets that no head names any more, outside transactions. It can stop and resume at any point.
import { DOCUMENT_KINDS, type DocumentKind } from '../../../projections/document-kinds.ts';
import { documentsOf, type GenerationCollections } from '../collections.ts';

/** One step removes up to this many documents. */
const STEP_DOCUMENTS_MAX = 5000;

/** Removes every marked set. No head names a marked set, so no reader misses it. */
export async function sweep(
  collections: GenerationCollections,
  signal: AbortSignal,
): Promise<void> {
  for await (const { _id: set } of collections.sweeps.find()) {
    for (;;) {
      const some = await someOfSet(collections, set, STEP_DOCUMENTS_MAX);
      if (!some) break;
      await documentsOf(collections, some.kind).deleteMany({ _id: { $in: some.ids } });
      if (signal.aborted) return;
    }
    await collections.sweeps.deleteOne({ _id: set });
  }
}

/** Returns the ids of some documents of a set, all of one kind; null when it has none. */
export async function someOfSet(
  collections: GenerationCollections,
  set: string,
  limit: number,
): Promise<{ kind: DocumentKind; ids: string[] } | null> {
  for (const kind of DOCUMENT_KINDS) {
    const found = await documentsOf(collections, kind)
      .find({ set }, { projection: { _id: 1 }, limit })
      .toArray();
    if (found.length > 0) return { kind, ids: found.map(({ _id }) => _id) };
  }
  return null;
}
