// Folds and commits a chunk in one call; a projector may overlap the two steps with other chunks.
import { type ChunkCache, createChunkCache } from '../../src/projector/partition/cache.ts';
import {
  type Applied,
  type Chunk,
  foldChunk,
  takeWrites,
} from '../../src/projector/partition/chunk.ts';
import type { ChunkLimits } from '../../src/projector/partition/fold-deliveries.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import type { Claim } from '../../src/read-store/checkpoints.ts';

/** Applies the records from the claim's `next` on, all or none. */
export async function applyChunk(
  store: ProjectorStore,
  claim: Claim,
  chunk: Chunk,
  limits: ChunkLimits,
  cache: ChunkCache = createChunkCache(),
): Promise<Applied> {
  const folded = await foldChunk(store, chunk, { claim, limits, cache });
  await store.session.commit(takeWrites(cache, folded));
  return folded.applied;
}
