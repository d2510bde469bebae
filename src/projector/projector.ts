// The projector: follows the log, takes partitions over and applies their records exactly once.
import { randomUUID } from 'node:crypto';
import type { BatchLimits, EventLog, Subscriber } from '../event-log/event-log.ts';
import type { Log } from '../log.ts';
import { FencedError, isTransient } from '../read-store/commit.ts';
import { createAsideRunner } from './aside/runner.ts';
import { createLine } from './line.ts';
import { watchLog } from './log-watch.ts';
import { type GenerationMetrics, NO_METRICS } from './metrics.ts';
import { halted, takeOver } from './partition.ts';
import type { ProjectorStore } from './store.ts';
import { type Held, leave, takeBatch } from './take-batch.ts';
import { createTurns } from './turns.ts';

export interface ProjectorOptions {
  /** Opens a line of work: one for each partition, as their transactions run side by side. */
  readonly openStore: () => ProjectorStore;
  readonly log: EventLog;
  /** The consumer group: one for each generation. */
  readonly group: string;
  readonly logger: Log;
  /** Records and bytes of a chunk. */
  readonly batch?: BatchLimits;
  /** Rows that one transaction may change before its chunk is cut smaller. */
  readonly documentsMax?: number;
  readonly metrics?: GenerationMetrics;
  /** How often the log is looked at whether it is still the one that was projected. */
  readonly logCheckMs?: number;
}

const LOG_CHECK_MS = 30_000;

/** What is behind is applied in large chunks: the more events one has, the fewer documents each of them costs. */
const BATCH: BatchLimits = { recordsMax: 10_000, bytesMax: 6 * 1024 * 1024 };
export const DOCUMENTS_MAX = 20_000;

/** Runs until the signal aborts; then finishes the chunk in hand and resolves. Rejects on what no retry can mend. */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { log, openStore, logger, metrics = NO_METRICS } = options;
  const held = new Map<number, Held>();
  // A partition that comes back goes on in the session it had.
  const stores = new Map<number, ProjectorStore>();
  const owner = randomUUID();
  const limits = { documentsMax: options.documentsMax ?? DOCUMENTS_MAX };
  const turns = createTurns();
  const beside = createAsideRunner({ openStore, owner, limits, logger, signal });
  const subscriber: Subscriber = {
    async assigned(partition, heartbeat) {
      const store = stores.get(partition) ?? openStore();
      stores.set(partition, store);
      const own = { store, log, logger, signal, owner, limits, turns, beside, metrics };
      const context = { ...own, heartbeat };
      const claim = await takeOver(context, partition);
      if (claim)
        held.set(partition, { context, line: createLine(claim), sought: null, damage: null });
      return claim?.next ?? null;
    },
    async batch(batch) {
      const own = held.get(batch.partition);
      if (!own) {
        throw new FencedError(`Partition ${batch.partition} is not claimed by this process`);
      }
      const outcome = await takeBatch(own, batch);
      if (outcome === 'halt') {
        await leave(own);
        held.delete(batch.partition);
      }
      return outcome;
    },
    async revoked(partition) {
      const own = held.get(partition);
      if (!own) return;
      await leave(own);
      held.delete(partition);
      metrics.partition(partition, 'released');
    },
  };
  const ended = new AbortController();
  void watchLog(
    {
      ...{ log, logger, everyMs: options.logCheckMs ?? LOG_CHECK_MS },
      claimed: () => new Map([...held].map(([partition, { line }]) => [partition, line.claim])),
      async halt(partition, error) {
        const own = held.get(partition);
        if (!own || own.damage !== null) return;
        own.damage = error;
        await halted(own.context, own.line.claim, error);
      },
    },
    AbortSignal.any([signal, ended.signal]),
  );
  try {
    await log.subscribe(options.group, subscriber, options.batch ?? BATCH, signal);
  } catch (error) {
    // A database that is away when we are to stop is no failure: the chunk in hand is left to the next start.
    if (!signal.aborted || !isTransient(error)) throw error;
  } finally {
    ended.abort();
    await beside.idle();
  }
}
