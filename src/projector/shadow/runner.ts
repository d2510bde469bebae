// Background tasks of a process beside its chunks: big changes are written as shadow sets, unused document sets swept.
import type { Log } from '../../log.ts';
import type { CommitSession } from '../../read-store/commit.ts';
import { retried } from '../../read-store/retry.ts';
import { ownShadowSets, takeOverShadowSets } from '../../read-store/shadow-sets.ts';
import { sweep } from '../../read-store/sweep.ts';
import type { ChunkLimits } from '../partition/fold-deliveries.ts';
import { whileResumed } from '../pause.ts';
import { drain } from '../queue/drain.ts';
import type { ProjectorStore } from '../store.ts';
import { writeShadowSet } from './write-shadow-set.ts';

/** Interval of looking for shadow sets that another process, or a drained queue, began for this owner. */
const POLL_MS = 500;

export interface ShadowSetRunner {
  /** Id of the session in which the runner commits. */
  readonly session: CommitSession['id'];
  /** Begins or continues the big change of a stream. */
  start(subject: string): void;
  /** Continues the shadow sets that a former owner of the partition left. */
  takeOver(partition: number): Promise<void>;
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
  readonly logger: Log;
  readonly signal: AbortSignal;
}

export function createShadowSetRunner(options: ShadowOptions): ShadowSetRunner {
  const { openStore, owner, logger, signal } = options;
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

  const runner: ShadowSetRunner = {
    session: store.session.id,
    start(subject) {
      enqueue(subject, async () => {
        await whileResumed(pauseContext, () => writeBigChange(store, subject, options));
      });
    },
    async takeOver(partition) {
      const take = () => takeOverShadowSets(store.collections.shadowSets, partition, owner);
      for (const subject of await retried(take, { logger, signal })) runner.start(subject);
    },
    sweep() {
      sweeps += 1;
      const sweepMarked = () => sweep(store.collections, signal);
      enqueue(`sweep ${sweeps}`, () => retried(sweepMarked, { logger, signal }));
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
  // Drained queues begin shadow sets too, in this process or in an operator's command.
  const poll = setInterval(() => {
    void ownShadowSets(store.collections.shadowSets, owner)
      .then(subjects => subjects.forEach(runner.start))
      .catch(error => logger.warn({ err: error }, 'Could not look for big changes'));
  }, POLL_MS);
  poll.unref();
  signal.addEventListener('abort', () => clearInterval(poll), { once: true });
  return runner;
}

async function writeBigChange(
  store: ProjectorStore,
  subject: string,
  { owner, limits, logger, signal }: ShadowOptions,
): Promise<void> {
  logger.info({ stream: subject }, 'Big change begun: its stream is held');
  for (;;) {
    const write = () => writeShadowSet(store, subject, { owner, signal });
    const outcome = await retried(write, { logger, signal });
    if (outcome === 'parked') {
      // The queue waits for an operator: a drain would begin with the same big change again.
      logger.warn({ stream: subject }, 'Big change is invalid: its stream is parked');
      break;
    }
    const head = await drain({ store, limits, logger, signal }, subject);
    if (outcome === 'left') break;
    logger.info({ stream: subject, sequence: head?.sequence }, 'Big change done');
    if (head?.held?.why !== 'change') break;
  }
  await retried(() => sweep(store.collections, signal), { logger, signal });
}
