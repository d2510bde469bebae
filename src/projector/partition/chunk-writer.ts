// Writes the folded chunks of a partition one after another. A chunk has a transaction of its own; chunks of a partition
// that is far behind share one. Each of these parts writes only its rows, and the last one what all of them changed in
// sums and heads. What is folded and not committed stays in memory, so nothing is read inside the transaction. Each part
// moves the checkpoint first, so that a former owner fails as it does without parts.
import type { Claim } from '../../read-store/checkpoints.ts';
import { isTooLarge, isTransient } from '../../read-store/database-errors.ts';
import { backOff } from '../../read-store/retry.ts';
import type { FoldCounts } from '../fold/fold.ts';
import type { ChunkCache } from './cache.ts';
import { type FoldedChunk, isPlain, takeRest, takeRows, takeWrites } from './chunk.ts';
import { beginCommit, type Commit, failureOf } from './commit.ts';
import type { PartitionContext } from './context.ts';

/** The open transaction: where it began, and what its parts came to. */
interface Shared {
  readonly from: Claim;
  readonly startedAtMs: number;
  readonly parts: number;
  readonly counts: FoldCounts;
}

export interface ChunkStart {
  /** When work on the chunk began, by the process's monotonic clock. */
  readonly startedAtMs: number;
  /** Many records follow, so the chunk may be a part. */
  readonly isFarBehind: boolean;
}

export class ChunkWriter {
  readonly #context: PartitionContext;
  readonly #cache: ChunkCache;
  #claim: Claim;
  #shared: Shared | null = null;
  #commit: Commit | null = null;
  #failures = 0;
  /** Chunks share no transaction before this offset, because one that they shared was dropped. */
  #sharesFrom = 0;
  /** Halved when a transaction is too large for the server's cache. */
  #partsMax: number;
  /** Parts of the transaction that is written. */
  #parts = 0;

  constructor(context: PartitionContext, cache: ChunkCache, claim: Claim) {
    this.#context = context;
    this.#cache = cache;
    this.#claim = claim;
    this.#partsMax = context.sharing.partsMax;
  }

  /** Everything below its `next` is folded. */
  get claim(): Claim {
    return this.#claim;
  }

  /** Failed writes since the last one that succeeded. */
  get failures(): number {
    return this.#failures;
  }

  /** A transaction with parts is open. */
  get isSharing(): boolean {
    return this.#shared !== null;
  }

  /** The write under way, until its outcome was waited for; the promise never rejects. */
  get underWay(): Promise<unknown> | null {
    return this.#commit?.failure ?? null;
  }

  /** Begins to write a chunk that was folded from the claim on, once the write before it succeeded. */
  begin(chunk: FoldedChunk, { startedAtMs, isFarBehind }: ChunkStart): void {
    const { next, fingerprints, counts } = chunk.applied;
    const from = this.#claim;
    const before = this.#shared ?? { from, startedAtMs, parts: 0, counts: NO_COUNTS };
    const now = { ...before, parts: before.parts + 1, counts: sumOf(before.counts, counts) };
    this.#claim = { ...from, next, fingerprints };
    if (isFarBehind && this.#mayShare(from, now) && isPlain(chunk)) this.#writePart(chunk, now);
    else this.#writeLast(chunk, now);
  }

  #writePart(chunk: FoldedChunk, shared: Shared): void {
    const { session } = this.#context.store;
    const rows = takeRows(this.#cache, chunk);
    this.#shared = shared;
    this.#write(shared, () => session.writePart(rows, shared.parts === 1));
  }

  #writeLast(chunk: FoldedChunk, all: Shared): void {
    const { session } = this.#context.store;
    const writes = takeWrites(this.#cache, chunk);
    this.#shared = null;
    this.#write(all, async () => {
      await (all.parts > 1 ? session.commitParts(writes) : session.commit(writes));
      this.#report(all, chunk.applied.next);
    });
  }

  /** Begins to end the open transaction, if there is one, without another chunk. No chunk may be half folded. */
  end(): void {
    const shared = this.#shared;
    if (!shared) return;
    const lastPart = this.#commit;
    const writes = takeRest(this.#cache);
    const { next } = this.#claim;
    this.#shared = null;
    this.#write(shared, async () => {
      const failed = await lastPart?.failure;
      if (failed) throw failed.error;
      await this.#context.store.session.commitParts(writes);
      this.#report(shared, next);
    });
  }

  /** Drops the parts of the open transaction: the claim is back where it began, and single chunks follow. */
  async abandon(): Promise<void> {
    const shared = this.#shared;
    if (!shared) throw new Error('No transaction is open');
    await this.underWay;
    await this.#context.store.session.abortParts();
    this.#goBack(shared.from);
  }

  /**
   * Waits for the write under way. When it failed and may succeed later, the claim is back where its transaction began,
   * after a while, and the result is false.
   *
   * @throws PausedError when the generation is paused; the claim is back where the transaction began
   */
  async written(context: PartitionContext): Promise<boolean> {
    const commit = this.#commit;
    if (!commit) return true;
    const failure = await failureOf(context, commit).finally(() => {
      this.#commit = null;
    });
    if (!failure) {
      this.#failures = 0;
      return true;
    }
    if (isTooLarge(failure.error)) this.#partsMax = Math.max(1, Math.floor(this.#parts / 2));
    this.#goBack(commit.from);
    if (!isTransient(failure.error)) throw failure.error;
    this.#failures += 1;
    await backOff(context, this.#failures - 1, failure.error);
    return false;
  }

  #write({ from, parts }: Shared, write: () => Promise<void>): void {
    this.#parts = parts;
    this.#commit = beginCommit({ from, to: this.#claim }, write);
  }

  #goBack(from: Claim): void {
    this.#sharesFrom = this.#claim.next;
    this.#claim = from;
    this.#commit = null;
    this.#shared = null;
    this.#cache.clear();
  }

  #mayShare({ next }: Claim, { from, parts, startedAtMs }: Shared): boolean {
    const { recordsMax, ageMsMax } = this.#context.sharing;
    const records = this.#claim.next - from.next;
    const hasRoom =
      parts < this.#partsMax && records < recordsMax && performance.now() - startedAtMs < ageMsMax;
    return hasRoom && this.#failures === 0 && next >= this.#sharesFrom;
  }

  #report({ from, startedAtMs, counts }: Shared, next: number): void {
    const { logger, metrics } = this.#context;
    logger.debug({ partition: from.partition, next, ...counts }, 'Chunk applied');
    metrics?.chunkApplied(counts, (performance.now() - startedAtMs) / 1000);
  }
}

const NO_COUNTS: FoldCounts = { applied: 0, duplicates: 0, dropped: 0, unknown: 0, parked: 0 };

function sumOf(a: FoldCounts, b: FoldCounts): FoldCounts {
  return {
    applied: a.applied + b.applied,
    duplicates: a.duplicates + b.duplicates,
    dropped: a.dropped + b.dropped,
    unknown: a.unknown + b.unknown,
    parked: a.parked + b.parked,
  };
}
