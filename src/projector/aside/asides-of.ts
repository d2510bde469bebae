// The document sets that begin to be written aside when deliveries turned out to be too much for a transaction.
import type { Aside } from '../../read-store/asides.ts';
import { setIdOf } from '../fold.ts';
import type { Worked } from '../work.ts';

/** One for each stream that a fold holds for a big change. The set is named after the event, as in every run. */
export function asidesOf({ fold }: Worked, owner: string): Aside[] {
  return [...fold.waiting.values()].flatMap(delivery => {
    const { subject, partition } = delivery;
    if (subject === null || fold.heads.get(subject)?.held?.why !== 'change') return [];
    const set = setIdOf(delivery);
    return [
      { subject, kind: 'event', partition, owner, set, begun: false, cursor: null, absolute: 0 },
    ];
  });
}
