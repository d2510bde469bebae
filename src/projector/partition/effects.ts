// Carries out the effects of the machine that take time; each returns a report.
import type { Batch } from '../../event-log/event-log.ts';
import type { Logger } from '../../process/log.ts';
import { noteNearTypes } from '../../store/near-types.ts';
import { endLockers } from '../../store/open-sessions.ts';
import { backOff, retried } from '../../store/retry.ts';
import { readCheckpoint } from '../../store/writing/checkpoints.ts';
import type { FoldWrites } from '../../store/writing/commit.ts';
import type { BatchChunks, FoldNextOptions } from '../fold/batch-chunks.ts';
import { type Applied, isPlain } from '../fold/chunk.ts';
import { dataLoss } from '../log-damage.ts';
import { manyFollow, type Report, type SlowEffect, type Write } from '../machine/machine-state.ts';
import type { QuarantineLog } from '../quarantine-log.ts';
import { drainGap } from '../queue/drain.ts';
import { halt, resumeHeld } from './claim.ts';
import type { PartitionContext } from './partition-context.ts';

/** Log lines of one chunk about the streams that it parked. */
const PARKED_LINES_MAX = 10;

/** What effects work with. */
export interface EffectContext extends Pick<FoldNextOptions, 'claim' | 'failures' | 'cache'> {
  readonly context: PartitionContext;
  readonly quarantineLog: QuarantineLog;
  /** The batch on its way. */
  readonly given: { readonly batch: Batch; readonly chunks: BatchChunks } | null;
  /** What the oldest write writes that was not sent. */
  readonly writes: FoldWrites | undefined;
}

export async function carryOut(effect: SlowEffect, on: EffectContext): Promise<Report> {
  const { context, claim } = on;
  const { store, turns, heartbeat } = context;
  const { partition } = claim;
  switch (effect.do) {
    case 'begin turn':
      await turns.begin(partition, context.signal, heartbeat);
      return { is: 'turn begun' };
    case 'fold':
      return await fold(effect, on);
    case 'send':
      await send(effect.write, on);
      return { is: 'stored' };
    case 'abort parts':
      await store.session.abortParts();
      return { is: 'aborted' };
    case 'read checkpoint': {
      const read = () => readCheckpoint(store.collections.checkpoints, partition);
      return { is: 'checkpoint', checkpoint: await retried(read, context) };
    }
    case 'back off':
      await endLockers(store.collections.heads, effect);
      await backOff(context, effect.failures, effect.error);
      return { is: 'backed off' };
    case 'follow up':
      await followUp(on, effect.applied);
      return { is: 'followed up' };
    case 'drain held':
      await resumeHeld(context, claim);
      return { is: 'followed up' };
    case 'end chunk':
      batchOf(on).chunks.end(claim.next, effect.isTooMuch);
      await heartbeat?.();
      return { is: 'heartbeat sent' };
    case 'wait for resume':
      await resumeHeld(context, claim, effect.error);
      return { is: 'resumed' };
    case 'halt':
      await halt(context, claim, dataLoss(context.eventLog, partition, effect.damage));
      return { is: 'halt stored' };
  }
}

function batchOf({ given }: EffectContext): NonNullable<EffectContext['given']> {
  if (!given) throw new Error('Expected a batch, got none');
  return given;
}

async function fold(effect: SlowEffect & { do: 'fold' }, on: EffectContext): Promise<Report> {
  const { chunks, batch } = batchOf(on);
  const { claim, failures, cache } = on;
  const { sharing } = on.context;
  const is = await chunks.fold({ ...effect, claim, failures, cache });
  if (is !== 'folded') return { is };
  const { folded, foldedRecords } = chunks;
  const { applied } = folded;
  if (applied.nearTypes.length > 0) await noteTypes(on, applied);
  const isLarge = foldedRecords > sharing.liveMax;
  const isFarBehind = isLarge && manyFollow(applied.next, batch.bounds.end, sharing);
  // Counting the documents takes time, and only a part needs it.
  const documents = isFarBehind ? cache.documents.size() : 0;
  const streams = cache.unwritten.size + folded.folded.fold.heads.size;
  return { is, chunk: { applied, isPlain: isPlain(folded), isFarBehind, streams, documents } };
}

/** Before the commit: nobody would note them after it if this process ended. A note that comes twice is one. */
async function noteTypes({ context, cache }: EffectContext, { nearTypes }: Applied): Promise<void> {
  await retried(() => noteNearTypes(context.store.collections.nearTypes, nearTypes), context);
  for (const { type } of nearTypes) cache.notedTypes.add(type);
}

async function send(
  { kind, transaction, to }: Write,
  { context: { store, logger, metrics }, writes, quarantineLog }: EffectContext,
): Promise<void> {
  if (!writes) throw new Error('Expected a write, got none');
  const { from, parts, counts, startedAtMs, writtenAt } = transaction;
  if (kind === 'part') {
    await store.session.writePart(writes, parts === 1);
    return;
  }
  await store.session.commit(writes, kind === 'last');
  logger.debug({ partition: from.partition, next: to.next, ...counts }, 'Chunk applied');
  metrics?.chunkApplied(counts, {
    seconds: (performance.now() - startedAtMs) / 1000,
    ...(writtenAt !== undefined && { writtenAt: new Date(writtenAt) }),
  });
  quarantineLog.report(writes.quarantined);
}

/** Does what follows the commit: queues that may go on, shadow sets to write, document sets to remove. */
async function followUp(
  { context }: EffectContext,
  { gaps, shadowed, swept, parked }: Applied,
): Promise<void> {
  reportParked(context.logger, parked);
  for (const subject of gaps) await drainGap(context, subject);
  for (const subject of shadowed) context.shadowSets.start(subject);
  if (swept) context.shadowSets.sweep();
}

function reportParked(logger: Logger, parked: Applied['parked']): void {
  // Without the reason, which may quote a value of the event.
  for (const { trace, ...event } of parked.slice(0, PARKED_LINES_MAX)) {
    logger.warn({ ...event, ...trace }, 'Stream parked: budgeting parked list says why');
  }
  const more = parked.length - PARKED_LINES_MAX;
  if (more > 0) logger.warn({ more }, 'More streams parked: budgeting parked list names them');
}
