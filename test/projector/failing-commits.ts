// Chunks that are folded while the one before commits, on a server whose commands fail at random.
import type { ExecutionContext } from 'ava';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import type { UsedFailingMongo } from './failing-mongo.ts';
import { hand, pipelineOf } from './hand-over.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

/** Returns a partition of a projector whose commands may fail. */
export async function harmedScene(
  mongo: UsedFailingMongo,
  events: readonly object[],
): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('overlap'), { client: mongo.harmed });
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

const HOW = [
  { commands: ['commitTransaction'], how: { errorCode: 10107 } },
  {
    commands: ['insert', 'update'],
    how: { errorCode: 112, errorLabels: ['TransientTransactionError'] },
  },
  { commands: ['find'], how: { errorCode: 10107 } },
  {
    commands: ['commitTransaction'],
    how: { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
  },
];

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
  const pipeline = await pipelineOf(scene);
  const random = createRandom(seed);
  let back = 0;
  for (let next = 0; next < events.length; ) {
    const { commands, how } = random.pick(HOW);
    if (random.chance(0.5)) await mongo.fail(random.between(1, 3), commands, how);
    const outcome = await hand(pipeline, scene, { from: next, count: random.between(1, 40) });
    if (typeof outcome !== 'number') return t.fail(`got ${outcome} at ${next}`);
    if (outcome < next) back += 1;
    next = outcome;
  }
  await mongo.heal();
  // A sweep that failed is tried again with the next one.
  scene.context.shadowSets.sweep();
  await scene.context.shadowSets.idle();
  t.true(back > 0, 'no commit failed while the next chunk was folded');
  t.deepEqual(await dump(scene.store), await undisturbed(mongo, events));
}
