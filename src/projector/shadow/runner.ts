// Background tasks of a process beside its chunks: big changes are written as shadow sets, unused document sets swept.
// A process that holds a stream for work may be killed at any point, so the owner of the partition looks after all of
// them: it writes, gives up or drains what nobody else ends.
import type { Logger } from '../../process/log.ts';
import { backOffMs, retried } from '../../store/retry.ts';
import {
  adoptShadowSet,
  leasedSets,
  readShadowSet,
  streamsInWork,
} from '../../store/shadow-sets.ts';
import type { Claim } from '../../store/writing/checkpoints.ts';
import { type CommitSession, NO_WRITES } from '../../store/writing/commit.ts';
import { sweep } from '../../store/writing/sweep.ts';
import type { ChunkLimits } from '../fold/fold-deliveries.ts';
import { runUnpaused } from '../pause.ts';
import { drain } from '../queue/drain.ts';
import type { ProjectorStore } from '../store.ts';
import { type Duty, dutyOf, mayAdopt } from './duty.ts';
import { writeShadowSet } from './write-shadow-set.ts';

/** Interval of looking for streams that are held for work. */
const POLL_MS = 500;
/** A queue that stands still for this many looks is drained here: the process that began to apply it is gone. */
const STILL_LOOKS = 4;

export interface ShadowSetRunner {
  /** Ids of the sessions in which the runner commits. */
  readonly sessions: CommitSession['ids'];
  /** Begins or continues the big change of a stream. */
  start(subject: string): void;
  /** Looks after the streams of a partition under this claim, from now on. */
  claimed(claim: Pick<Claim, 'partition' | 'epoch'>): Promise<void>;
  released(partition: number): void;
  /** Deletes the documents of the sets that are marked as swept. */
  sweep(): void;
  /** Resolves when no task is under way. */
  idle(): Promise<void>;
}

export interface ShadowOptions {
  /** Opens a store with a session of its own: big changes are committed in parallel to chunks. */
  readonly openStore: () => ProjectorStore;
  readonly owner: string;
  readonly limits: ChunkLimits;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export function createShadowSetRunner(options: ShadowOptions): ShadowSetRunner {
  const { openStore, logger, signal } = options;
  const running = new Map<string, Promise<void>>();
  const store = openStore();
  const pauseContext = { collections: store.collections, logger, signal };
  let sweeps = 0;
  let lastTask: Promise<void> = Promise.resolve();

  // Tasks run one after another: they share a session, and leave the database room for chunks.
  function enqueue(name: string, task: () => Promise<void>): void {
    if (running.has(name) || signal.aborted) return;
    lastTask = lastTask.then(task).catch(error => {
      if (!signal.aborted) logger.error({ err: error }, `Work beside the chunks failed: ${name}`);
    });
    running.set(
      name,
      lastTask.finally(() => running.delete(name)),
    );
  }

  const work: Work = { ...options, store, claims: new Map() };
  const begin = (subject: string, duty: Duty): void =>
    enqueue(subject, async () => {
      await runUnpaused(pauseContext, () => doDuty(work, subject, duty));
    });

  /** How often each stream was seen as it is, of those whose queue somebody applies. */
  let still = new Map<string, number>();

  /** @param claimed a partition whose former owner is gone: its queues are drained at once */
  async function startDue(claimed?: number): Promise<void> {
    const before = still;
    still = new Map();
    const { collections } = store;
    for (const stream of await streamsInWork(collections, [...work.claims.keys()])) {
      const { subject, partition, sequence } = stream;
      const duty = dutyOf(stream.work);
      const key = `${subject}/${sequence}`;
      const seen = (before.get(key) ?? 0) + 1;
      if (duty === 'drain') still.set(key, seen);
      const isDue = duty !== 'drain' || partition === claimed || seen >= STILL_LOOKS;
      if (duty !== 'nothing' && isDue) begin(subject, duty);
    }
  }

  const runner: ShadowSetRunner = {
    sessions: store.session.ids,
    start: subject => begin(subject, 'write'),
    async claimed({ partition, epoch }) {
      work.claims.set(partition, epoch);
      await retried(() => startDue(partition), { logger, signal });
    },
    released: partition => void work.claims.delete(partition),
    sweep() {
      sweeps += 1;
      const sweepMarked = () => sweep(store.collections, signal);
      enqueue(`sweep ${sweeps}`, () => retried(sweepMarked, { logger, signal }));
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
  let failures = 0;
  let isLooking = false;
  let nextMs = 0;
  async function startNext(): Promise<void> {
    isLooking = true;
    try {
      await startDue();
      failures = 0;
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, 'Could not look for streams held for work');
      nextMs = performance.now() + backOffMs(failures);
      failures += 1;
    }
    isLooking = false;
  }
  const poll = setInterval(() => {
    if (!isLooking && performance.now() >= nextMs) void startNext();
  }, POLL_MS);
  poll.unref();
  signal.addEventListener('abort', () => clearInterval(poll), { once: true });
  return runner;
}

interface Work extends ShadowOptions {
  readonly store: ProjectorStore;
  /** The epochs of this process's claims, by partition. */
  readonly claims: Map<number, number>;
}

async function doDuty(work: Work, subject: string, duty: Duty): Promise<void> {
  const { store, limits, logger, signal } = work;
  if (duty === 'write') {
    await writeBigChange(work, subject);
  } else {
    const isEnded =
      duty === 'give up' && (await retried(() => endRebuild(store, subject), { logger, signal }));
    if (isEnded) logger.warn({ stream: subject }, 'A rebuild was killed: its stream goes on');
    await drain({ store, limits, logger, signal, workOnly: true }, subject);
  }
  await retried(() => sweep(store.collections, signal), { logger, signal });
}

/** Returns false when the rebuild has renewed its lease, or ended. */
async function endRebuild(
  { collections: { shadowSets }, session }: ProjectorStore,
  subject: string,
): Promise<boolean> {
  const from = await readShadowSet(shadowSets, subject);
  const [found] = await leasedSets(shadowSets, { _id: subject });
  if (from === null || !found || dutyOf(found) !== 'give up') return false;
  const shadowStep = { from, to: null, ifLapsed: true } as const;
  await session.commit({ ...NO_WRITES, swept: [from.set], shadowStep });
  return true;
}

async function writeBigChange(
  { store, owner, limits, logger, signal, claims }: Work,
  subject: string,
): Promise<void> {
  logger.info({ stream: subject }, 'Big change begun: its stream is held');
  for (;;) {
    const write = async () => {
      await adopt(store, subject, { owner, claims });
      return writeShadowSet(store, subject, { owner, signal });
    };
    const outcome = await retried(write, { logger, signal });
    if (outcome === 'parked') {
      logger.warn({ stream: subject }, 'Big change is invalid: its stream is parked');
      return;
    }
    // Only while it is held for work: of a parked stream, a drain would begin with the same big change again.
    const head = await drain({ store, limits, logger, signal, workOnly: true }, subject);
    if (outcome === 'left') return;
    logger.info({ stream: subject, sequence: head?.sequence }, 'Big change done');
    if (head?.held?.why !== 'change') return;
  }
}

/** Drained queues begin shadow sets too, in this process or in an operator's command, without a writer. */
async function adopt(
  { collections: { shadowSets } }: ProjectorStore,
  subject: string,
  { owner, claims }: Pick<Work, 'owner' | 'claims'>,
): Promise<void> {
  const [found] = await leasedSets(shadowSets, { _id: subject });
  const epoch = claims.get(found?.partition ?? -1);
  if (epoch === undefined || !mayAdopt(found?.epoch, epoch)) return;
  await adoptShadowSet(shadowSets, subject, { owner, epoch });
}
