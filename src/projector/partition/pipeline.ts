// Carries out what the machine of a claimed partition decides (machine.ts), and reports back what came of it. Decides
// nothing itself.
import type { Batch, Outcome } from '../../event-log/event-log.ts';
import { type Claim, readCheckpoint } from '../../read-store/checkpoints.ts';
import type { FoldWrites } from '../../read-store/commit.ts';
import { backOff, retried } from '../../read-store/retry.ts';
import { BatchChunks } from '../fold/batch-chunks.ts';
import { type ChunkCache, createChunkCache } from '../fold/cache.ts';
import { isPlain, takeRest, takeRows, takeWrites } from '../fold/chunk.ts';
import type { Fold } from '../fold/fold.ts';
import { DataLossError } from '../log-damage.ts';
import { isPause, whileResumed } from '../pause.ts';
import { createQuarantineLog, type QuarantineLog } from '../quarantine-log.ts';
import { drainGap } from '../queue/gap.ts';
import { halt, resumeHeld, type TakenOver } from './claim.ts';
import type { PartitionContext } from './context.ts';
import { newMachine, step } from './machine.ts';
import type { Effect, Event, Machine, Phase, Write } from './machine-state.ts';
import { phaseOf } from './transaction.ts';
import { LIVE_RECORDS_MAX, manyFollow } from './turns.ts';

/** A shared transaction that gets no more records is committed after this time. */
const SHARING_IDLE_MS = 1000;

/** A batch on its way. Its context ends with the batch too. */
interface Given {
  readonly batch: Batch;
  readonly context: PartitionContext;
  readonly chunks: BatchChunks;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** What a write sends, and what is reported once it is stored. */
interface Taken {
  readonly writes: FoldWrites;
  readonly quarantined: Fold['quarantined'];
}

export class Pipeline {
  readonly #context: PartitionContext;
  readonly #cache: ChunkCache;
  readonly #quarantineLog: QuarantineLog;
  #machine: Machine;
  #given: Given | null = null;
  /** In the order of the writes that were not sent. */
  #taken: Taken[] = [];
  #idle: NodeJS.Timeout | undefined;
  #leaving: (() => void)[] = [];

  constructor(context: PartitionContext, { claim, end }: TakenOver) {
    this.#context = context;
    this.#cache = createChunkCache(context.cacheSizes);
    this.#quarantineLog = createQuarantineLog(context.logger);
    const waitsForTurn = manyFollow(claim.next, end);
    this.#machine = newMachine({ claim, sharing: context.sharing, waitsForTurn });
  }

  /** Everything below its `next` is folded. */
  get claim(): Claim {
    return this.#machine.claim;
  }

  get phase(): Phase {
    return phaseOf(this.#machine);
  }

  /** Streams whose documents stay in memory from one chunk to the next. */
  get cachedStreams(): number {
    return this.#cache.heads.size;
  }

  /** Begins the turn of a partition that is far behind; returns null where it needs none. */
  ready({ signal, heartbeat }: Pick<Batch, 'signal' | 'heartbeat'>): Promise<void> | null {
    if (!this.#machine.waitsForTurn) return null;
    this.#input({ is: 'ready' });
    const { turns } = this.#context;
    const { partition } = this.claim;
    return turns.begin(partition, signal, heartbeat).then(() => turns.goOn(partition));
  }

  /**
   * Applies the due part of a batch and returns the offset to go on from. While the generation is paused it waits for the
   * resume, and the log hands the same records over again.
   */
  apply(batch: Batch): Promise<Outcome> {
    const { from, to, bounds, records, heartbeat } = batch;
    const signal = AbortSignal.any([this.#context.signal, batch.signal]);
    const context = { ...this.#context, signal, heartbeat };
    const chunks = new BatchChunks(context.store, batch, context.limits);
    return new Promise((resolve, reject) => {
      this.#given = { batch, context, chunks, resolve, reject };
      const isLarge = records.length > LIVE_RECORDS_MAX;
      this.#input({ is: 'batch', range: { from, to, end: bounds.end }, isLarge });
    });
  }

  /** Applies nothing more: the log is damaged. Every process learns why from the checkpoint. */
  async halt(error: DataLossError): Promise<void> {
    if (this.phase === 'halted') return;
    this.#input({ is: 'halt' });
    await halt(this.#context, this.claim, error);
  }

  /** Ends the open transaction, and resolves when no commit is under way. */
  leave(): Promise<void> {
    return new Promise(resolve => {
      this.#leaving.push(resolve);
      this.#input({ is: 'leave' });
    });
  }

  #input(event: Event): void {
    const { signal } = this.#given?.context ?? this.#context;
    const turn = this.#context.turns.of(this.claim.partition);
    const seen = { nowMs: performance.now(), isStopped: signal.aborted, turn };
    const [machine, effects] = step(this.#machine, { ...event, seen });
    this.#machine = machine;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: Effect): void {
    const { turns } = this.#context;
    const { partition } = this.claim;
    switch (effect.do) {
      case 'keep turn':
        return turns.goOn(partition);
      case 'end turn':
        return turns.end(partition);
      case 'watch idle':
        clearTimeout(this.#idle);
        this.#idle = setTimeout(() => this.#input({ is: 'idle too long' }), SHARING_IDLE_MS);
        return;
      case 'unwatch idle':
        return clearTimeout(this.#idle);
      case 'clear cache':
        this.#taken = [];
        return this.#cache.clear();
      case 'evict rows':
        return this.#cache.evictRows();
      case 'take':
        this.#taken.push(this.#take(effect.what));
        return;
      case 'report loss':
        return this.#reportLoss(effect.error);
      case 'left':
        return this.#leave(effect.error);
      case 'answer':
        return this.#hand().resolve(effect.outcome);
      case 'reject':
        return this.#hand().reject(effect.error);
      default:
        this.#report(this.#begin(effect), FAILED[effect.do] ?? 'failed');
    }
  }

  /** Reports what comes of work. */
  #report(work: Promise<Event>, failed: 'failed' | 'fold failed' | 'write failed'): void {
    work
      .then(
        event => this.#input(event),
        error => this.#input({ is: failed, error }),
      )
      .catch(error => {
        if (!this.#given) throw error;
        this.#given.reject(error);
      });
  }

  /** Carries out an effect that takes time; returns what it came to. */
  async #begin(effect: Effect): Promise<Event> {
    const context = this.#given?.context ?? this.#context;
    const { store, turns, heartbeat } = context;
    const { partition } = this.claim;
    switch (effect.do) {
      case 'begin turn':
        await turns.begin(partition, context.signal, heartbeat);
        return { is: 'turn begun' };
      case 'fold':
        return await this.#fold(effect);
      case 'send':
        await this.#send(effect.write);
        return { is: 'stored' };
      case 'abort parts':
        await store.session.abortParts();
        return { is: 'aborted' };
      case 'read checkpoint': {
        const read = () => readCheckpoint(store.collections.checkpoints, partition);
        return { is: 'checkpoint', checkpoint: await retried(read, context) };
      }
      case 'back off':
        await backOff(context, effect.failures, effect.error);
        return { is: 'rested' };
      case 'follow up':
        await this.#followUp(context);
        return { is: 'followed up' };
      case 'end chunk':
        this.#batch.chunks.end(this.claim.next, effect.isTooMuch);
        await heartbeat?.();
        return { is: 'beaten' };
      case 'wait for resume':
        await this.#waitForResume(context, effect.error);
        return { is: 'resumed' };
      case 'refuse gap':
        await this.#refuseGap();
        return { is: 'noted' };
      default:
        throw new Error(`Expected work that takes time, got ${effect.do}`);
    }
  }

  get #batch(): Given {
    if (!this.#given) throw new Error('Expected a batch, got none');
    return this.#given;
  }

  /** Ends the batch. */
  #hand(): Given {
    const given = this.#batch;
    this.#given = null;
    return given;
  }

  async #fold(effect: Effect & { do: 'fold' }): Promise<Event> {
    const { chunks, batch } = this.#batch;
    const { claim, failures } = this.#machine;
    const is = await chunks.fold({ ...effect, claim, failures, cache: this.#cache });
    if (is !== 'folded') return { is };
    const { folded, foldedRecords } = chunks;
    const { applied } = folded;
    const isLarge = foldedRecords > LIVE_RECORDS_MAX;
    const isFarBehind = isLarge && manyFollow(applied.next, batch.bounds.end);
    // Counting the documents takes time, and only a part needs it.
    const documents = isFarBehind ? this.#cache.documents.size() : 0;
    const streams = this.#cache.unwritten.size + folded.folded.fold.heads.size;
    const chunk = { applied, isPlain: isPlain(folded), isFarBehind, streams, documents };
    return { is, chunk };
  }

  #take(what: 'chunk' | 'rows' | 'rest'): Taken {
    if (what === 'rest') return { writes: takeRest(this.#cache), quarantined: [] };
    const { folded } = this.#batch.chunks;
    if (what === 'rows') return { writes: takeRows(this.#cache, folded), quarantined: [] };
    const { quarantined } = folded.folded.fold;
    return { writes: takeWrites(this.#cache, folded), quarantined };
  }

  async #send({ kind, transaction, to }: Write): Promise<void> {
    const { store, logger, metrics } = this.#context;
    const taken = this.#taken.shift();
    if (!taken) throw new Error('Expected a write, got none');
    const { from, parts, counts, startedAtMs } = transaction;
    if (kind === 'part') return await store.session.writePart(taken.writes, parts === 1);
    await (kind === 'last'
      ? store.session.commitParts(taken.writes)
      : store.session.commit(taken.writes));
    logger.debug({ partition: from.partition, next: to.next, ...counts }, 'Chunk applied');
    metrics?.chunkApplied(counts, (performance.now() - startedAtMs) / 1000);
    this.#quarantineLog.report(taken.quarantined);
  }

  /** Does what follows the commit: queues that may go on, shadow sets to write, document sets to remove. */
  async #followUp(context: PartitionContext): Promise<void> {
    const { gaps, shadowed, swept } = this.#batch.chunks.folded.applied;
    for (const subject of gaps) await drainGap(context, subject);
    for (const subject of shadowed) context.shadowSets.start(subject);
    if (swept) context.shadowSets.sweep();
  }

  async #waitForResume(context: PartitionContext, error: unknown): Promise<void> {
    if (!isPause(error)) throw error;
    const { collections } = context.store;
    const pauseContext = { ...context, collections, claim: this.claim };
    // The pause may have come between the last chunk and what follows it.
    await whileResumed(pauseContext, () => resumeHeld(this.#context, this.claim.partition), error);
  }

  async #refuseGap(): Promise<void> {
    const { partition, from } = this.#batch.batch;
    const damage = `expected offset ${this.claim.next} next, but the log goes on at ${from}`;
    const error = new DataLossError(this.#context.eventLog, partition, damage);
    await halt(this.#context, this.claim, error);
  }

  #reportLoss(error: Error): void {
    const { partition, next } = this.claim;
    this.#context.logger.warn({ partition, next }, error.message);
  }

  #leave(error: unknown): void {
    // The next owner finds the checkpoint where it was.
    if (error) this.#context.logger.debug({ err: error }, 'The last chunk was not applied');
    this.#context.cacheSizes?.delete(this.#cache);
    for (const resolve of this.#leaving.splice(0)) resolve();
  }
}

/** The inputs by which failures are reported, where they are not just `failed`. */
const FAILED: { readonly [K in Effect['do']]?: 'fold failed' | 'write failed' } = {
  fold: 'fold failed',
  send: 'write failed',
};
