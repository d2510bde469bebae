// Writes that fail at random while chunks share transactions.
import type { ExecutionContext } from 'ava';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import type { UsedFailingMongo } from './failing-mongo.ts';
import { FAILURES, handWhileFailing } from './hand-while-failing.ts';
import { sharingIn } from './sharing-scene.ts';
import { dump } from './test-store.ts';

const { commitRefused, writeConflict, findRefused, connectionClosed, commitUnconfirmed } = FAILURES;

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
  const { back, shared } = await handWhileFailing(scene, mongo, {
    records: events.length,
    random: createRandom(seed),
    failures: [commitRefused, writeConflict, findRefused, connectionClosed, commitUnconfirmed],
    chance: 0.7,
    batch: [501, 700],
  });
  t.true(back > 0, 'no write failed after its batch');
  t.true(shared > 1, 'no transaction was shared');
  t.deepEqual(await dump(scene.store), await undisturbed(events));
}
