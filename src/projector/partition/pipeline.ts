// The pipeline of one claimed partition. Records are folded in chunks; each chunk is committed in one transaction, and
// while it is on its way to the store the next one is folded on top of it.
//
//            a batch                folded                   stored
//    idle ────────────▶ folding ────────────▶ committing ────────────▶ idle
//                          ▲                   │      │
//                          └── the next batch ─┘      └─ failed: back to where the chunk began, then a smaller one
//
//    any phase ── the log lost records ──▶ halted        any phase ── another process claimed it ──▶ lost
import type { Batch, Outcome } from '../../event-log/event-log.ts';
import type { Claim } from '../../read-store/checkpoints.ts';
import { FencedError, isTransient } from '../../read-store/database-errors.ts';
import { TooManyDocumentsError } from '../../read-store/load-documents.ts';
import { backOff, retried } from '../../read-store/retry.ts';
import { DataLossError } from '../log-damage.ts';
import { isPause, type PauseCause, whileResumed } from '../pause.ts';
import { createChunkCache } from './cache.ts';
import { type Chunk, cutChunk, type FoldedChunk, foldChunk } from './chunk.ts';
import { createChunkSizes, cutSmaller } from './chunk-sizes.ts';
import { halt, resumeHeld } from './claim.ts';
import { beginCommit, type Commit, failureOf } from './commit.ts';
import type { PartitionContext } from './context.ts';
import { followUp, needsFollowUp } from './follow-up.ts';

type Phase = 'idle' | 'folding' | 'committing' | 'halted' | 'lost';

/** Batches up to this size count as live traffic; they take little memory and skip the turn queue. */
const LIVE_RECORDS_MAX = 500;

export class Pipeline {
  readonly #context: PartitionContext;
  readonly #cache = createChunkCache(async () => void (await this.#commit?.failure));
  #phase: Phase = 'idle';
  /** Everything below its `next` is folded. */
  #claim: Claim;
  /** The chunk on its way to the store. */
  #commit: Commit | null = null;
  /** Failed commits since the last one that was stored. */
  #failures = 0;
  /** The offset that the log was asked for again because a batch began above it. */
  #askedAgain: number | null = null;

  constructor(context: PartitionContext, claim: Claim) {
    this.#context = context;
    this.#claim = claim;
  }

  get claim(): Claim {
    return this.#claim;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Streams whose documents stay in memory from one chunk to the next. */
  get cachedStreams(): number {
    return this.#cache.heads.size;
  }

  /**
   * Applies the due part of a batch and returns the offset to go on from. While the generation is paused it waits for the
   * resume, and the log hands the same records over again.
   */
  async apply(batch: Batch): Promise<Outcome> {
    const { next } = this.#claim;
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
    return this.#phase === 'lost' ? 'lost' : this.#claim.next;
  }

  /** Applies nothing more: the log is damaged. Every process learns why from the checkpoint. */
  async halt(error: DataLossError): Promise<void> {
    if (this.#phase === 'halted') return;
    this.#phase = 'halted';
    await halt(this.#context, this.#claim, error);
  }

  /** Waits for the commit under way: none may be when another process claims the partition. */
  async leave(): Promise<void> {
    this.#context.turns.end(this.#claim.partition);
    await this.#awaitCommit(this.#context).catch(error => {
      // The next owner finds the checkpoint where it was.
      this.#context.logger.debug({ err: error }, 'The last chunk was not applied');
    });
  }

  /** A log that begins above the expected offset twice has a hole, and nothing is applied beyond it. */
  #refuseGap({ partition, from }: Batch): void {
    const { next } = this.#claim;
    if (this.#askedAgain === next) {
      const message = `expected offset ${next} next, but the log goes on at ${from}`;
      throw new DataLossError(this.#context.eventLog, partition, message);
    }
    this.#askedAgain = next;
  }

  #lose(error: FencedError): void {
    const { partition, next } = this.#claim;
    this.#phase = 'lost';
    this.#context.logger.warn({ partition, next }, error.message);
  }

  async #waitForResume({ signal, heartbeat }: Batch, error: PauseCause): Promise<void> {
    const { store, turns } = this.#context;
    turns.end(this.#claim.partition);
    await this.#cache.committed();
    this.#cache.clear();
    const pauseContext = {
      ...this.#contextOf({ signal, heartbeat }),
      collections: store.collections,
      claim: this.#claim,
    };
    // The pause may have come between the last chunk and what follows it.
    await whileResumed(pauseContext, () => resumeHeld(this.#context, this.#claim.partition), error);
  }

  /** Applies a large batch in the partition's turn. Where the log has more, the last chunk may still be committing. */
  async #applyBatch(batch: Batch): Promise<void> {
    const { turns } = this.#context;
    const { partition } = this.#claim;
    const { signal, heartbeat, bounds } = batch;
    const isLarge = batch.records.length > LIVE_RECORDS_MAX;
    if (isLarge) await turns.begin(partition, signal, heartbeat);
    await this.#applyChunks(batch);
    const isBehind = this.#failures === 0 && this.#claim.next + LIVE_RECORDS_MAX < bounds.end;
    if (isLarge && isBehind && turns.goesOn(partition)) return;
    if (!turns.end(partition)) return;
    // Other partitions have waited for this turn; the memory is theirs now.
    await this.#cache.committed();
    this.#cache.clear();
    if (!isBehind) return;
    // Waits before the next fetch, whose records would otherwise stay in memory meanwhile.
    await turns.begin(partition, signal, heartbeat);
    turns.goesOn(partition);
  }

  async #applyChunks({ records, from, to, bounds, heartbeat, signal }: Batch): Promise<void> {
    const context = this.#contextOf({ signal, heartbeat });
    const sizes = createChunkSizes(Math.max(records.length, 1));
    let tooMuch: string | null = null;
    while (this.#claim.next >= from && !context.signal.aborted && this.#phase !== 'halted') {
      if (this.#claim.next >= to) {
        if (to < bounds.end || (await this.#awaitCommit(context))) return;
        continue;
      }
      const due = records.filter(({ offset }) => offset >= this.#claim.next);
      const chunk = cutChunk(due, sizes.next(this.#failures), to);
      const limits = tooMuch === null ? context.limits : { ...context.limits, tooMuch };
      try {
        await this.#applyChunk({ ...context, limits }, chunk, chunk.next < bounds.end);
        if (this.#claim.next >= chunk.next) sizes.applied(chunk.records.length);
        tooMuch = null;
      } catch (error) {
        if (!(error instanceof TooManyDocumentsError)) throw error;
        tooMuch = cutSmaller(error, chunk.records.length, sizes);
      }
      await heartbeat();
    }
  }

  /** Folds a chunk and begins its commit; waits for the commit too, unless more follows and nothing is to be done first. */
  async #applyChunk(context: PartitionContext, chunk: Chunk, hasMore: boolean): Promise<void> {
    const { store, limits } = context;
    const startedAtMs = performance.now();
    this.#enter('folding');
    try {
      const options = { claim: this.#claim, limits, cache: this.#cache };
      const fold = () => foldChunk(store, chunk, options);
      const folded = await retried(fold, context);
      // If the previous commit failed, this fold is based on state that was never stored.
      if (!(await this.#awaitCommit(context))) return;
      this.#beginCommit(context, folded, startedAtMs);
      if (hasMore && this.#failures === 0 && !needsFollowUp(folded.applied)) return;
      if (await this.#awaitCommit(context)) await followUp(context, folded.applied);
    } finally {
      this.#enter(this.#commit ? 'committing' : 'idle');
    }
  }

  #beginCommit(context: PartitionContext, folded: FoldedChunk, startedAtMs: number): void {
    this.#cache.keep(folded.heads);
    const commit = beginCommit(context, folded, { from: this.#claim, startedAtMs });
    this.#commit = commit;
    this.#claim = commit.to;
    void commit.failure.then(() => {
      if (this.#phase === 'committing') this.#enter('idle');
    });
  }

  /** Returns the context of work on a batch: it ends with the batch too. */
  #contextOf({ signal, heartbeat }: Pick<Batch, 'signal' | 'heartbeat'>): PartitionContext {
    return {
      ...this.#context,
      signal: AbortSignal.any([this.#context.signal, signal]),
      heartbeat,
    };
  }

  #enter(phase: 'idle' | 'folding' | 'committing'): void {
    if (this.#phase === 'halted' || this.#phase === 'lost') return;
    this.#phase = phase;
    if (phase === 'idle') this.#cache.evictRows();
  }

  /**
   * Waits for the commit under way. When it failed and may succeed later, the claim is back where the chunk began, after
   * a while, and the result is false.
   *
   * @throws PausedError when the generation is paused; the claim is back where the chunk began
   */
  async #awaitCommit(context: PartitionContext): Promise<boolean> {
    const commit = this.#commit;
    if (!commit) return true;
    const failure = await failureOf(context, commit).finally(() => {
      this.#commit = null;
    });
    if (!failure) {
      this.#failures = 0;
      return true;
    }
    this.#claim = commit.from;
    this.#cache.clear();
    if (!isTransient(failure.error)) throw failure.error;
    this.#failures += 1;
    await backOff(context, this.#failures - 1, failure.error);
    return false;
  }
}
