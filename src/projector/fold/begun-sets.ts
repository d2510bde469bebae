// The shadow sets that begin when events turn out to be too much for one transaction. Pure.
import type { ShadowSet } from '../../store/shadow-sets.ts';
import type { Delivery } from './delivery.ts';
import { type Fold, setIdOf } from './fold.ts';

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
