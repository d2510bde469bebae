// A log of several partitions in memory, whose records a test puts wherever it likes, and a projector that reads its
// partitions in any order, in chunks of any size.
import type { Db } from 'mongodb';
import type { EventLog, LogRecord } from '../../src/event-log/event-log.ts';
import { SHARING_LIMITS } from '../../src/projector/machine/sharing-limits.ts';
import { takeOver } from '../../src/projector/partition/claim.ts';
import type { PartitionContext } from '../../src/projector/partition/partition-context.ts';
import { Pipeline } from '../../src/projector/partition/pipeline.ts';
import { createShadowSetRunner } from '../../src/projector/shadow/runner.ts';
import { createTurns } from '../../src/projector/turns.ts';
import { completeIndexes } from '../../src/store/collections.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';
import { differenceText } from '../../src/verify/difference.ts';
import { verify } from '../../src/verify/verify.ts';
import { memoryLog } from '../http/memory-log.ts';
import { openTestStore } from './test-store.ts';

/** A record and its partition; its offset is its place among those of the partition. */
export type Placed = readonly [partition: number, key: string | null, value: string | object];

export function placedLog(partitions: number, placed: readonly Placed[]): EventLog {
  const records: LogRecord[][] = Array.from({ length: partitions }, () => []);
  for (const [partition, key, value] of placed) {
    const own = records[partition] ?? [];
    own.push({ partition, offset: own.length, key, value: bytesOf(value) });
  }
  return {
    name: 'the placed log',
    partitions: async () => partitions,
    settingsProblem: async () => null,
    bounds: async partition => ({ start: 0, end: records[partition]?.length ?? 0 }),
    async *scan({ partition, from, to }) {
      const found = records[partition]?.slice(from, to) ?? [];
      if (found.length > 0) yield found;
    },
    append: () => Promise.reject(new Error('This log is written by the test')),
    subscribe: () => Promise.reject(new Error('This log is read by the test')),
    close: async () => {},
  };
}

function bytesOf(value: Placed[2]): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

export interface PlacedProjector {
  readonly store: PartitionContext['store'];
  readonly lines: ReturnType<typeof memoryLog>['lines'];
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
  const { logger, lines } = memoryLog();
  const { signal } = new AbortController();
  const common = { owner: 'tests', limits: { rowsMax: 20_000 }, logger, signal };
  const openStore = () => ({ ...store, session: openCommitSession(db.client, store.collections) });
  const shadowSets = createShadowSetRunner({ ...common, openStore });
  const context: PartitionContext = {
    ...common,
    store,
    eventLog,
    turns: createTurns(),
    sharing: SHARING_LIMITS,
    shadowSets,
  };
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
      await shadowSets.idle();
    },
    async verified() {
      await completeIndexes(store.collections);
      const source = { database: db, generation, store, eventLog, pausesMs: [] };
      const { named, damage } = await verify(source, { stream: null, sample: null }, { signal });
      return [...named.map(differenceText), ...damage];
    },
  };
}
