// The shadow sets that a fold begins because deliveries change too much for one transaction. Pure.
import type { ShadowSet } from '../../read-store/shadow-sets.ts';
import { type Fold, setIdOf } from '../fold/fold.ts';

/**
 * Returns a shadow set for each stream that the fold holds for a big change. Its id follows from the event: every run
 * gives the same.
 */
export function begunSets({ waiting, heads }: Fold, owner: string): ShadowSet[] {
  return [...waiting.values()].flatMap(delivery => {
    const { subject, partition } = delivery;
    if (subject === null || heads.get(subject)?.held?.why !== 'change') return [];
    const set = setIdOf(delivery);
    return [
      { subject, kind: 'event', partition, owner, set, begun: false, cursor: null, absolute: 0 },
    ];
  });
}
