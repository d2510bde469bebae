// Writes that fail at random while chunks share transactions.
import type { ExecutionContext } from 'ava';
import { SHARING_LIMITS, type SharingLimits } from '../../src/projector/machine/sharing-limits.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import type { UsedFailingMongo } from './failing-mongo.ts';
import { FAILURES, handWhileFailing } from './hand-while-failing.ts';
import { PATIENT_LIMITS, sharingIn } from './sharing-scene.ts';
import { dump } from './test-store.ts';

const { commitRefused, writeConflict, findRefused, connectionClosed, commitUnconfirmed } = FAILURES;

interface Size {
  readonly events: number;
  readonly budgets: number;
  readonly sharing: SharingLimits;
}

const SMALL: Size = { events: 900, budgets: 6, sharing: PATIENT_LIMITS };
/** With the limits of production. */
export const FULL: Size = {
  events: 9000,
  budgets: 40,
  sharing: { ...PATIENT_LIMITS, liveMax: SHARING_LIMITS.liveMax },
};

/** A random history leaves the documents of one that nothing disturbed. */
export async function failsAtRandom(
  t: ExecutionContext,
  mongo: UsedFailingMongo,
  { seed, size = SMALL }: { readonly seed: number; readonly size?: Size },
): Promise<void> {
  const { sceneOf, undisturbed } = sharingIn(mongo);
  const { events: count, budgets, sharing } = size;
  const options = { seed, events: count, budgets, spaces: 4, users: 4 };
  const trouble = { disorderShare: 2 / count, duplicateShare: 0.01, invalidShare: 2 / count };
  const events = eventsOf(randomHistory({ ...options, ...trouble }));
  const scene = await sceneOf(events, { sharing });
  const { back, shared } = await handWhileFailing(scene, mongo, {
    records: events.length,
    random: createRandom(seed),
    failures: [commitRefused, writeConflict, findRefused, connectionClosed, commitUnconfirmed],
    chance: 0.7,
    batch: [sharing.liveMax + 1, 1.4 * sharing.liveMax],
  });
  t.true(back > 0, 'no write failed after its batch');
  t.true(shared > 1, 'no transaction was shared');
  t.deepEqual(await dump(scene.store), await undisturbed(events));
}
