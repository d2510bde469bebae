// Removes the documents of sets that no head names any more, and the long queues of deleted budgets, outside transactions.
// It can stop and resume at any point.
import { DOCUMENT_KINDS, type DocumentKind } from '../../../projections/document-kinds.ts';
import { documentsOf, type GenerationCollections, sweptQueue } from '../collections.ts';

/** One step removes up to this many documents. */
const STEP_DOCUMENTS_MAX = 5000;

/** Removes everything that is marked. No head names a marked set, so no reader misses it. */
export async function sweep(
  collections: GenerationCollections,
  signal: AbortSignal,
): Promise<void> {
  for await (const { _id: mark } of collections.sweeps.find()) {
    while (await removeSome(collections, mark)) if (signal.aborted) return;
    await collections.sweeps.deleteOne({ _id: mark });
  }
}

/** Returns false when nothing is left. */
async function removeSome(collections: GenerationCollections, mark: string): Promise<boolean> {
  const subject = sweptQueue(mark);
  if (subject === null) {
    const some = await someOfSet(collections, mark, STEP_DOCUMENTS_MAX);
    if (some) await documentsOf(collections, some.kind).deleteMany({ _id: { $in: some.ids } });
    return some !== null;
  }
  const found = await collections.waiting
    .find({ subject }, { projection: { _id: 1 }, limit: STEP_DOCUMENTS_MAX })
    .toArray();
  if (found.length === 0) return false;
  await collections.waiting.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  return true;
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
