// Applies a log in chunks of given sizes, over the product's own claim, pipeline, fold and drain and a store in memory.
import type { LogRecord } from '../../src/event-log/event-log.ts';
import type { Logger } from '../../src/process/log.ts';
import { takeOver } from '../../src/projector/partition/claim.ts';
import type { PartitionContext } from '../../src/projector/partition/partition-context.ts';
import { Pipeline } from '../../src/projector/partition/pipeline.ts';
import { drain } from '../../src/projector/queue/drain.ts';
import { readEntry } from '../../src/projector/queue/entries.ts';
import {
  decidedHead,
  decidedHold,
  decisionsOn,
  holderOf,
} from '../../src/projector/queue/holder.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { createTurns } from '../../src/projector/turns.ts';
import { loadHead } from '../../src/store/heads.ts';
import { NO_WRITES } from '../../src/store/writing/commit.ts';
import { decisionId, isSkippedBy } from '../protocol/queue-log.ts';
import { simCollections, simSession } from './sim-collections.ts';
import { SimStore } from './sim-store.ts';

const MANY = 1_000_000;
const SHARING = {
  ...{ liveMax: 500, partsMax: 3, recordsMax: 20, streamsMax: 4, documentsMax: 60 },
  ...{ ageMsMax: 20_000, idleMsMax: 1000 },
};

const quiet = () => {};
const logger = {
  ...{ debug: quiet, info: quiet, warn: quiet, error: quiet },
} as unknown as Logger;

interface Given {
  /** What operators gave up: `decisionId` of each. */
  readonly decided?: string[];
  /** Queue entries that one step of a drain takes. */
  readonly stepMax?: number;
  /** Returns whether an operator gives up what holds a stream, after a chunk. */
  readonly skips?: () => boolean;
}

/** @param sizes records of each chunk; those after the last one are one chunk */
export async function applyInChunks(
  records: readonly LogRecord[],
  sizes: readonly number[],
  { decided = [], stepMax = MANY, skips = () => false }: Given = {},
): Promise<SimStore> {
  const sim = new SimStore();
  const limits = { rowsMax: MANY, stepMax };
  const isSkipped = isSkippedBy(decided);
  const storeOf = (id: number): ProjectorStore => ({
    collections: simCollections(sim, async (_, act) => act()),
    decisions: {
      load: async () => isSkipped,
      remember: async () => {},
    },
    session: simSession(sim, {
      ...{ id, op: async (_, act) => act(), faults: new Set(), reach: quiet },
      fail(error) {
        throw error;
      },
    }),
  });
  const [store, beside] = [storeOf(1), storeOf(2)];
  const { signal } = new AbortController();
  const bounds = { start: 0, end: records.length };
  const context = {
    ...{ store, owner: 'p', limits, logger, signal, turns: createTurns() },
    ...{ sharing: SHARING, cacheSizes: new Map() },
    eventLog: {
      ...{ name: 'a log', partitions: async () => 1, settingsProblem: async () => null },
      bounds: async () => bounds,
      async *scan({ from, to }: { readonly from: number; readonly to: number }) {
        yield records.slice(from, to);
      },
    },
    shadowSets: {
      ...{ start: quiet, claimed: async () => {}, released: quiet, sweep: quiet },
      ...{ idle: async () => {}, sessions: [2] },
    },
  } as unknown as PartitionContext;

  async function skipHolder(subject: string): Promise<void> {
    const head = await loadHead(beside.collections.heads, subject);
    if (!head?.held) return;
    const decisions = decisionsOn(
      subject,
      holderOf(head, await readEntry(beside.collections, head)),
    );
    for (const { sequence, eventId } of decisions) decided.push(decisionId(sequence, eventId));
    const now = decidedHead(head, decidedHold(head.held, decisions));
    await beside.session.commit({ ...NO_WRITES, heads: [{ loaded: head, now }] });
    await drain({ store: beside, limits, logger, signal }, subject);
  }

  const taken = await takeOver(context, 0);
  if (!taken) throw new Error('The partition was not claimed');
  const pipeline = new Pipeline(context, taken);
  for (let next = 0, chunk = 0; next < records.length; chunk += 1) {
    const to = Math.min(records.length, next + (sizes[chunk] ?? MANY));
    while (next < to) {
      const batch = { partition: 0, from: next, to, records: records.slice(next, to), bounds };
      const outcome = await pipeline.apply({ ...batch, heartbeat: async () => {}, signal });
      if (typeof outcome === 'string') throw new Error(outcome);
      next = outcome;
    }
    for (const subject of sim.documents('heads').keys())
      if (skips()) await skipHolder(String(subject));
  }
  await pipeline.leave();
  return sim;
}
