// The product's verification over a store in memory.
import { BSON } from 'mongodb';
import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import type { IsSkipped } from '../../src/access/decisions.ts';
import type { LogRecord } from '../../src/event-log/event-log.ts';
import { deliveryFromLog } from '../../src/projector/fold/delivery.ts';
import { createStreamFolder } from '../../src/projector/fold/fold-streams.ts';
import type { StoredQueueEntry } from '../../src/store/collections.ts';
import { headOf, type StoredHead } from '../../src/store/heads.ts';
import { digestOf, type StoredStreams } from '../../src/store/stored-streams.ts';
import { compareStream } from '../../src/verify/compare.ts';
import type { StreamDifference } from '../../src/verify/difference.ts';
import type { SimStore } from './sim-store.ts';

/** Returns the differences of the one stream `x` from its log. */
export function differencesIn(
  sim: SimStore,
  records: readonly LogRecord[],
  isSkipped: IsSkipped,
): StreamDifference[] {
  const stored = sim.documents('heads').get('x');
  if (!stored) return [];
  const head = headOf(structuredClone(stored) as unknown as StoredHead);
  const folder = createStreamFolder([head], isSkipped);
  for (const record of records) folder.take(deliveryFromLog(record, 1));
  const { streams, ...logFold } = folder.finish();
  const folded = streams.get('x');
  if (!folded) throw new Error('Expected x among the folded streams');
  const own = DOCUMENT_KINDS.flatMap(kind =>
    [...sim.documents(kind)]
      .filter(([, { set }]) => set === head.set)
      .map(([id, document]) => [`${kind} ${id}`, BSON.serialize(document)] as const),
  );
  const queue = [...sim.documents('waiting').values()].map(entry => {
    const { _id, value, ...rest } = entry as unknown as StoredQueueEntry;
    return [_id, { _id, ...rest, value: digestOf(value) }] as const;
  });
  const contents = {
    heads: new Map([['x', head]]),
    sets: new Map(head.set === null ? [] : [[head.set, new Map(own)]]),
    queues: new Map([['x', new Map(queue)]]),
    shadowSets: new Set(),
  } as unknown as StoredStreams;
  return compareStream({ ...logFold, stored: contents }, head, folded);
}
