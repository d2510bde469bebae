// The chunks of a batch: each is cut, decoded once, and folded, again where that is asked for.
import type { LogRecord } from '../../event-log/event-log.ts';
import type { Claim } from '../../store/writing/checkpoints.ts';
import { TooManyRowsError } from '../../store/writing/load-documents.ts';
import type { ProjectorStore } from '../store.ts';
import type { ChunkCache } from './cache.ts';
import {
  countBelow,
  cutChunk,
  type DecodedChunk,
  decodeChunk,
  type FoldedChunk,
  foldChunk,
} from './chunk.ts';
import { createChunkSizes, cutSmaller, limitsAfter } from './chunk-sizes.ts';
import {
  type BrokenFold,
  type ChunkLimits,
  isBroken,
  isSearchAmong,
  reasonsOf,
} from './fold-deliveries.ts';

export interface FoldNextOptions {
  readonly claim: Claim;
  readonly cache: ChunkCache;
  /** Failures in a row; each makes the chunk smaller. */
  readonly failures: number;
  /** The same chunk. */
  readonly isAgain: boolean;
  /** The store holds everything that was folded, so it may be searched. */
  readonly isStored: boolean;
}

export class BatchChunks {
  readonly #store: ProjectorStore;
  readonly #limits: ChunkLimits;
  readonly #batch: { readonly records: readonly LogRecord[]; readonly to: number };
  readonly #sizes;
  #chunk: DecodedChunk = { records: [], next: 0, deliveries: [] };
  #folded: FoldedChunk | null = null;
  /** Why deliveries of the chunk broke the projections; and a fold whose reasons are not known yet. */
  #broken = new Map<string, string>();
  #brokenFold: BrokenFold | null = null;
  #tooMany: TooManyRowsError | null = null;
  #tooMuch: string | null = null;

  constructor(
    store: ProjectorStore,
    batch: { readonly records: readonly LogRecord[]; readonly to: number },
    limits: ChunkLimits,
  ) {
    this.#store = store;
    this.#batch = batch;
    this.#limits = limits;
    this.#sizes = createChunkSizes(Math.max(batch.records.length, 1));
  }

  /** The chunk that was folded last. */
  get folded(): FoldedChunk {
    if (!this.#folded) throw new Error('Expected a folded chunk, got none');
    return this.#folded;
  }

  /** Returns the number of the folded chunk's records. */
  get foldedRecords(): number {
    return countBelow(this.#chunk, this.folded.applied.next);
  }

  /** `needs store`: it waits until the store holds everything. `delivery broke`: it is to be folded again over a new cache. */
  async fold(options: FoldNextOptions): Promise<'folded' | 'needs store' | 'delivery broke'> {
    if (!options.isAgain) await this.#cut(options);
    try {
      return await this.#foldOnce(options);
    } catch (error) {
      // The store may change before the next attempt.
      this.#broken.clear();
      this.#brokenFold = null;
      if (error instanceof TooManyRowsError) this.#tooMany = error;
      throw error;
    }
  }

  async #cut({ claim, failures }: FoldNextOptions): Promise<void> {
    const { records, to } = this.#batch;
    const due = records.filter(({ offset }) => offset >= claim.next);
    this.#broken.clear();
    this.#brokenFold = null;
    this.#folded = null;
    this.#chunk = await decodeChunk(cutChunk(due, this.#sizes.next(failures), to), claim);
  }

  async #foldOnce({ claim, cache, isStored, failures }: FoldNextOptions) {
    const limits = {
      ...limitsAfter(failures, this.#limits),
      ...(this.#tooMuch !== null && { tooMuch: this.#tooMuch }),
    };
    if (this.#brokenFold) {
      const reasons = await reasonsOf(this.#store, this.#brokenFold);
      for (const [id, reason] of reasons) this.#broken.set(id, reason);
      this.#brokenFold = null;
    }
    if (!isStored && isSearchAmong(this.#chunk.deliveries, limits)) return 'needs store';
    const options = { claim, limits, cache, broken: this.#broken };
    const folded = await foldChunk(this.#store, this.#chunk, options);
    if (isBroken(folded)) {
      this.#brokenFold = folded;
      return 'delivery broke';
    }
    this.#folded = folded;
    return 'folded';
  }

  /** The chunk is over. One that is too much for a transaction is cut smaller; others were applied up to an offset. */
  end(next: number, isTooMuch: boolean): void {
    const { records } = this.#chunk;
    if (isTooMuch && this.#tooMany) {
      this.#tooMuch = cutSmaller(this.#tooMany, records.length, this.#sizes);
      return;
    }
    this.#sizes.applied(countBelow(this.#chunk, next));
    this.#tooMuch = null;
  }
}
