// What a fold writes: its heads, documents, queue entries and quarantined records, and the shadow sets that begin when
// events turn out to be too much for one transaction.
import type { Head } from '../../../projections/documents.ts';
import type { HeadChange } from '../../store/heads.ts';
import type { ShadowSet } from '../../store/shadow-sets.ts';
import type { FoldWrites } from '../../store/writing/commit.ts';
import { documentWrites } from '../../store/writing/write-documents.ts';
import { type Delivery, storedDelivery } from './delivery.ts';
import { type Fold, setIdOf } from './fold.ts';

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

/** Returns one for each stream that the fold holds for a big change. */
export function begunSets({ queued, heads }: Fold, owner: string): ShadowSet[] {
  return [...queued.values()].flatMap(delivery => {
    const { subject } = delivery;
    if (subject === null || heads.get(subject)?.held?.why !== 'change') return [];
    return [newShadowSet(subject, delivery, owner)];
  });
}

/** Returns the shadow set of an event before its first step. Its id comes from the event: the same in every run. */
export function newShadowSet(subject: string, delivery: Delivery, owner: string): ShadowSet {
  const { partition } = delivery;
  const set = setIdOf(delivery);
  return { subject, kind: 'event', partition, owner, set, begun: false, cursor: null, absolute: 0 };
}
