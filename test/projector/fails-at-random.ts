// Writes that fail at random while chunks share transactions.
import type { ExecutionContext } from 'ava';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import type { UsedFailingMongo } from './failing-mongo.ts';
import { hand, pipelineOf } from './hand-over.ts';
import { sharingIn } from './sharing-scene.ts';
import { dump } from './test-store.ts';

const HOW = [
  { commands: ['commitTransaction'], how: { errorCode: 10107 } },
  {
    commands: ['insert', 'update'],
    how: { errorCode: 112, errorLabels: ['TransientTransactionError'] },
  },
  { commands: ['find'], how: { errorCode: 10107 } },
  { commands: ['insert'], how: { closeConnection: true } },
  {
    commands: ['commitTransaction'],
    how: { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } },
  },
];

/** A random history leaves the documents of one that nothing disturbed. */
export async function failsAtRandom(
  t: ExecutionContext,
  mongo: UsedFailingMongo,
  seed: number,
): Promise<void> {
  const { sceneOf, undisturbed } = sharingIn(mongo);
  const options = { seed, events: 9000, budgets: 40, spaces: 4, users: 4 };
  const trouble = { disorderShare: 0.0002, duplicateShare: 0.01, invalidShare: 0.0002 };
  const events = eventsOf(randomHistory({ ...options, ...trouble }));
  const scene = await sceneOf(events);
  const pipeline = await pipelineOf(scene);
  const random = createRandom(seed);
  let [back, shared] = [0, 0];
  for (let next = 0; next < events.length; ) {
    const { commands, how } = random.pick(HOW);
    if (random.chance(0.7)) await mongo.fail(random.between(1, 3), commands, how);
    const outcome = await hand(pipeline, scene, { from: next, count: random.between(501, 700) });
    if (typeof outcome !== 'number') return t.fail(`got ${outcome} at ${next}`);
    if (outcome < next) back += 1;
    if (pipeline.phase === 'sharing') shared += 1;
    next = outcome;
  }
  await mongo.heal();
  // A sweep that failed is tried again with the next one.
  scene.context.shadowSets.sweep();
  await scene.context.shadowSets.idle();
  t.true(back > 0, 'no write failed after its batch');
  t.true(shared > 1, 'no transaction was shared');
  t.deepEqual(await dump(scene.store), await undisturbed(events));
}
