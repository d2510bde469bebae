// Commands that fail at random, while chunks share transactions and while each is folded on top of one that commits: the
// documents of a random history are those of one that nothing disturbed.
import type { ExecutionContext } from 'ava';
import { SHARING_LIMITS, type SharingLimits } from '../../src/projector/machine/machine-state.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom } from '../histories/random.ts';
import type { UsedFailingMongo } from './failing-mongo.ts';
import { FAILURES, type HandOptions, handWhileFailing } from './hand-while-failing.ts';
import { harmedScene, PATIENT_LIMITS, undisturbed } from './sharing-scene.ts';
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

/** While chunks share transactions. */
export async function failsAtRandom(
  t: ExecutionContext,
  mongo: UsedFailingMongo,
  { seed, size = SMALL }: { readonly seed: number; readonly size?: Size },
): Promise<void> {
  const { events, budgets, sharing } = size;
  const trouble = { disorderShare: 2 / events, duplicateShare: 0.01, invalidShare: 2 / events };
  const { back, shared } = await leavesNoTrace(t, mongo, {
    history: { seed, events, budgets, spaces: 4, users: 4, ...trouble },
    sharing,
    failures: [commitRefused, writeConflict, findRefused, connectionClosed, commitUnconfirmed],
    chance: 0.7,
    batch: [sharing.liveMax + 1, 1.4 * sharing.liveMax],
  });
  t.true(back > 0, 'no write failed after its batch');
  t.true(shared > 1, 'no transaction was shared');
}

/** While chunks are folded on top of the one that commits. */
export async function commitsFail(
  t: ExecutionContext,
  mongo: UsedFailingMongo,
  seed: number,
): Promise<void> {
  const trouble = { disorderShare: 0.01, duplicateShare: 0.02, invalidShare: 0.002 };
  const { back } = await leavesNoTrace(t, mongo, {
    history: { seed, events: 700, budgets: 5, spaces: 2, users: 2, ...trouble },
    sharing: SHARING_LIMITS,
    failures: [commitRefused, writeConflict, findRefused, commitUnconfirmed],
    chance: 0.5,
    batch: [1, 40],
  });
  t.true(back > 0, 'no commit failed while the next chunk was folded');
}

interface Trial extends Pick<HandOptions, 'failures' | 'chance' | 'batch'> {
  readonly history: Parameters<typeof randomHistory>[0];
  readonly sharing: SharingLimits;
}

async function leavesNoTrace(
  t: ExecutionContext,
  mongo: UsedFailingMongo,
  { history, sharing, ...how }: Trial,
): Promise<{ back: number; shared: number }> {
  const events = eventsOf(randomHistory(history));
  const scene = await harmedScene(mongo, events, { sharing });
  const random = createRandom(history.seed);
  const handed = await handWhileFailing(scene, mongo, { records: events.length, random, ...how });
  t.deepEqual(await dump(scene.store), await undisturbed(mongo, events));
  return handed;
}
