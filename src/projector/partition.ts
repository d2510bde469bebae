// The work on one partition under one claim: records to chunks, chunks to transactions, and what follows them.
import type { Batch, EventLog, LogRecord } from '../event-log/event-log.ts';
import type { Log } from '../log.ts';
import { type Claim, readCheckpoint } from '../read-store/checkpoints.ts';
import { TooManyDocumentsError } from '../read-store/load-documents.ts';
import { type Applied, applyChunk } from './apply-chunk.ts';
import type { AsideRunner } from './aside/runner.ts';
import { claim, DataLossError } from './claim.ts';
import { drain } from './drain.ts';
import type { GenerationMetrics } from './metrics.ts';
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
  readonly metrics?: GenerationMetrics;
  readonly beside: AsideRunner;
  /** The log's: a sign that work goes on. */
  readonly heartbeat?: () => Promise<void>;
}

/** Takes a partition over and brings its held streams up to date; null when the log lost data: it is halted. */
export async function takeOver(
  context: PartitionContext,
  partition: number,
): Promise<Claim | null> {
  const { store, log, logger, owner, signal, heartbeat } = context;
  try {
    const sessions = [store.session.id, context.beside.session];
    const claiming = () => claim(store, log, partition, owner, sessions);
    const claimed = await retried(claiming, logger, signal, heartbeat);
    logger.info({ partition, next: claimed.next, epoch: claimed.epoch }, 'Partition claimed');
    await heal(context, partition);
    await context.beside.takeOver(partition);
    context.metrics?.partition(partition, 'claimed');
    return claimed;
  } catch (error) {
    if (!(error instanceof DataLossError)) throw error;
    halted(context, partition, error);
    return null;
  }
}

/** Says loudly that nothing more is applied from a partition. */
export function halted(
  { logger, metrics }: PartitionContext,
  partition: number,
  error: DataLossError,
): void {
  logger.fatal({ partition }, error.message);
  metrics?.partition(partition, 'halted');
}

/** Applies a batch in chunks, and answers the claim after it. A chunk of too many documents is cut in halves. */
export async function applyBatch(
  context: PartitionContext,
  claimed: Claim,
  { records, to, heartbeat, signal }: Pick<Batch, 'records' | 'to' | 'heartbeat' | 'signal'>,
): Promise<Claim> {
  let current = claimed;
  // What was applied before is dropped.
  let rest = records.filter(({ offset }) => offset >= claimed.next);
  let size = Math.max(rest.length, 1);
  let tooMuch: string | undefined;
  while (current.next < to && !context.signal.aborted && !signal.aborted) {
    const chunk = cutChunk(rest, size, to);
    try {
      current = await applyOne(context, current, chunk, tooMuch);
      rest = rest.slice(chunk.records.length);
      size = size * 2;
      tooMuch = undefined;
    } catch (error) {
      if (!(error instanceof TooManyDocumentsError)) throw error;
      // One event by itself is too much: its stream is held, and a new document set is written aside.
      if (chunk.records.length === 1) tooMuch = error.message;
      size = Math.ceil(chunk.records.length / 2);
    }
    await heartbeat();
  }
  return current;
}

interface Chunk {
  readonly records: readonly LogRecord[];
  /** The offset that follows. */
  readonly next: number;
}

function cutChunk(rest: readonly LogRecord[], size: number, to: number): Chunk {
  const records = rest.slice(0, size);
  const last = records.at(-1);
  return { records, next: last && records.length < rest.length ? last.offset + 1 : to };
}

async function applyOne(
  context: PartitionContext,
  current: Claim,
  chunk: Chunk,
  tooMuch: string | undefined,
): Promise<Claim> {
  const { store, logger, signal, heartbeat } = context;
  const startedAtMs = performance.now();
  const work = () => applyOrSettle(context, current, chunk, tooMuch);
  const applied = await retried(work, logger, signal, heartbeat);
  const { next, fingerprints } = applied;
  if ('counts' in applied) {
    logger.debug({ partition: current.partition, next, ...applied.counts }, 'Chunk applied');
    context.metrics?.chunkApplied(applied.counts, (performance.now() - startedAtMs) / 1000);
    for (const subject of applied.gaps) {
      await retried(() => drain(store, subject, context.limits), logger, signal, heartbeat);
    }
    for (const subject of applied.asides) context.beside.start(subject);
    if (applied.swept) context.beside.sweep();
  } else {
    await heal(context, current.partition);
  }
  return { ...current, next, fingerprints };
}

// A commit whose result is unknown is settled here: the checkpoint says whether it took place.
async function applyOrSettle(
  { store, limits, alarm }: PartitionContext,
  current: Claim,
  { records, next }: Chunk,
  tooMuch: string | undefined,
): Promise<Applied | Pick<Claim, 'next' | 'fingerprints'>> {
  const cut = tooMuch === undefined ? limits : { ...limits, tooMuch };
  try {
    return await applyChunk(store, current, records, cut, alarm, next);
  } catch (error) {
    const checkpoint = await readCheckpoint(store.collections.checkpoints, current.partition);
    const took = checkpoint?.next === next;
    if (!checkpoint || !took || checkpoint.epoch !== current.epoch) throw error;
    return { next: checkpoint.next, fingerprints: checkpoint.fingerprints };
  }
}

// What could go on since the last run: a number that came as the process was killed, a version known by now.
async function heal(context: PartitionContext, partition: number): Promise<void> {
  const { store, limits, logger, signal, heartbeat } = context;
  const heldHere = () => store.collections.heads.find({ partition, held: { $ne: null } }).toArray();
  for (const { _id, held: why } of await retried(heldHere, logger, signal, heartbeat)) {
    const mayGoOn = why?.why === 'gap' || why?.reason.includes('schemaversion');
    if (mayGoOn) await retried(() => drain(store, _id, limits), logger, signal, heartbeat);
    await heartbeat?.();
  }
  context.beside.sweep();
}
