// The shadow sets that begin when deliveries turn out to be too much for one transaction. Pure.
import type { ShadowSet } from '../../read-store/shadow-sets.ts';
import { type Fold, setIdOf } from '../fold/fold.ts';

/** Returns one for each stream that the fold holds for a big change. Its id comes from the event: the same in every run. */
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
