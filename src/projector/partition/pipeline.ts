// The pipeline of a claimed partition: gives batches to its machine (machine.ts), carries out what the machine decides,
// and reports what came of it. Decides nothing itself.
import type { Batch, Outcome } from '../../event-log/event-log.ts';
import type { Claim } from '../../store/writing/checkpoints.ts';
import type { FoldWrites } from '../../store/writing/commit.ts';
import { BatchChunks } from '../fold/batch-chunks.ts';
import { type ChunkCache, createChunkCache } from '../fold/cache.ts';
import { takeRest, takeRows, takeWrites } from '../fold/chunk.ts';
import { step } from '../machine/machine.ts';
import {
  type Machine,
  type MachineEffect,
  newMachine,
  type Phase,
  phaseOf,
  type QuickEffect,
  type Report,
  type SlowEffect,
} from '../machine/machine-state.ts';
import { createQuarantineLog, type QuarantineLog } from '../quarantine-log.ts';
import { halt, type TakenOver } from './claim.ts';
import { carryOut } from './effects.ts';
import type { PartitionContext } from './partition-context.ts';

/** A batch on its way. Its context ends with the batch too. */
interface CurrentBatch {
  readonly batch: Batch;
  readonly context: PartitionContext;
  readonly chunks: BatchChunks;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

export class Pipeline {
  readonly #context: PartitionContext;
  readonly #step: typeof step;
  readonly #cache: ChunkCache;
  readonly #quarantineLog: QuarantineLog;
  #machine: Machine;
  #current: CurrentBatch | null = null;
  /** What the writes that were not sent write, oldest first. */
  #taken: FoldWrites[] = [];
  #idle: NodeJS.Timeout | undefined;
  #leaving: (() => void)[] = [];
  readonly #quick: { readonly [E in QuickEffect as E['do']]: (effect: E) => void } = {
    'keep turn': () => this.#context.turns.keep(this.claim.partition),
    'end turn': () => this.#context.turns.end(this.claim.partition),
    'watch idle': () => {
      clearTimeout(this.#idle);
      const { idleMsMax } = this.#context.sharing;
      this.#idle = setTimeout(() => this.#input({ is: 'idle too long' }), idleMsMax);
    },
    'unwatch idle': () => clearTimeout(this.#idle),
    'clear cache': () => {
      this.#taken = [];
      this.#cache.clear();
    },
    'evict rows': () => this.#cache.evictRows(),
    take: effect => this.#taken.push(this.#take(effect)),
    'report loss': ({ error }) => {
      const { partition, next } = this.claim;
      this.#context.logger.warn({ partition, next }, error.message);
    },
    left: ({ error }) => {
      // The next owner finds the checkpoint where it was.
      if (error) this.#context.logger.debug({ err: error }, 'The last chunk was not applied');
      this.#context.cacheSizes?.delete(this.#cache);
      for (const resolve of this.#leaving.splice(0)) resolve();
    },
    answer: ({ outcome }) => this.#endBatch().resolve(outcome),
    reject: ({ error }) => this.#endBatch().reject(error),
  };

  /** @param decide the machine; another one for tests */
  constructor(context: PartitionContext, { claim, end }: TakenOver, decide = step) {
    this.#context = context;
    this.#step = decide;
    this.#cache = createChunkCache(context.cacheSizes);
    this.#quarantineLog = createQuarantineLog(context.logger);
    this.#machine = newMachine(claim, end, context.sharing);
  }

  /** Everything below its `next` is folded. */
  get claim(): Claim {
    return this.#machine.claim;
  }

  get phase(): Phase {
    return phaseOf(this.#machine);
  }

  /** Whether the store has confirmed everything that is folded. */
  get isConfirmed(): boolean {
    return this.phase === 'idle' && this.#machine.writes.every(one => one.outcome === 'stored');
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
    return turns.begin(partition, signal, heartbeat).then(() => turns.keep(partition));
  }

  /**
   * Applies the due part of a batch and returns the offset to go on from. While the generation is paused it waits for the
   * resume, and the log hands the same records over again.
   */
  apply(batch: Batch): Promise<Outcome> {
    const { from, to, bounds, records, signal, heartbeat } = batch;
    const context = { ...this.#context, signal, heartbeat };
    const chunks = new BatchChunks(context.store, batch, context.limits);
    return new Promise((resolve, reject) => {
      this.#current = { batch, context, chunks, resolve, reject };
      const isLarge = records.length > context.sharing.liveMax;
      this.#input({ is: 'batch', range: { from, to, end: bounds.end }, isLarge });
    });
  }

  /** Applies nothing more: the log is damaged. Every process learns why from the checkpoint. */
  async halt(reason: string): Promise<void> {
    if (this.phase === 'halted') return;
    this.#input({ is: 'halt' });
    await halt(this.#context, this.claim, reason);
  }

  /** Ends the open transaction, and resolves when no commit is under way. */
  leave(): Promise<void> {
    return new Promise(resolve => {
      this.#leaving.push(resolve);
      this.#input({ is: 'leave' });
    });
  }

  #input(report: Report): void {
    const { signal } = this.#current?.context ?? this.#context;
    const turn = this.#context.turns.of(this.claim.partition);
    const seen = { nowMs: performance.now(), isStopped: signal.aborted, turn };
    const [machine, effects] = this.#step(this.#machine, { ...report, seen });
    this.#machine = machine;
    for (const effect of effects) this.#carryOut(effect);
  }

  #carryOut(effect: MachineEffect): void {
    const quick: Readonly<Record<string, ((effect: never) => void) | undefined>> = this.#quick;
    const run = quick[effect.do];
    if (run) run(effect as never);
    else this.#begin(effect as SlowEffect);
  }

  /** Begins an effect that takes time; what comes of it is the next input. */
  #begin(effect: SlowEffect): void {
    const context = this.#current?.context ?? this.#context;
    const { failures, claim } = this.#machine;
    const writes = effect.do === 'send' ? this.#taken.shift() : undefined;
    const own = { cache: this.#cache, quarantineLog: this.#quarantineLog, given: this.#current };
    carryOut(effect, { context, claim, failures, writes, ...own })
      .then(
        report => this.#input(report),
        error => this.#input({ is: FAILED[effect.do] ?? 'failed', error }),
      )
      .catch(error => this.#endBatch().reject(error));
  }

  get #batch(): CurrentBatch {
    if (!this.#current) throw new Error('Expected a batch, got none');
    return this.#current;
  }

  #endBatch(): CurrentBatch {
    const given = this.#batch;
    this.#current = null;
    return given;
  }

  #take({ what }: QuickEffect & { do: 'take' }): FoldWrites {
    if (what === 'rest') return takeRest(this.#cache);
    const { folded } = this.#batch.chunks;
    return what === 'rows' ? takeRows(this.#cache, folded) : takeWrites(this.#cache, folded);
  }
}

const FAILED: { readonly [E in SlowEffect['do']]?: 'fold failed' | 'write failed' } = {
  fold: 'fold failed',
  send: 'write failed',
};
