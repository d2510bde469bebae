// Chunks that are folded while the one before commits, on a server whose commands fail at random.
import type { ExecutionContext } from 'ava';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import type { UsedFailingMongo } from './failing-mongo.ts';
import { FAILURES, handWhileFailing } from './hand-while-failing.ts';
import { createPartitionScene, type PartitionScene, type SceneOptions } from './partition-scene.ts';
import { dump } from './test-store.ts';

/** Returns a partition of a projector whose commands may fail. */
export async function harmedScene(
  mongo: UsedFailingMongo,
  events: readonly object[],
  options: SceneOptions = {},
): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('overlap'), {
    client: mongo.harmed,
    ...options,
  });
  scene.eventLog.add(...events);
  return scene;
}

/** Returns the documents of a projector that nothing disturbs. */
export async function undisturbed(
  mongo: UsedFailingMongo,
  events: readonly object[],
): Promise<string[]> {
  const scene = await createPartitionScene(mongo.database('overlap'));
  await scene.tell(...events);
  return dump(scene.store);
}

const { commitRefused, writeConflict, findRefused, commitUnconfirmed } = FAILURES;

/** Fails random commands while a random history is projected: the documents are those of an undisturbed projector. */
export async function commitsFail(
  t: ExecutionContext,
  mongo: UsedFailingMongo,
  seed: number,
): Promise<void> {
  const options = { seed, events: 700, budgets: 5, spaces: 2, users: 2 };
  const trouble = { disorderShare: 0.01, duplicateShare: 0.02, invalidShare: 0.002 };
  const events = eventsOf(randomHistory({ ...options, ...trouble }));
  const scene = await harmedScene(mongo, events);
  const { back } = await handWhileFailing(scene, mongo, {
    records: events.length,
    random: createRandom(seed),
    failures: [commitRefused, writeConflict, findRefused, commitUnconfirmed],
    chance: 0.5,
    batch: [1, 40],
  });
  t.true(back > 0, 'no commit failed while the next chunk was folded');
  t.deepEqual(await dump(scene.store), await undisturbed(mongo, events));
}
