// The pipeline of one claimed partition. Records are folded in chunks; each chunk is committed in one transaction, and
// the next is folded on top of it meanwhile. Far behind, chunks share a transaction, and a part waits for the write before.
//
//            a batch                folded                   stored
//    idle ────────────▶ folding ────────────▶ committing ────────────▶ idle
//                       ▲  ▲ │                 ▲   │  │
//                       │  └─┼─ the next batch ┼───┘  └─ failed: back to the checkpoint, then single chunks
//        the next batch │    ▼ many follow     │
//                       └─ sharing ────────────┘ after 6 parts, 20 s, much in memory, a second without records; before a search
//
//    any phase ── the log lost records ──▶ halted        any phase ── another process claimed it ──▶ lost
import type { Batch, Bounds, Outcome } from '../../event-log/event-log.ts';
import type { Claim } from '../../read-store/checkpoints.ts';
import { FencedError } from '../../read-store/database-errors.ts';
import { TooManyDocumentsError } from '../../read-store/load-documents.ts';
import { retried } from '../../read-store/retry.ts';
import { type ChunkCache, createChunkCache, UnfinishedError } from '../fold/cache.ts';
import { type Chunk, countBelow, cutChunk, foldChunk } from '../fold/chunk.ts';
import { createChunkSizes, cutSmaller } from '../fold/chunk-sizes.ts';
import { DataLossError } from '../log-damage.ts';
import { isPause, type PauseCause, whileResumed } from '../pause.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { halt, resumeHeld, type TakenOver } from './claim.ts';
import type { PartitionContext } from './context.ts';
import { followUp, needsFollowUp } from './follow-up.ts';
import { LIVE_RECORDS_MAX, manyFollow } from './turns.ts';

type Phase = 'idle' | 'folding' | 'sharing' | 'committing' | 'halted' | 'lost';

/** A shared transaction that gets no more records is committed after this time. */
const SHARING_IDLE_MS = 1000;

export class Pipeline {
  readonly #context: PartitionContext;
  readonly #cache: ChunkCache;
  readonly #writer: ChunkWriter;
  #phase: Phase = 'idle';
  /** The offset that the log was asked for again because a batch began above it. */
  #askedAgain: number | null = null;
  #idle: NodeJS.Timeout | undefined;
  #waitsForTurn: boolean;

  constructor(context: PartitionContext, { claim, end }: TakenOver) {
    this.#context = context;
    this.#waitsForTurn = manyFollow(claim.next, end);
    this.#cache = createChunkCache(() => this.#committed(), context.cacheSizes);
    this.#writer = new ChunkWriter(context, this.#cache, claim);
  }

  /** Everything below its `next` is folded. */
  get claim(): Claim {
    return this.#writer.claim;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Streams whose documents stay in memory from one chunk to the next. */
  get cachedStreams(): number {
    return this.#cache.heads.size;
  }

  /** Waits for the turn of a partition that is far behind; returns null where it need not. */
  ready({ signal, heartbeat }: Pick<Batch, 'signal' | 'heartbeat'>): Promise<void> | null {
    if (!this.#waitsForTurn) return null;
    this.#waitsForTurn = false;
    const { turns } = this.#context;
    const { partition } = this.claim;
    return turns.begin(partition, signal, heartbeat).then(() => void turns.goesOn(partition));
  }

  /**
   * Applies the due part of a batch and returns the offset to go on from. While the generation is paused it waits for the
   * resume, and the log hands the same records over again.
   */
  async apply(batch: Batch): Promise<Outcome> {
    const { next } = this.claim;
    if (this.#phase === 'halted') return 'halt';
    try {
      if (batch.from > next) this.#refuseGap(batch);
      else await this.#applyBatch(batch);
    } catch (error) {
      if (error instanceof DataLossError) await this.halt(error);
      else if (isPause(error)) await this.#waitForResume(batch, error);
      else if (error instanceof FencedError) this.#lose(error);
      else throw error;
    }
    return this.#outcome();
  }

  #outcome(): Outcome {
    if (this.#phase === 'halted') return 'halt';
    return this.#phase === 'lost' ? 'lost' : this.claim.next;
  }

  /** Applies nothing more: the log is damaged. Every process learns why from the checkpoint. */
  async halt(error: DataLossError): Promise<void> {
    if (this.#phase === 'halted') return;
    // The open transaction locks the checkpoint, and ends soon after a chunk that is folded now.
    if (this.#phase !== 'folding') this.#writer.end();
    this.#phase = 'halted';
    await halt(this.#context, this.claim, error);
  }

  /** Waits for the commit under way: none may be when another process claims the partition. */
  async leave(): Promise<void> {
    clearTimeout(this.#idle);
    this.#context.turns.end(this.claim.partition);
    this.#writer.end();
    await this.#writer.written(this.#context).catch(error => {
      // The next owner finds the checkpoint where it was.
      this.#context.logger.debug({ err: error }, 'The last chunk was not applied');
    });
    this.#context.cacheSizes?.delete(this.#cache);
  }

  /** A log that begins above the expected offset twice has a hole, and nothing is applied beyond it. */
  #refuseGap({ partition, from }: Batch): void {
    const { next } = this.claim;
    if (this.#askedAgain === next) {
      const message = `expected offset ${next} next, but the log goes on at ${from}`;
      throw new DataLossError(this.#context.eventLog, partition, message);
    }
    this.#askedAgain = next;
  }

  #lose(error: FencedError): void {
    const { partition, next } = this.claim;
    this.#phase = 'lost';
    this.#context.logger.warn({ partition, next }, error.message);
  }

  async #waitForResume({ signal, heartbeat }: Batch, error: PauseCause): Promise<void> {
    const { store, turns } = this.#context;
    turns.end(this.claim.partition);
    await this.#cache.committed();
    this.#cache.clear();
    const pauseContext = {
      ...this.#contextOf({ signal, heartbeat }),
      collections: store.collections,
      claim: this.claim,
    };
    // The pause may have come between the last chunk and what follows it.
    await whileResumed(pauseContext, () => resumeHeld(this.#context, this.claim.partition), error);
  }

  /** Applies a large batch in the partition's turn. Where the log has more, the last chunk may still be committing. */
  async #applyBatch(batch: Batch): Promise<void> {
    const { turns } = this.#context;
    const { partition } = this.claim;
    const isLarge = batch.records.length > LIVE_RECORDS_MAX;
    if (isLarge) await turns.begin(partition, batch.signal, batch.heartbeat);
    await this.#applyChunks(batch);
    const isBehind = manyFollow(this.claim.next, batch.bounds.end);
    const goesOn = isBehind && this.#writer.failures === 0 && turns.goesOn(partition);
    this.#waitsForTurn = isBehind && !goesOn;
    if (goesOn || !turns.end(partition)) return;
    // Other partitions have waited for this turn; the memory is theirs now.
    await this.#cache.committed();
    this.#cache.clear();
  }

  async #applyChunks({ records, from, to, bounds, heartbeat, signal }: Batch): Promise<void> {
    const context = this.#contextOf({ signal, heartbeat });
    const sizes = createChunkSizes(Math.max(records.length, 1));
    let tooMuch: string | null = null;
    while (this.claim.next >= from && !context.signal.aborted && this.#phase !== 'halted') {
      if (this.claim.next >= to) {
        if (to < bounds.end || (await this.#writer.written(context))) return;
        continue;
      }
      const due = records.filter(({ offset }) => offset >= this.claim.next);
      const chunk = cutChunk(due, sizes.next(this.#writer.failures), to);
      const limits = tooMuch === null ? context.limits : { ...context.limits, tooMuch };
      try {
        await this.#applyChunk({ ...context, limits }, chunk, bounds);
        sizes.applied(countBelow(chunk, this.claim.next));
        tooMuch = null;
      } catch (error) {
        if (!(error instanceof TooManyDocumentsError)) throw error;
        tooMuch = cutSmaller(error, chunk.records.length, sizes);
      }
      await heartbeat();
    }
  }

  /** Folds a chunk and begins to write it; waits for that too, unless more follows and nothing is to be done first. */
  async #applyChunk(context: PartitionContext, chunk: Chunk, { end }: Bounds): Promise<void> {
    const { store, limits } = context;
    const startedAtMs = performance.now();
    this.#enter('folding');
    try {
      const options = { claim: this.claim, limits, cache: this.#cache };
      const fold = () => foldChunk(store, chunk, options);
      const folded = await retried(fold, context);
      // The limits may have cut the chunk.
      const { next } = folded.applied;
      const mayShare = countBelow(chunk, next) > LIVE_RECORDS_MAX && this.phase !== 'halted';
      const start = { startedAtMs, isFarBehind: mayShare && manyFollow(next, end) };
      // If an earlier write failed, this fold is based on a state that was never stored, or on reads that missed it.
      if (!(await this.#writer.begin(context, folded, start))) return;
      const hasMore = next < end && this.#writer.failures === 0;
      if (hasMore && !needsFollowUp(folded.applied)) return;
      // At the end of the log the next partition folds while this one commits.
      const othersWait = next >= end && context.turns.end(this.claim.partition);
      if (await this.#writer.written(context)) await followUp(context, folded.applied);
      if (othersWait) this.#cache.clear();
    } catch (error) {
      if (!(error instanceof UnfinishedError)) throw error;
      if (await this.#writer.written(context)) await this.#writer.abandon();
    } finally {
      this.#enterNext();
    }
  }

  /** Ends the open transaction, and waits for the write under way. */
  async #committed(): Promise<void> {
    this.#writer.end();
    await this.#writer.underWay;
  }

  /** Returns the context of work on a batch: it ends with the batch too. */
  #contextOf({ signal, heartbeat }: Pick<Batch, 'signal' | 'heartbeat'>): PartitionContext {
    return { ...this.#context, signal: AbortSignal.any([this.#context.signal, signal]), heartbeat };
  }

  #enterNext(): void {
    if (this.#writer.isSharing) this.#enter('sharing');
    else this.#enter(this.#writer.underWay ? 'committing' : 'idle');
  }

  #enter(phase: 'idle' | 'folding' | 'sharing' | 'committing'): void {
    clearTimeout(this.#idle);
    if (this.#phase === 'halted' || this.#phase === 'lost') return;
    this.#phase = phase;
    if (phase === 'idle') this.#cache.evictRows();
    if (phase === 'committing') {
      void this.#writer.underWay?.then(() => this.#phase === 'committing' && this.#enter('idle'));
    } else if (phase === 'sharing') {
      this.#idle = setTimeout(() => this.#endSharing(), SHARING_IDLE_MS);
    }
  }

  #endSharing(): void {
    // Until the transaction before is stored, the cache keeps its rows.
    if (!this.#writer.isCommitting) this.#writer.end();
    this.#enterNext();
  }
}
