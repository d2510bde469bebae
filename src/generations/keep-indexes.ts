// Keeps the indexes of a generation that answers, or may answer again: without one, readers time out.
import { delay } from '../process/waiting.ts';
import { completeIndexes, createCollections } from '../store/collections.ts';
import { isBuild } from '../store/generation-plan.ts';
import { readRegistry } from '../store/registry.ts';
import { missingIndexes } from '../store/writing/missing-indexes.ts';
import type { GenerationsContext } from './generations-context.ts';

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
  const { generations } = await readRegistry(database);
  const own = generations.find(generation => generation.id === id);
  // A build gets its late indexes when it has caught up.
  if (!own || isBuild(own)) return;
  const { collections } = partsOf(id);
  const missing = await missingIndexes(collections);
  if (missing.length === 0) return;
  logger.warn({ generation: id, missing }, 'Indexes are missing; they are built again');
  await createCollections(database, id);
  await completeIndexes(collections);
  logger.info({ generation: id }, 'Indexes stand');
}
