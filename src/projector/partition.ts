// The work on one partition under one claim: records to chunks, chunks to transactions, and what follows them.
import type { Batch, EventLog, LogRecord } from '../event-log/event-log.ts';
import type { Log } from '../log.ts';
import { type Claim, haltPartition } from '../read-store/checkpoints.ts';
import { HELD } from '../read-store/heads.ts';
import { TooManyDocumentsError } from '../read-store/load-documents.ts';
import type { Applied, Chunk } from './apply-chunk.ts';
import type { AsideRunner } from './aside/runner.ts';
import { createChunkSizes } from './chunk-sizes.ts';
import { claim } from './claim.ts';
import { drain } from './drain.ts';
import { beginCommit, foldNext, type Line, settled } from './line.ts';
import { DataLossError } from './log-damage.ts';
import type { GenerationMetrics } from './metrics.ts';
import { whileResumed } from './pause.ts';
import { retried } from './retry.ts';
import type { ProjectorStore } from './store.ts';
import type { Turns } from './turns.ts';
import type { WorkLimits } from './work.ts';

export interface PartitionContext {
  readonly store: ProjectorStore;
  readonly log: EventLog;
  readonly logger: Log;
  /** Name of this process in the checkpoint. */
  readonly owner: string;
  readonly limits: WorkLimits;
  /** Of all partitions of this projector. */
  readonly turns: Turns;
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
    context.metrics?.partition(partition, 'claimed');
    const waits = { collections: store.collections, logger, signal, heartbeat, claim: claimed };
    if (!(await whileResumed(waits, () => heal(context, partition)))) return claimed;
    await context.beside.takeOver(partition);
    return claimed;
  } catch (error) {
    if (!(error instanceof DataLossError)) throw error;
    reportHalt(context, partition, error);
    return null;
  }
}

/** Says loudly, and notes for every process, that nothing more is applied from a partition. */
export async function halted(
  context: PartitionContext,
  claimed: Claim,
  error: DataLossError,
): Promise<void> {
  const { store, logger, signal, heartbeat } = context;
  reportHalt(context, claimed.partition, error);
  const note = () => haltPartition(store.collections.checkpoints, claimed, error.message);
  await retried(note, logger, signal, heartbeat);
}

function reportHalt(
  { logger, metrics }: PartitionContext,
  partition: number,
  error: DataLossError,
): void {
  logger.fatal({ partition }, error.message);
  metrics?.partition(partition, 'halted');
}

/** Less is what is live: it takes little memory, and waits for no turn. */
const SMALL_RECORDS = 500;

type Given = Pick<Batch, 'records' | 'from' | 'to' | 'bounds' | 'heartbeat' | 'signal'>;

/**
 * Applies a batch in chunks, and moves the line on; a large one in its partition's turn. Where the log has more, the
 * last chunk may still be on its way to the store; when the one before failed, the line has gone back before this batch.
 */
export async function applyBatch(
  context: PartitionContext,
  line: Line,
  batch: Given,
): Promise<void> {
  const { turns } = context;
  const { partition } = line.claim;
  const { signal, heartbeat, bounds } = batch;
  const isLarge = batch.records.length > SMALL_RECORDS;
  if (isLarge) await turns.begin(partition, signal, heartbeat);
  await applyChunks(context, line, batch);
  const isBehind = line.failures === 0 && line.claim.next + SMALL_RECORDS < bounds.end;
  if (isLarge && isBehind && turns.goesOn(partition)) return;
  if (!turns.end(partition)) return;
  // Others go on, and memory is theirs.
  await line.committing?.failure;
  line.carried.forget();
  if (!isBehind) return;
  // Waited for before the next fetch, whose records would have to be kept meanwhile.
  await turns.begin(partition, signal, heartbeat);
  turns.goesOn(partition);
}

/** A chunk of too many documents is cut around the event that changes them. */
async function applyChunks(
  context: PartitionContext,
  line: Line,
  { records, from, to, bounds, heartbeat, signal }: Given,
): Promise<void> {
  const own = { ...context, signal: AbortSignal.any([context.signal, signal]), heartbeat };
  const sizes = createChunkSizes(Math.max(records.length, 1));
  let tooMuch: string | undefined;
  while (line.claim.next >= from && !own.signal.aborted) {
    if (line.claim.next >= to) {
      if (to < bounds.end || (await settled(own, line))) return;
      continue;
    }
    // What was applied before is dropped.
    const rest = records.filter(({ offset }) => offset >= line.claim.next);
    const chunk = cutChunk(rest, sizes.next(line.failures), to);
    try {
      const more = chunk.next < bounds.end;
      const apply = () => applyOne(own, line, chunk, tooMuch, more);
      await inWork(line, apply);
      if (line.claim.next >= chunk.next) sizes.applied(chunk.records.length);
      tooMuch = undefined;
    } catch (error) {
      if (!(error instanceof TooManyDocumentsError)) throw error;
      // One event by itself is too much: its stream is held, and a new document set is written aside.
      if (chunk.records.length === 1) tooMuch = error.message;
      else sizes.tooMany(error.before);
    }
    await heartbeat();
  }
}

function cutChunk(rest: readonly LogRecord[], size: number, to: number): Chunk {
  const records = rest.slice(0, size);
  const last = records.at(-1);
  return { records, next: last && records.length < rest.length ? last.offset + 1 : to };
}

/** Folds a chunk and begins its commit; waits for it too, unless more follows and nothing is to be done after it. */
async function applyOne(
  context: PartitionContext,
  line: Line,
  chunk: Chunk,
  tooMuch: string | undefined,
  more: boolean,
): Promise<void> {
  const limits = tooMuch === undefined ? context.limits : { ...context.limits, tooMuch };
  const startedAtMs = performance.now();
  const folded = await foldNext(context, line, chunk, limits);
  // What was folded upon a commit that failed is void.
  if (!(await settled(context, line))) return;
  beginCommit(context, line, folded, startedAtMs);
  if (more && line.failures === 0 && !hasSequel(folded.applied)) return;
  if (await settled(context, line)) await followUp(context, folded.applied);
}

/** Rows are forgotten once no chunk of the line is in work and none is on its way to the store. */
async function inWork(line: Line, work: () => Promise<void>): Promise<void> {
  line.folding = true;
  try {
    await work();
  } finally {
    line.folding = false;
    const ended = line.committing?.failure ?? Promise.resolve();
    void ended.then(() => {
      if (!line.folding) line.carried.forgetRows();
    });
  }
}

function hasSequel({ gaps, asides, swept, counts }: Applied): boolean {
  return gaps.length > 0 || asides.length > 0 || swept || counts.parked > 0;
}

async function followUp(
  context: PartitionContext,
  { gaps, asides, swept }: Applied,
): Promise<void> {
  for (const subject of gaps) await drain(context, subject);
  for (const subject of asides) context.beside.start(subject);
  if (swept) context.beside.sweep();
}

// What could go on since the last run: a number that came, or a big change that was done, as the process was killed; a
// version that is known by now.
export async function heal(context: PartitionContext, partition: number): Promise<void> {
  const { store, logger, signal, heartbeat } = context;
  const heldHere = () => store.collections.heads.find({ ...HELD, partition }).toArray();
  for (const { _id, held: why } of await retried(heldHere, logger, signal, heartbeat)) {
    const mayGoOn = why?.why !== 'parked' || why.reason.includes('schemaversion');
    if (mayGoOn) await drain(context, _id);
    await heartbeat?.();
  }
  context.beside.sweep();
}
