// Indexes of generations: builds the row indexes that a build does without until it has caught up, and keeps the
// indexes of a generation that answers, or may answer again: without one, readers time out.
import { delay, unlessAborted } from '../process/waiting.ts';
import { completeIndexes, createCollections } from '../store/collections.ts';
import { isBuild } from '../store/generation-plan.ts';
import { readRegistry } from '../store/registry.ts';
import { indexPercent, missingIndexes } from '../store/writing/indexes.ts';
import { changeBuild } from './build-record.ts';
import type { GenerationsContext } from './generations-context.ts';
import type { Lease } from './verify-build.ts';

/** Interval of storing the progress. */
const PROGRESS_MS = 2000;

/**
 * Until they stand, only the process that has the lease builds them; a killed one, or one that is to stop, leaves them to
 * the next, while the database goes on.
 */
export async function buildIndexes(
  context: GenerationsContext,
  build: Pick<Lease, 'id' | 'lease' | 'signal'>,
): Promise<void> {
  const { id, signal } = build;
  const startedAtMs = performance.now();
  const over = new AbortController();
  const progress = storeProgress(context, build, over.signal);
  try {
    await unlessAborted(completeIndexes(context.partsOf(id).collections), signal);
  } finally {
    over.abort();
    await progress;
  }
  signal.throwIfAborted();
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  context.logger.info({ generation: id, seconds }, 'Indexes stand');
}

/** Where indexes stand already, nothing is stored. */
async function storeProgress(
  context: GenerationsContext,
  { id, lease }: Pick<Lease, 'id' | 'lease'>,
  over: AbortSignal,
): Promise<void> {
  await delay(PROGRESS_MS, over);
  if (over.aborted) return;
  const store = (indexing: { readonly percent: number | null } | null) =>
    changeBuild(context, { id, lease }, () => ({ indexing }));
  while (!over.aborted) {
    // The build itself reports an unreachable database.
    await indexPercent(context.database, id)
      .then(percent => store({ percent }))
      .catch(() => {});
    await delay(PROGRESS_MS, over);
  }
  await store(null).catch(() => {});
}

const CHECK_MS = 60_000;

/** Until the signal aborts, builds missing indexes again. Rejects never: whatever the reason is, the next check tries again. */
export async function keepIndexes(
  context: GenerationsContext,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { logger, indexCheckMs = CHECK_MS } = context;
  while (!signal.aborted) {
    await mendIndexes(context, id).catch(error => {
      if (signal.aborted) return;
      logger.warn({ generation: id, err: error }, 'Missing indexes could not be built');
    });
    await delay(indexCheckMs, signal);
  }
}

async function mendIndexes(
  { database, logger, partsOf }: GenerationsContext,
  id: string,
): Promise<void> {
  const isKept = async () => {
    const { generations } = await readRegistry(database);
    const own = generations.find(generation => generation.id === id);
    // A build gets its late indexes when it has caught up.
    return own !== undefined && !isBuild(own);
  };
  if (!(await isKept())) return;
  const { collections } = partsOf(id);
  const missing = await missingIndexes(collections);
  // Those of a generation that was dropped meanwhile are all missing.
  if (missing.length === 0 || !(await isKept())) return;
  logger.warn({ generation: id, missing }, 'Indexes are missing; they are built again');
  await createCollections(database, id);
  await completeIndexes(collections);
  logger.info({ generation: id }, 'Indexes stand');
}
