// Writes the folded chunks of a partition one after another. A chunk has a transaction of its own; chunks of a partition
// that is far behind share one. Each of these parts writes only its rows, and the last one what all of them changed in
// sums and heads. What is folded and not committed stays in memory, so nothing is read inside the transaction. Each part
// moves the checkpoint first, so that a former owner fails as it does without parts.
// A part may wait for the write before it; when that fails, the part fails too and writes nothing. A transaction ends
// once the one before it is stored, because the cache then forgets rows that only that one touched.
import type { Claim } from '../../read-store/checkpoints.ts';
import { isTooLarge, isTransient } from '../../read-store/database-errors.ts';
import { backOff } from '../../read-store/retry.ts';
import type { ChunkCache } from '../fold/cache.ts';
import { type FoldedChunk, isPlain, takeRest, takeRows, takeWrites } from '../fold/chunk.ts';
import type { FoldCounts } from '../fold/fold.ts';
import { createQuarantineLog, type QuarantineLog } from '../quarantine-log.ts';
import { beginCommit, type Commit, type Failure, resolved } from './commit.ts';
import type { PartitionContext } from './context.ts';

/** The open transaction: where it began, and what its parts came to. */
interface Shared {
  readonly from: Claim;
  readonly startedAtMs: number;
  readonly parts: number;
  readonly counts: FoldCounts;
}

interface Write extends Commit {
  /** Parts of its transaction up to this one. */
  readonly parts: number;
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
  /** The writes whose outcome was not waited for, oldest first. */
  #writes: readonly Write[] = [];
  /** The write that ends a transaction, until it is over. */
  #ending: Commit['failure'] | null = null;
  #failures = 0;
  /** Chunks share no transaction before this offset, because one that they shared was dropped. */
  #sharesFrom = 0;
  /** Halved when a transaction is too large for the server's cache. */
  #partsMax: number;
  readonly #quarantineLog: QuarantineLog;

  constructor(context: PartitionContext, cache: ChunkCache, claim: Claim) {
    this.#context = context;
    this.#cache = cache;
    this.#claim = claim;
    this.#partsMax = context.sharing.partsMax;
    this.#quarantineLog = createQuarantineLog(context.logger);
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

  /** A transaction is on its way to the store, so the open one must not end yet. */
  get isCommitting(): boolean {
    return this.#ending !== null;
  }

  /** The writes under way, until their outcome was waited for; the promise never rejects. */
  get underWay(): Commit['failure'] | null {
    return this.#writes.at(-1)?.failure ?? null;
  }

  /**
   * Begins to write a chunk that was folded from the claim on. Returns false when an earlier write failed: the fold read
   * a store and a cache without knowing what became of that write. The claim is then back at what is stored.
   */
  async begin(
    context: PartitionContext,
    chunk: FoldedChunk,
    { startedAtMs, isFarBehind }: ChunkStart,
  ): Promise<boolean> {
    const { next, fingerprints, counts } = chunk.applied;
    const from = this.#claim;
    const to = { ...from, next, fingerprints };
    const before = this.#shared ?? { from, startedAtMs, parts: 0, counts: NO_COUNTS };
    const now = { ...before, parts: before.parts + 1, counts: sumOf(before.counts, counts) };
    const isPart = isFarBehind && this.#mayShare(to, now) && this.#fits(chunk) && isPlain(chunk);
    // A part may follow any write. The last chunk of a transaction may follow its own parts alone.
    if (!(await this.#answered(context, isPart || this.#shared ? 1 : 0))) return false;
    this.#claim = to;
    if (isPart) this.#writePart(chunk, now);
    else this.#writeLast(chunk, now);
    return true;
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
    this.#writeEnd(all, async () => {
      await (all.parts > 1 ? session.commitParts(writes) : session.commit(writes));
      this.#report(all, chunk.applied.next);
      this.#quarantineLog.report(chunk.folded.fold.quarantined);
    });
  }

  /** Begins to end the open transaction, if there is one, without another chunk. No chunk may be half folded. */
  end(): void {
    const shared = this.#shared;
    if (!shared) return;
    const writes = takeRest(this.#cache);
    const { next } = this.#claim;
    this.#shared = null;
    this.#writeEnd(shared, async () => {
      await this.#context.store.session.commitParts(writes);
      this.#report(shared, next);
    });
  }

  /** Drops the parts of the open transaction, if there is one: the claim is back where it began, and single chunks follow. */
  async abandon(): Promise<void> {
    const shared = this.#shared;
    if (!shared) return;
    await this.#context.store.session.abortParts();
    this.#goBack(shared.from);
  }

  /**
   * Waits for all writes. Returns whether everything that was folded is stored. When a write failed and may succeed later,
   * that is after a while, and the claim is back at what is stored.
   *
   * @throws PausedError when the generation is paused; the claim is back at what is stored
   */
  async written(context: PartitionContext): Promise<boolean> {
    const { next } = this.#claim;
    return (await this.#answered(context, 0)) || this.#claim.next >= next;
  }

  /** Waits until at most `left` writes are under way. Returns false, and goes back, when one failed: stored or not. */
  async #answered(context: PartitionContext, left: number): Promise<boolean> {
    const next = () => (this.#writes.length > left ? this.#writes[0] : undefined);
    for (let oldest = next(); oldest; oldest = next()) {
      const failure = await oldest.failure;
      if (failure) {
        await this.#resolve(context, oldest, failure);
        return false;
      }
      this.#writes = this.#writes.slice(1);
      this.#failures = 0;
    }
    return true;
  }

  async #resolve(context: PartitionContext, write: Write, failed: Failure): Promise<void> {
    if (isTooLarge(failed.error)) this.#partsMax = Math.max(1, Math.floor(write.parts / 2));
    const { claim, failure } = await resolved(context, write, failed);
    this.#goBack(claim);
    if (!failure) {
      this.#failures = 0;
      return;
    }
    if (!isTransient(failure.error)) throw failure.error;
    this.#failures += 1;
    await backOff(context, this.#failures - 1, failure.error);
  }

  #write({ from, parts }: Shared, write: () => Promise<void>): void {
    const before = this.underWay;
    const commit = beginCommit({ from, to: this.#claim }, async () => {
      const failed = await before;
      if (failed) throw failed.error;
      await write();
    });
    this.#writes = [...this.#writes, { ...commit, parts }];
  }

  #writeEnd(shared: Shared, write: () => Promise<void>): void {
    this.#write(shared, write);
    const ending = this.underWay;
    this.#ending = ending;
    void ending?.then(() => {
      if (this.#ending === ending) this.#ending = null;
    });
  }

  /** Forgets everything that was folded; nothing of it may be kept over a store whose contents are uncertain. */
  #goBack(to: Claim): void {
    this.#sharesFrom = this.#claim.next;
    this.#claim = to;
    this.#writes = [];
    this.#shared = null;
    this.#cache.clear();
  }

  #mayShare(to: Claim, { from, parts, startedAtMs }: Shared): boolean {
    const { recordsMax, ageMsMax } = this.#context.sharing;
    const records = to.next - from.next;
    const hasRoom =
      parts < this.#partsMax && records < recordsMax && performance.now() - startedAtMs < ageMsMax;
    return hasRoom && this.#failures === 0 && this.#claim.next >= this.#sharesFrom;
  }

  /** Returns whether memory has room for another chunk upon this one. */
  #fits({ folded }: FoldedChunk): boolean {
    const { streamsMax, documentsMax } = this.#context.sharing;
    const streams = this.#cache.unwritten.size + folded.fold.heads.size;
    return streams < streamsMax && this.#cache.documents.size() < documentsMax;
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
