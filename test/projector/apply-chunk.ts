// Folds and commits a chunk in one call; a projector may overlap the two steps with other chunks.
import { type ChunkCache, createChunkCache } from '../../src/projector/fold/cache.ts';
import {
  type Applied,
  type Chunk,
  decodeChunk,
  foldChunk,
  takeWrites,
} from '../../src/projector/fold/chunk.ts';
import { type ChunkLimits, isBroken } from '../../src/projector/fold/fold-deliveries.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import type { Claim } from '../../src/store/writing/checkpoints.ts';

interface ApplyOptions {
  readonly claim: Claim;
  readonly limits: ChunkLimits;
  readonly cache?: ChunkCache;
}

/** Applies the records from the claim's `next` on, all or none. */
export async function applyChunk(
  store: ProjectorStore,
  chunk: Chunk,
  { claim, limits, cache = createChunkCache() }: ApplyOptions,
): Promise<Applied> {
  const options = { claim, limits, cache, broken: new Map() };
  const folded = await foldChunk(store, await decodeChunk(chunk, claim), options);
  if (isBroken(folded)) throw folded.errors[0];
  await store.session.commit(takeWrites(cache, folded));
  return folded.applied;
}
