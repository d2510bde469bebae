// The work on one partition under one claim: records to chunks, chunks to transactions, and what follows them.
import type { EventLog, LogRecord } from '../event-log/event-log.ts';
import type { Log } from '../log.ts';
import { type Claim, readCheckpoint } from '../read-store/checkpoints.ts';
import { TooManyDocumentsError } from '../read-store/load-documents.ts';
import { sweep } from '../read-store/sweep.ts';
import { type Applied, applyChunk } from './apply-chunk.ts';
import { claim, DataLossError } from './claim.ts';
import { drain } from './drain.ts';
import type { ParkingAlarm } from './parking-alarm.ts';
import { retried } from './retry.ts';
import type { ProjectorStore } from './store.ts';
import type { WorkLimits } from './work.ts';

export interface PartitionContext {
  readonly store: ProjectorStore;
  readonly log: EventLog;
  readonly logger: Log;
  /** Name of this process in the checkpoint. */
  readonly owner: string;
  readonly limits: WorkLimits;
  readonly alarm: ParkingAlarm;
  readonly signal: AbortSignal;
}

/** Takes a partition over and brings its held streams up to date; null when the log lost data: it is halted. */
export async function takeOver(
  context: PartitionContext,
  partition: number,
): Promise<Claim | null> {
  const { store, log, logger, owner, signal } = context;
  try {
    const claimed = await retried(() => claim(store, log, partition, owner), logger, signal);
    logger.info({ partition, next: claimed.next, epoch: claimed.epoch }, 'Partition claimed');
    await heal(context, partition);
    return claimed;
  } catch (error) {
    if (!(error instanceof DataLossError)) throw error;
    logger.fatal({ partition }, error.message);
    return null;
  }
}

/** Applies a batch in chunks, and answers the claim after it. A chunk of too many documents is cut in halves. */
export async function applyBatch(
  context: PartitionContext,
  claimed: Claim,
  records: readonly LogRecord[],
  heartbeat: () => Promise<void>,
): Promise<Claim> {
  let current = claimed;
  let rest = fromNext(records, claimed);
  let size = rest.length;
  while (rest.length > 0 && !context.signal.aborted) {
    const chunk = rest.slice(0, size);
    try {
      current = await applyOne(context, current, chunk);
      rest = rest.slice(chunk.length);
    } catch (error) {
      if (!(error instanceof TooManyDocumentsError)) throw error;
      size = Math.ceil(size / 2);
    }
    await heartbeat();
  }
  return current;
}

async function applyOne(
  context: PartitionContext,
  current: Claim,
  chunk: readonly LogRecord[],
): Promise<Claim> {
  const { store, logger, signal } = context;
  const applied = await retried(() => applyOrSettle(context, current, chunk), logger, signal);
  const { next, fingerprints } = applied;
  if ('counts' in applied) {
    logger.debug({ partition: current.partition, next, ...applied.counts }, 'Chunk applied');
    for (const subject of applied.gaps) {
      await retried(() => drain(store, subject, context.limits), logger, signal);
    }
    if (applied.swept) await retried(() => sweep(store.collections, signal), logger, signal);
  } else {
    await heal(context, current.partition);
  }
  return { ...current, next, fingerprints };
}

// A commit whose result is unknown is settled here: the checkpoint says whether it took place.
async function applyOrSettle(
  { store, limits, alarm }: PartitionContext,
  current: Claim,
  chunk: readonly LogRecord[],
): Promise<Applied | Pick<Claim, 'next' | 'fingerprints'>> {
  const cut = chunk.length === 1 ? { documentsMax: Number.POSITIVE_INFINITY } : limits;
  try {
    return await applyChunk(store, current, chunk, cut, alarm);
  } catch (error) {
    const checkpoint = await readCheckpoint(store.collections.checkpoints, current.partition);
    const took = checkpoint?.next === (chunk.at(-1)?.offset ?? 0) + 1;
    if (!checkpoint || !took || checkpoint.epoch !== current.epoch) throw error;
    return { next: checkpoint.next, fingerprints: checkpoint.fingerprints };
  }
}

// What could go on since the last run: a number that came as the process was killed, a version known by now.
async function heal(context: PartitionContext, partition: number): Promise<void> {
  const { store, limits, logger, signal } = context;
  const held = await retried(
    () => store.collections.heads.find({ partition, held: { $ne: null } }).toArray(),
    logger,
    signal,
  );
  for (const { _id, held: why } of held) {
    const mayGoOn = why?.why === 'gap' || why?.reason.includes('schemaversion');
    if (mayGoOn) await retried(() => drain(store, _id, limits), logger, signal);
  }
  await retried(() => sweep(store.collections, signal), logger, signal);
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
