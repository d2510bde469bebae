// What a verification of a scene finds.
import { completeIndexes } from '../../src/store/collections.ts';
import type { Difference } from '../../src/verify/difference.ts';
import type { VerifySource } from '../../src/verify/source.ts';
import { verify } from '../../src/verify/verify.ts';
import type { PartitionScene } from './partition-scene.ts';

/** Returns the differences of a scene; the indexes of readers belong to what is verified. */
export async function differencesIn({
  db,
  store,
  eventLog,
}: Pick<PartitionScene, 'db' | 'store'> & Pick<VerifySource, 'eventLog'>): Promise<
  readonly Difference[]
> {
  await completeIndexes(store.collections);
  const source = { database: db, generation: 'g1', store, eventLog };
  const { signal } = new AbortController();
  return (await verify(source, { stream: null, sample: null }, { signal })).named;
}
