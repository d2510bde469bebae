// What a fold writes: its heads, documents, queue entries and quarantined records.
import type { Head } from '../../../projections/documents.ts';
import type { HeadChange } from '../../store/heads.ts';
import type { FoldWrites } from '../../store/writing/commit.ts';
import { documentWrites } from '../../store/writing/write-documents.ts';
import { storedDelivery } from './delivery.ts';
import type { Fold } from './fold.ts';

/** A fold, and the heads it began from. */
export interface Folded {
  readonly fold: Fold;
  readonly loaded: ReadonlyMap<string, Head>;
}

/** Returns the heads that a fold changed. */
export function headChanges({ fold, loaded }: Folded): HeadChange[] {
  return [...fold.heads.values()]
    .map(now => ({ loaded: loaded.get(now.id) ?? null, now }))
    .filter(change => change.loaded !== change.now);
}

/** Returns what a reconciled fold writes, without a checkpoint. */
export function writesOf(folded: Folded): FoldWrites {
  const { fold } = folded;
  return {
    checkpoints: [],
    heads: headChanges(folded),
    documents: documentWrites(fold.documents),
    waiting: [...fold.queued].map(([id, delivery]) => storedDelivery(id, delivery)),
    done: [],
    erased: [...fold.erased],
    swept: [...fold.swept],
    quarantined: fold.quarantined,
  };
}
