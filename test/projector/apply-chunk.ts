// A chunk folded and committed at once, as a projector does in two steps that may overlap with other chunks.
import { type Applied, type Chunk, foldChunk } from '../../src/projector/apply-chunk.ts';
import { type Carried, createCarried } from '../../src/projector/carried.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import type { WorkLimits } from '../../src/projector/work.ts';
import type { Claim } from '../../src/read-store/checkpoints.ts';

/** Applies records from the claim's `next` on, all or none. */
export async function applyChunk(
  store: ProjectorStore,
  claim: Claim,
  chunk: Chunk,
  limits: WorkLimits,
  carried: Carried = createCarried(),
): Promise<Applied> {
  const folded = await foldChunk(store, claim, chunk, limits, carried);
  carried.keep(folded.heads);
  await store.session.commit(folded.writes);
  return folded.applied;
}
