// Builds, feeds, promotes and drops the generations of one version. Several processes may do so at once, because every
// change of the registry is a compare-and-set and every partition has one owner.
import { randomUUID } from 'node:crypto';
import { messageOf } from '../process/describe-error.ts';
import { delay, unlessAborted, waitAtMost } from '../process/waiting.ts';
import { runProjector } from '../projector/projector.ts';
import { createCollections } from '../store/collections.ts';
import { fedBy, isBuild, isSame, withBuild, withoutOutdated } from '../store/generation-plan.ts';
import {
  changeRegistry,
  dropLeftovers,
  type GenerationRecord,
  LINEARIZABLE,
  type Registry,
  readRegistry,
} from '../store/registry.ts';
import { retried } from '../store/retry.ts';
import { claimsOf } from '../store/writing/checkpoints.ts';
import { failBuild, noteWait } from './build-record.ts';
import { createBuildWatch, describeUnfed, isUnfed, STALL_MS } from './build-watch.ts';
import type { GenerationsContext } from './generations-context.ts';
import { keepIndexes } from './indexes.ts';
import { type PromoteOptions, promote, watchBuild } from './promote.ts';

/** A projector under way. */
interface Running {
  readonly generation: GenerationRecord;
  readonly stopping: AbortController;
  readonly done: Promise<void>;
}

const POLL_MS = 500;
/** A verification that ends gives its lease back: the supervisor waits so long for that. */
const LEASE_MS_MAX = 2000;

/** Runs until the signal aborts. Rejects when the projector of the active or retired generation cannot go on. */
export async function runGenerations(
  context: GenerationsContext,
  signal: AbortSignal,
): Promise<void> {
  const { logger } = context;
  const running = new Map<string, Running>();
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  const fail = (reason: unknown) => failing.abort(reason);
  const unfed = new Set<string>();
  const projectors = { running, unfed, signal: ending, fail };
  const watch = createBuildWatch(context.stallMs);
  let tending: Promise<void> = Promise.resolve();
  try {
    let knownIds: readonly string[] | null = null;
    let isIdle = false;
    while (!signal.aborted) {
      const registry = await retried(() => planned(context), { logger, signal });
      await feed(context, registry, projectors);
      if (running.size === 0 && !isIdle) logger.info(idleMessage(registry, context.version));
      isIdle = running.size === 0;
      const ids = registry.generations.map(({ id }) => id);
      // Not before this process has stopped to feed them. The first round finds what killed processes left.
      if (knownIds === null || knownIds.some(id => !ids.includes(id))) await drop(context, signal);
      knownIds = ids;
      const options = { watch, unfed, signal: ending };
      tending = retried(() => tend(context, registry, options), { logger, signal: ending });
      await unlessAborted(tending, failing.signal);
      await delay(POLL_MS, ending);
      failing.signal.throwIfAborted();
    }
  } catch (error) {
    failing.signal.throwIfAborted();
    if (!signal.aborted) throw error;
    logger.debug({ err: error }, 'Given up, as the process is to stop');
  } finally {
    for (const { stopping } of running.values()) stopping.abort();
    const ended = [...running.values()].map(({ done }) => done);
    await Promise.all([...ended, waitAtMost(LEASE_MS_MAX, tending)]);
  }
}

/** A process that is of no use to anybody looks like one that works. */
function idleMessage({ generations }: Registry, own: number): string {
  const others = generations.map(
    ({ id, version, state }) => `${id} is ${state}, of version ${version}`,
  );
  return `This process feeds no generation: it has version ${own} of the projections, and ${others.join('; ') || 'there is none'}`;
}

/** Returns the registry, with a generation to build when one of this version is due. */
function planned({ database, version }: GenerationsContext): Promise<Registry> {
  return changeRegistry(database, (registry, now) => withBuild(registry, version, now));
}

async function drop({ database, logger }: GenerationsContext, signal: AbortSignal): Promise<void> {
  const dropped = await retried(() => dropLeftovers(database), { logger, signal });
  for (const generation of dropped) logger.info({ generation }, 'Generation dropped');
}

/** The projectors of this process. */
interface Projectors {
  /** By generation. */
  readonly running: Map<string, Running>;
  /** Generations whose projector has failed. */
  readonly unfed: Set<string>;
  readonly signal: AbortSignal;
  /** Ends the supervisor with an error. */
  readonly fail: (reason: unknown) => void;
}

/** Starts a projector for each generation to feed, and stops the others. */
async function feed(
  context: GenerationsContext,
  registry: Registry,
  projectors: Projectors,
): Promise<void> {
  const { running, unfed, signal } = projectors;
  const fed = fedBy(registry, context.version);
  for (const [id, { generation, stopping, done }] of running) {
    if (fed.some(one => isSame(one, generation))) continue;
    stopping.abort();
    await done;
    running.delete(id);
    unfed.delete(id);
  }
  for (const generation of fed) {
    const { id } = generation;
    if (running.has(id)) continue;
    await retried(() => createCollections(context.database, id), {
      logger: context.logger,
      signal,
    });
    const stopping = new AbortController();
    const ending = AbortSignal.any([signal, stopping.signal]);
    const done = runOne(context, generation, { ...projectors, signal: ending });
    running.set(id, { generation, stopping, done });
    // Not waited for: an index takes minutes to build.
    void keepIndexes(context, id, stopping.signal);
  }
}

/** Feeds a generation until the signal aborts; rejects never. */
async function runOne(
  context: GenerationsContext,
  generation: GenerationRecord,
  { unfed, fail, signal }: Omit<Projectors, 'running'>,
): Promise<void> {
  const { id } = generation;
  const { eventLog, logger, openStore, metrics } = context;
  const owner = randomUUID();
  const options = {
    openStore: () => openStore(id),
    eventLog,
    group: id,
    owner,
    logger: logger.child({ generation: id }),
    ...(metrics && { metrics: metrics(id) }),
  };
  try {
    await runProjector(options, signal);
  } catch (error) {
    unfed.add(id);
    const noted = () => noteFailure(context, { generation, owner, error }, { fail, signal });
    await retried(noted, { logger, signal }).catch(failure => signal.aborted || fail(failure));
  }
}

/** A projector that cannot go on. */
interface Failure {
  readonly generation: GenerationRecord;
  /** Its name in the checkpoints. */
  readonly owner: string;
  readonly error: unknown;
}

/**
 * A build fails alone, and only by a process that had a part of it, or when no process claims one: what fails here may be
 * this process's own, a right that it lacks, while others feed the build. The supervisor ends when the active or retired
 * generation fails, or a build that others made active.
 */
async function noteFailure(
  context: GenerationsContext,
  { generation, owner, error }: Failure,
  { fail, signal }: Pick<Projectors, 'fail' | 'signal'>,
): Promise<void> {
  const { id } = generation;
  const { database, logger, partsOf, version, stallMs = STALL_MS } = context;
  const unfedReason = describeUnfed(messageOf(error));
  let before = '';
  let movedAt = performance.now();
  let isReported = false;
  let isNoted = false;
  while (!signal.aborted) {
    const fed = fedBy(await readRegistry(database, LINEARIZABLE), version);
    const own = fed.find(one => isSame(one, generation));
    if (!own) return;
    if (!isBuild(own)) return fail(error);
    const claims = await claimsOf(partsOf(id).collections.checkpoints);
    const after = JSON.stringify(claims);
    const hasMoved = after !== before;
    before = after;
    if (hasMoved) movedAt = performance.now();
    const isStill = performance.now() - movedAt >= stallMs;
    const isOwn = claims.some(claim => claim.owner === owner);
    if (isOwn || (claims.length === 0 && isStill)) await failBuild(context, { id }, error);
    else if (!isReported) {
      logger.error({ generation: id, err: error }, 'This process does not feed the build');
      isReported = true;
    }
    // Who claimed its partitions may be gone.
    const isFormer = isUnfed(own.waitsFor) && !isNoted;
    if (isStill && (own.waitsFor === null || isFormer)) {
      await noteWait(context, { id }, unfedReason);
      isNoted = true;
    }
    if (hasMoved && own.waitsFor === unfedReason) await noteWait(context, { id }, null);
    await delay(POLL_MS, signal);
  }
}

/** Promotes builds that this process feeds, watches others, and takes outdated generations out of the registry. */
async function tend(
  context: GenerationsContext,
  registry: Registry,
  { watch, unfed, signal }: PromoteOptions & Pick<Projectors, 'unfed'>,
): Promise<void> {
  const { database, version, rollbackMs } = context;
  const builds = registry.generations.filter(isBuild);
  watch.keep(builds.map(({ id }) => id));
  for (const build of builds) {
    const isFed = build.version === version && !unfed.has(build.id);
    if (isFed) await promote(context, build, { watch, signal });
    else await watchBuild(context, build, { watch, signal });
  }
  // By the registry as it is now: an operator may have rolled back since the round began.
  await changeRegistry(database, (read, now) => withoutOutdated(read, now, rollbackMs));
}
