// The projector: takes partitions over, applies their records exactly once, and tends the streams that are held.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Batch, BatchLimits, EventLog, LogRecord } from '../event-log/event-log.ts';
import type { Log } from '../log.ts';
import { type Claim, readCheckpoint } from '../read-store/checkpoints.ts';
import { FencedError, isTransient } from '../read-store/commit.ts';
import { TooManyDocumentsError } from '../read-store/load-documents.ts';
import { sweep } from '../read-store/sweep.ts';
import { type Applied, applyChunk } from './apply-chunk.ts';
import { claim, DataLossError } from './claim.ts';
import { drain } from './drain.ts';
import { createParkingAlarm } from './parking-alarm.ts';
import type { ProjectorStore } from './store.ts';

export interface ProjectorOptions {
  readonly store: ProjectorStore;
  readonly log: EventLog;
  /** The consumer group: one for each generation. */
  readonly group: string;
  readonly logger: Log;
  readonly batch?: BatchLimits;
  /** Rows that one transaction may change before its chunk is cut smaller. */
  readonly documentsMax?: number;
}

const BATCH: BatchLimits = { recordsMax: 5000, bytesMax: 8 * 1024 * 1024 };
const DOCUMENTS_MAX = 20_000;
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 5000;

/** Runs until the signal aborts; then finishes the chunk in hand and resolves. Rejects on what no retry can mend. */
export async function runProjector(options: ProjectorOptions, signal: AbortSignal): Promise<void> {
  const { log, store, logger, group } = options;
  const claims = new Map<number, Claim>();
  const owner = randomUUID();
  const alarm = createParkingAlarm(
    () => store.collections.heads.estimatedDocumentCount(),
    Date.now,
  );
  const limits = { documentsMax: options.documentsMax ?? DOCUMENTS_MAX };

  async function assigned(partition: number): Promise<number | null> {
    try {
      const claimed = await retried(() => claim(store, log, partition, owner), logger, signal);
      claims.set(partition, claimed);
      logger.info({ partition, next: claimed.next, epoch: claimed.epoch }, 'Partition claimed');
      await retried(() => healAll(partition), logger, signal);
      return claimed.next;
    } catch (error) {
      if (!(error instanceof DataLossError)) throw error;
      logger.fatal({ partition }, error.message);
      return null;
    }
  }

  // What could go on since the last run: a number that came as the process was killed, a version known now.
  async function healAll(partition: number): Promise<void> {
    const held = store.collections.heads.find({ partition, held: { $ne: null } });
    for await (const { _id, held: why } of held) {
      if (why?.why === 'gap' || why?.reason.includes('schemaversion')) {
        await drain(store, _id, limits);
      }
    }
    await sweep(store.collections, signal);
  }

  async function batch({ partition, records, heartbeat }: Batch): Promise<number> {
    let rest = fromNext(records, claimOf(partition));
    let size = rest.length;
    while (rest.length > 0 && !signal.aborted) {
      const chunk = rest.slice(0, size);
      try {
        const cut = size === 1 ? { documentsMax: Number.POSITIVE_INFINITY } : limits;
        await step(partition, chunk, cut);
        rest = rest.slice(chunk.length);
      } catch (error) {
        if (!(error instanceof TooManyDocumentsError) || size === 1) throw error;
        size = Math.ceil(size / 2);
      }
      await heartbeat();
    }
    return claimOf(partition).next;
  }

  async function step(partition: number, chunk: readonly LogRecord[], cut: typeof limits) {
    const applied = await retried(() => applyOnce(partition, chunk, cut), logger, signal);
    if (!applied) {
      await retried(() => healAll(partition), logger, signal);
      return;
    }
    claims.set(partition, { ...claimOf(partition), ...applied });
    logger.debug({ partition, ...applied.counts, next: applied.next }, 'Chunk applied');
    for (const subject of applied.gaps) {
      await retried(() => drain(store, subject, limits), logger, signal);
    }
    if (applied.swept) await retried(() => sweep(store.collections, signal), logger, signal);
  }

  // A commit whose result is unknown is settled here: the checkpoint says whether it took place. Null: it did.
  async function applyOnce(
    partition: number,
    chunk: readonly LogRecord[],
    cut: typeof limits,
  ): Promise<Applied | null> {
    const current = claimOf(partition);
    try {
      return await applyChunk(store, current, chunk, cut, alarm);
    } catch (error) {
      const checkpoint = await readCheckpoint(store.collections.checkpoints, partition);
      const took = checkpoint?.next === (chunk.at(-1)?.offset ?? 0) + 1;
      if (!checkpoint || !took || checkpoint.epoch !== current.epoch) throw error;
      const { next, fingerprints } = checkpoint;
      claims.set(partition, { ...current, next, fingerprints });
      return null;
    }
  }

  function claimOf(partition: number): Claim {
    const current = claims.get(partition);
    if (!current) throw new FencedError(`Partition ${partition} is not claimed by this process`);
    return current;
  }

  await log.subscribe(
    group,
    { assigned, batch, revoked: async partition => void claims.delete(partition) },
    options.batch ?? BATCH,
    signal,
  );
}

// What was applied before is dropped; a batch that begins above is a hole.
function fromNext(records: readonly LogRecord[], { next, partition }: Claim): readonly LogRecord[] {
  const rest = records.filter(({ offset }) => offset >= next);
  const first = rest[0];
  if (first && first.offset > next) {
    throw new Error(`Partition ${partition} skipped from offset ${next} to ${first.offset}`);
  }
  return rest;
}

async function retried<T>(run: () => Promise<T>, logger: Log, signal: AbortSignal): Promise<T> {
  for (let waitMs = RETRY_MS_MIN; ; waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)) {
    try {
      return await run();
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error;
      const jitteredMs = Math.round(waitMs * (0.5 + Math.random() / 2));
      logger.warn({ err: error, retryInMs: jitteredMs }, 'Could not write, trying again');
      await sleep(jitteredMs, undefined, { signal }).catch(() => {});
    }
  }
}
