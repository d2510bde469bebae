// A projector that reads the partitions of a log in any order, in chunks of any size.
import type { Db } from 'mongodb';
import type { EventLog, LogRecord } from '../../src/event-log/event-log.ts';
import { takeOver } from '../../src/projector/partition/claim.ts';
import type { PartitionContext } from '../../src/projector/partition/partition-context.ts';
import { Pipeline } from '../../src/projector/partition/pipeline.ts';
import { completeIndexes } from '../../src/store/collections.ts';
import { differenceText } from '../../src/verify/difference.ts';
import { verify } from '../../src/verify/verify.ts';
import { openContext, type PartitionScene } from './partition-scene.ts';
import { openTestStore } from './test-store.ts';

export interface PlacedProjector {
  readonly store: PartitionContext['store'];
  readonly lines: PartitionScene['lines'];
  /** Claims a partition, and applies its next records, all of them by default, in one chunk. */
  apply(partition: number, records?: number): Promise<void>;
  /** Returns the differences that `verify` finds, as text. */
  verified(): Promise<string[]>;
}

export async function createPlacedProjector(
  db: Db,
  generation: string,
  eventLog: EventLog,
): Promise<PlacedProjector> {
  const store = await openTestStore(db, generation);
  const { signal } = new AbortController();
  const { context, lines } = openContext({ store, eventLog, signal });
  return {
    store,
    lines,
    async apply(partition, count = Number.POSITIVE_INFINITY) {
      const taken = await takeOver(context, partition);
      if (!taken) throw new Error('The partition is halted');
      const { claim, end } = taken;
      const to = Math.min(end, claim.next + count);
      const records: LogRecord[] = [];
      for await (const some of eventLog.scan({ partition, from: claim.next, to }))
        records.push(...some);
      const bounds = { start: 0, end: to };
      const batch = { partition, from: claim.next, to, bounds, records };
      await new Pipeline(context, taken).apply({ ...batch, heartbeat: async () => {}, signal });
      await context.shadowSets.idle();
    },
    async verified() {
      await completeIndexes(store.collections);
      const source = { database: db, generation, store, eventLog, pausesMs: [] };
      const { named, damage } = await verify(source, { stream: null, sample: null }, { signal });
      return [...named.map(differenceText), ...damage];
    },
  };
}
