// Work beside the chunks of a process: big changes written as shadow sets, and sets that nothing points to swept.
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

/** How soon a big change is begun that another process found. */
const POLL_MS = 500;

export interface ShadowSetRunner {
  /** Id of the session in which it commits. */
  readonly session: CommitSession['id'];
  /** Begins, or goes on with, the big change of a stream. */
  start(subject: string): void;
  /** Goes on with what a former owner of the partition left. */
  takeOver(partition: number): Promise<void>;
  /** Sweeps what is marked. */
  sweep(): void;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
}

export interface ShadowOptions {
  /** Opens a line of work: transactions of big changes run beside those of chunks. */
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
  let line: Promise<void> = Promise.resolve();

  // One after the other: they share a session, and the database has chunks to write as well.
  function enqueue(name: string, work: () => Promise<void>): void {
    if (running.has(name) || signal.aborted) return;
    line = line.then(work).catch(error => {
      if (!signal.aborted) logger.error({ err: error }, `Work beside the chunks failed: ${name}`);
    });
    running.set(
      name,
      line.finally(() => running.delete(name)),
    );
  }

  const runner: ShadowSetRunner = {
    session: store.session.id,
    start(subject) {
      enqueue(subject, async () => {
        await whileResumed(pauseContext, () => change(store, subject, options));
      });
    },
    async takeOver(partition) {
      const take = () => takeOverShadowSets(store.collections.asides, partition, owner);
      for (const subject of await retried(take, { logger, signal })) runner.start(subject);
    },
    sweep() {
      sweeps += 1;
      const work = () => sweep(store.collections, signal);
      enqueue(`sweep ${sweeps}`, () => retried(work, { logger, signal }));
    },
    async idle() {
      await Promise.all(running.values());
    },
  };
  // Also those that begin elsewhere: when a queue is drained, here or by an operator.
  const poll = setInterval(() => {
    void ownShadowSets(store.collections.asides, owner)
      .then(subjects => subjects.forEach(runner.start))
      .catch(error => logger.warn({ err: error }, 'Could not look for big changes'));
  }, POLL_MS);
  poll.unref();
  signal.addEventListener('abort', () => clearInterval(poll), { once: true });
  return runner;
}

async function change(
  store: ProjectorStore,
  subject: string,
  { owner, limits, logger, signal }: ShadowOptions,
): Promise<void> {
  logger.info({ stream: subject }, 'Big change begun: its stream is held');
  for (;;) {
    const ran = await retried(() => writeShadowSet(store, subject, owner, signal), {
      logger,
      signal,
    });
    if (ran === 'parked') {
      // Its queue waits for an operator: drained, it would begin with the same big change again.
      logger.warn({ stream: subject }, 'Big change is invalid: its stream is parked');
      break;
    }
    const head = await drain({ store, limits, logger, signal }, subject);
    if (ran === 'left') break;
    logger.info({ stream: subject, sequence: head?.sequence }, 'Big change done');
    if (head?.held?.why !== 'change') break;
  }
  await retried(() => sweep(store.collections, signal), { logger, signal });
}
