// Tends the generations of one version: builds, feeds, promotes and drops them. Several processes at once agree,
// because every change of the registry is a compare-and-set and every partition has one owner.
import { delay } from '../../delay.ts';
import {
  changeRegistry,
  createGeneration,
  dropGeneration,
  dropLeftovers,
  type Registry,
} from '../../read-store/registry.ts';
import { retried } from '../../read-store/retry.ts';
import { runProjector } from '../projector.ts';
import { type BuildWatch, createBuildWatch } from './build-watch.ts';
import type { GenerationsContext } from './context.ts';
import { fedBy, isBuild, outdated, withBuild, withOwnFailure, without } from './plan.ts';
import { promote, watchBuild } from './promote.ts';

interface Running {
  readonly stopping: AbortController;
  readonly done: Promise<void>;
}

const POLL_MS = 500;

/** Runs until the signal aborts. Rejects when the projector of the generation that answers cannot go on. */
export async function runGenerations(
  context: GenerationsContext,
  signal: AbortSignal,
): Promise<void> {
  const { logger } = context;
  const running = new Map<string, Running>();
  const failing = new AbortController();
  const failure = rejection(failing.signal);
  const watch = createBuildWatch(context.standstillMs);
  try {
    await retried(() => dropLeftovers(context.database), { logger, signal });
    while (!signal.aborted) {
      const registry = await retried(() => planned(context), { logger, signal });
      await feed(context, registry, running, signal, reason => failing.abort(reason));
      const tending = retried(() => tend(context, watch, registry, signal), { logger, signal });
      await Promise.race([tending, failure]);
      const pause = delay(POLL_MS, signal);
      await Promise.race([pause, failure]);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    logger.debug({ err: error }, 'Given up, as the process is to stop');
  } finally {
    for (const { stopping } of running.values()) stopping.abort();
    await Promise.all([...running.values()].map(({ done }) => done));
  }
}

/** Rejects with the signal's reason once it aborts. */
function rejection(signal: AbortSignal): Promise<never> {
  const rejected = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  rejected.catch(() => {});
  return rejected;
}

/** The registry, with a generation to build where this version is due to. */
async function planned({ database, version, now }: GenerationsContext): Promise<Registry> {
  const removed: string[] = [];
  const registry = await changeRegistry(database, read => {
    const changed = withBuild(read, version, now());
    removed.length = 0;
    if (changed) removed.push(...idsOf(read).filter(id => !idsOf(changed).includes(id)));
    return changed;
  });
  for (const id of removed) await dropGeneration(database, id);
  return registry;
}

function idsOf({ generations }: Registry): string[] {
  return generations.map(({ id }) => id);
}

async function feed(
  context: GenerationsContext,
  registry: Registry,
  running: Map<string, Running>,
  signal: AbortSignal,
  fail: (reason: unknown) => void,
): Promise<void> {
  const fed = fedBy(registry, context.version).map(({ id }) => id);
  for (const [id, { stopping, done }] of running) {
    if (fed.includes(id)) continue;
    stopping.abort();
    await done;
    running.delete(id);
    // An operator's rebuild may have dropped it while its projector still wrote.
    if (!idsOf(registry).includes(id)) await dropGeneration(context.database, id);
  }
  for (const id of fed) {
    if (running.has(id)) continue;
    await retried(() => createGeneration(context.database, id), { logger: context.logger, signal });
    const stopping = new AbortController();
    const done = runOne(context, id, stopping.signal).catch(error =>
      failed(context, id, error, fail),
    );
    running.set(id, { stopping, done });
  }
}

function runOne(context: GenerationsContext, id: string, signal: AbortSignal): Promise<void> {
  const { eventLog, logger, openStore, metrics } = context;
  const options = {
    openStore: () => openStore(id),
    eventLog,
    group: id,
    logger: logger.child({ generation: id }),
    ...(metrics && { metrics: metrics(id) }),
  };
  return runProjector(options, signal);
}

// A generation that is being built may fail by itself; without the one that answers nothing goes on.
async function failed(
  { database, logger, now }: GenerationsContext,
  id: string,
  error: unknown,
  fail: (reason: unknown) => void,
): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error);
  let byItself = false;
  const note = (registry: Registry) => {
    const state = registry.generations.find(generation => generation.id === id)?.state;
    // Another process that builds it may have met the same first, or it was given up and dropped.
    byItself = state !== 'active' && state !== 'retired';
    const isBuilt = state === 'building' || state === 'verifying';
    return isBuilt ? withOwnFailure(registry, id, reason, now()) : null;
  };
  await changeRegistry(database, note).catch(fail);
  if (!byItself) return fail(error);
  logger.error({ generation: id, err: error }, 'A generation could not be built');
}

async function tend(
  context: GenerationsContext,
  watch: BuildWatch,
  registry: Registry,
  signal: AbortSignal,
): Promise<void> {
  const { database, version, now, rollbackMs, logger } = context;
  const builds = registry.generations.filter(isBuild);
  watch.keep(builds.map(({ id }) => id));
  for (const build of builds) {
    if (build.version === version) await promote(context, watch, build, signal);
    else await watchBuild(context, watch, build);
  }
  for (const { id } of outdated(registry, now(), rollbackMs)) {
    // Out of the registry first: nobody may look there any more when its documents go.
    await changeRegistry(database, read => (read.active === id ? null : without(read, id)));
    await dropGeneration(database, id);
    logger.info({ generation: id }, 'Generation dropped');
  }
}
