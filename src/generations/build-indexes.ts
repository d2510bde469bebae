// Builds the row indexes that a build does without until it has caught up, and stores how far that is.
import { delay } from '../process/waiting.ts';
import { completeIndexes } from '../store/collections.ts';
import { indexPercent } from '../store/writing/index-progress.ts';
import { changeBuild } from './build-record.ts';
import type { GenerationsContext } from './generations-context.ts';
import type { Lease } from './verify-build.ts';

/** Interval of storing the progress. */
const PROGRESS_MS = 2000;

/** Until they stand, only the process that has the lease builds them; a killed one leaves them to the next. */
export async function buildIndexes(
  context: GenerationsContext,
  build: Pick<Lease, 'id' | 'lease'>,
): Promise<void> {
  const { id } = build;
  const startedAtMs = performance.now();
  const over = new AbortController();
  const progress = storeProgress(context, build, over.signal);
  try {
    await completeIndexes(context.partsOf(id).collections);
  } finally {
    over.abort();
    await progress;
  }
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
