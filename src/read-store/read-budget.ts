// Reads a whole budget into memory, as it is at one instant.
import type { Db } from 'mongodb';
import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import type { Head } from '../../projections/documents.ts';
import { createWorkingSet, type WorkingSet } from '../../projections/working-set.ts';
import { documentsOf } from './collections.ts';
import { documentOf } from './document-storage.ts';
import { headOf } from './heads.ts';
import { inSnapshot } from './snapshot.ts';

export interface WholeBudget {
  readonly head: Head;
  /** All documents of the budget's set; empty for a stream that is no budget. */
  readonly documents: WorkingSet;
}

const READ_MS_MAX = 120_000;

/** Returns null for a stream that the generation does not know. */
export function readBudget(
  database: Db,
  generation: string,
  id: string,
): Promise<WholeBudget | null> {
  return inSnapshot(database, generation, READ_MS_MAX, async ({ collections, options }) => {
    const stored = await collections.heads.findOne({ _id: id }, options);
    if (!stored) return null;
    const head = headOf(stored);
    const documents = createWorkingSet();
    const { set } = head;
    if (set === null) return { head, documents };
    for (const kind of DOCUMENT_KINDS) {
      for await (const one of documentsOf(collections, kind).find({ set }, options)) {
        documents.provide(kind, one._id, documentOf(kind, one));
      }
      documents.provideAll(kind, set);
    }
    return { head, documents };
  });
}
