// A simulated projector of one partition: the product's own claim, pipeline, fold and drain over the simulated store.
import type { Batch, EventLog, LogRecord } from '../../src/event-log/event-log.ts';
import type { Logger } from '../../src/process/log.ts';
import { step } from '../../src/projector/machine/machine.ts';
import type { SharingLimits } from '../../src/projector/machine/machine-state.ts';
import { takeOver } from '../../src/projector/partition/claim.ts';
import type { PartitionContext } from '../../src/projector/partition/partition-context.ts';
import { Pipeline } from '../../src/projector/partition/pipeline.ts';
import { drain } from '../../src/projector/queue/drain.ts';
import type { ShadowSetRunner } from '../../src/projector/shadow/runner.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { createTurns } from '../../src/projector/turns.ts';
import { isTransient } from '../../src/store/database-errors.ts';
import { retried } from '../../src/store/retry.ts';
import { NO_WRITES } from '../../src/store/writing/commit.ts';
import {
  type CommitGroup,
  createCommitGroup,
  joined,
} from '../../src/store/writing/commit-group.ts';
import { plantedStep } from './planted.ts';
import { simCollections, simSession } from './sim-collections.ts';
import { type Life, sessionsOf, type World } from './world.ts';

/** Small, so that short logs reach every bound. */
const SHARING: SharingLimits = {
  liveMax: 1,
  partsMax: 3,
  recordsMax: 20,
  streamsMax: 4,
  documentsMax: 60,
  ageMsMax: 20_000,
  idleMsMax: 1000,
};
const LIMITS = { rowsMax: 2, declaredMax: 40 };
const ANY = { rowsMax: 1e9 };
/** Partitions beside the simulated one. */
export const NEIGHBOURS = [1, 2];

const quiet = () => {};
const logger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  fatal: quiet,
} as unknown as Logger;

export class Process implements Life {
  readonly number: number;
  isAlive = true;
  isDone = false;
  /** It has applied the log up to its end. */
  isAtEnd = false;
  readonly #world: World;
  readonly #records: readonly LogRecord[];
  readonly #stopping = new AbortController();
  readonly #revoking = new AbortController();
  /** The log is asked again for this offset, and goes on above it once more. */
  #holeAt: number | null = null;

  constructor(number: number, world: World, records: readonly LogRecord[]) {
    this.number = number;
    this.#world = world;
    this.#records = records;
  }

  /** The partition is taken away; the batch under way ends first. */
  revoke(): void {
    this.#revoking.abort();
  }

  /** Projects until the end of the log, or until the partition is lost, halted or revoked. */
  async run(): Promise<void> {
    const context = this.#context();
    try {
      const taken = await takeOver(context, 0);
      if (!taken) return;
      const decide = plantedStep(step, this.#world.faults);
      const pipeline = new Pipeline(context, taken, decide);
      this.isAtEnd = await this.#deliver(pipeline, taken.claim.next);
      await pipeline.leave();
      await context.shadowSets.idle();
    } catch (error) {
      // Once its partition is taken away, a process gives up instead of trying again.
      if (!this.#revoking.signal.aborted || !isTransient(error)) throw error;
    } finally {
      this.isDone = true;
    }
  }

  async #deliver(pipeline: Pipeline, from: number): Promise<boolean> {
    const { random } = this.#world;
    const { signal } = this.#revoking;
    for (let next = from; next < this.#records.length && !signal.aborted; ) {
      if (random.chance(0.3)) await pipeline.ready({ signal, heartbeat: async () => {} });
      const outcome = await pipeline.apply(this.#batch(next));
      if (pipeline.phase === 'sharing') this.#world.reach('shared transactions');
      if (outcome === 'lost') this.#world.reach('fences');
      if (outcome === 'halt') this.#world.reach('halts');
      if (typeof outcome === 'string') return false;
      if (outcome < next) this.#world.reach('steps back');
      next = outcome;
      if (random.chance(0.05)) await new Promise<void>(resolve => setTimeout(resolve, 1500));
    }
    return !signal.aborted;
  }

  /** Batches begin too early or, rarely, above a hole. */
  #batch(next: number): Batch {
    const { random } = this.#world;
    const { length } = this.#records;
    let from = next;
    if (random.chance(0.1)) from = Math.max(0, next - random.between(1, 3));
    else if (next === this.#holeAt || random.chance(0.02)) from = Math.min(length - 1, next + 1);
    this.#holeAt = from > next && random.chance(0.5) ? next : null;
    const to = Math.min(length, Math.max(from, next) + random.between(1, 5));
    const records = this.#records.slice(from, to);
    const bounds = { start: 0, end: length };
    const { signal } = this.#revoking;
    return { partition: 0, from, to, records, bounds, heartbeat: async () => {}, signal };
  }

  #store(session: number): ProjectorStore {
    const world = this.#world;
    const op = world.opsOf(this, session);
    return {
      collections: simCollections(world.store, op),
      decisions: { load: async () => () => false, remember: async () => {} },
      session: simSession(world.store, {
        id: session,
        op,
        faults: world.faults,
        reach: what => world.reach(what),
        fail: error => world.fail(error),
      }),
    };
  }

  #context(): PartitionContext {
    const [own, beside, grouped] = sessionsOf(this);
    const store = this.#store(own);
    const group = createCommitGroup(this.#store(grouped).session);
    for (const partition of NEIGHBOURS) void this.#commitBeside(partition, group);
    return {
      store: { ...store, session: joined(store.session, group) },
      eventLog: logOf(this.#records),
      owner: `process-${this.number}`,
      limits: LIMITS,
      logger,
      signal: this.#stopping.signal,
      turns: createTurns(),
      sharing: SHARING,
      shadowSets: this.#shadowSets(beside),
    };
  }

  /** Another partition of this process: its chunks share transactions with those of the simulated one, or are refused. */
  async #commitBeside(partition: number, group: CommitGroup): Promise<void> {
    const { random, store } = this.#world;
    if (random.chance(0.7)) return;
    for (let left = random.between(1, 6); left > 0 && !this.isDone; left -= 1) {
      const from = Number(store.documents('checkpoints').get(partition)?.next);
      const epoch = random.chance(0.2) ? 1 : 0;
      const step = { partition, epoch, from, to: from + 1, fingerprints: [] };
      const committing = group.commit({ ...NO_WRITES, checkpoints: [step] }, random.chance(0.1));
      await committing.catch(quiet);
    }
  }

  /** Big changes are written at once: only how they begin and end is of interest here. */
  #shadowSets(session: number): ShadowSetRunner {
    const store = this.#store(session);
    const { signal } = this.#stopping;
    const world = this.#world;
    const op = world.opsOf(this, session);
    const fail = (error: unknown) => {
      if (this.isAlive) world.fail(error);
    };
    let writing: Promise<unknown> = Promise.resolve();
    const write = async (subject: string) => {
      this.#world.reach('big changes');
      const remove = () => this.#world.store.remove('shadowSets', subject);
      await retried(() => op('write', remove), { logger, signal });
      await drain({ store, limits: ANY, logger, signal, workOnly: true }, subject);
    };
    // The product looks for streams that are held for work at intervals.
    const drainDue = async () => {
      const { heads } = store.collections;
      const find = () => heads.find({ 'held.why': 'change' }).toArray();
      for (const { _id } of await retried(find, { logger, signal })) await write(_id);
    };
    return {
      sessions: [session as never],
      start(subject) {
        writing = writing.then(() => write(subject)).catch(fail);
      },
      claimed: drainDue,
      released: quiet,
      sweep: quiet,
      async idle() {
        await writing;
        await drainDue();
      },
    };
  }
}

function logOf(records: readonly LogRecord[]): EventLog {
  const refuse = () => Promise.reject(new Error('The simulated log is only read'));
  return {
    name: 'the simulated log',
    partitions: async () => 1,
    settingsProblem: async () => null,
    bounds: async () => ({ start: 0, end: records.length }),
    async *scan({ from, to }) {
      yield records.slice(from, to);
    },
    append: refuse,
    subscribe: refuse,
    close: async () => {},
  };
}
