// The projector: follows the log, takes partitions over and applies their records exactly once.
import { randomUUID } from 'node:crypto';
import type { BatchLimits, EventLog, Subscriber } from '../event-log/event-log.ts';
import type { Log } from '../log.ts';
import type { Claim } from '../read-store/checkpoints.ts';
import { FencedError } from '../read-store/commit.ts';
import { createParkingAlarm } from './parking-alarm.ts';
import { applyBatch, type PartitionContext, takeOver } from './partition.ts';
import type { ProjectorStore } from './store.ts';

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
}

const BATCH: BatchLimits = { recordsMax: 5000, bytesMax: 8 * 1024 * 1024 };
export const DOCUMENTS_MAX = 20_000;

/** A partition that this process has: what it claimed, and the line of work on it. */
interface Held {
  readonly context: PartitionContext;
  claim: Claim;
}

/** Runs until the signal aborts; then finishes the chunk in hand and resolves. Rejects on what no retry can mend. */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { log, openStore, logger } = options;
  const held = new Map<number, Held>();
  const owner = randomUUID();
  const limits = { documentsMax: options.documentsMax ?? DOCUMENTS_MAX };
  const alarm = createParkingAlarm(Date.now);
  const subscriber: Subscriber = {
    async assigned(partition) {
      const store = openStore();
      const context = { store, log, logger, signal, owner, limits, alarm };
      const claim = await takeOver(context, partition);
      if (claim) held.set(partition, { context, claim });
      else await store.session.end();
      return claim?.next ?? null;
    },
    async batch({ partition, records, heartbeat }) {
      const own = held.get(partition);
      if (!own) throw new FencedError(`Partition ${partition} is not claimed by this process`);
      own.claim = await applyBatch(own.context, own.claim, records, heartbeat);
      return own.claim.next;
    },
    async revoked(partition) {
      await held.get(partition)?.context.store.session.end();
      held.delete(partition);
    },
  };
  await log.subscribe(options.group, subscriber, options.batch ?? BATCH, signal);
}
