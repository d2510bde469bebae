// The projector: follows the log, takes partitions over and applies their records exactly once.
import { randomUUID } from 'node:crypto';
import type { Batch, BatchLimits, EventLog } from '../event-log/event-log.ts';
import type { Log } from '../log.ts';
import type { Claim } from '../read-store/checkpoints.ts';
import { FencedError } from '../read-store/commit.ts';
import { createParkingAlarm } from './parking-alarm.ts';
import { applyBatch, type PartitionContext, takeOver } from './partition.ts';
import type { ProjectorStore } from './store.ts';

export interface ProjectorOptions {
  readonly store: ProjectorStore;
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

/** Runs until the signal aborts; then finishes the chunk in hand and resolves. Rejects on what no retry can mend. */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { store, log, logger } = options;
  const claims = new Map<number, Claim>();
  const context: PartitionContext = {
    store,
    log,
    logger,
    signal,
    owner: randomUUID(),
    limits: { documentsMax: options.documentsMax ?? DOCUMENTS_MAX },
    alarm: createParkingAlarm(() => store.collections.heads.estimatedDocumentCount(), Date.now),
  };
  const subscriber = {
    async assigned(partition: number): Promise<number | null> {
      const claimed = await takeOver(context, partition);
      if (claimed) claims.set(partition, claimed);
      return claimed?.next ?? null;
    },
    async batch({ partition, records, heartbeat }: Batch): Promise<number> {
      const claimed = claims.get(partition);
      if (!claimed) throw new FencedError(`Partition ${partition} is not claimed by this process`);
      const after = await applyBatch(context, claimed, records, heartbeat);
      claims.set(partition, after);
      return after.next;
    },
    async revoked(partition: number): Promise<void> {
      claims.delete(partition);
    },
  };
  await log.subscribe(options.group, subscriber, options.batch ?? BATCH, signal);
}
