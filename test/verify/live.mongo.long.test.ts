// Verification of a live system finds no difference while events arrive, queues are drained, shadow sets are swapped
// in, budgets are deleted and rebuilt, and operators act.
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../src/process/errors.ts';
import { listHeld, retryHeld, skipHeld } from '../../src/projector/operate/parked.ts';
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { StaleError } from '../../src/store/database-errors.ts';
import { verify } from '../../src/verify/verify.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { createRandom, type Random } from '../histories/random.ts';
import { type RunningSystem, startSystem } from '../system/running-system.ts';
import { PATIENT_PAUSES_MS } from './patient-pauses.ts';

const never = new AbortController().signal;
const LIMITS = { rowsMax: 40 };

const mongo = useMongo(test);

for (const seed of [61, 62]) {
  test(`verification under load finds no difference (seed ${seed})`, async t => {
    const system = await startSystem(mongo, { recordsMax: 40, ...LIMITS });
    t.teardown(() => system.stop());
    const random = createRandom(seed);
    const sizes = { events: 1200, budgets: 12, spaces: 2, users: 4 };
    const shares = { invalidShare: 0.01, disorderShare: 0.03, duplicateShare: 0.03 };
    const events = eventsOf(randomHistory({ seed, ...sizes, ...shares }));
    let isAppended = false;
    const telling = tell(system, events, random).finally(() => {
      isAppended = true;
    });
    const operators = [1, 2].map(number =>
      operate(system, createRandom(1000 * seed + number), () => isAppended),
    );
    const working = Promise.all([telling, ...operators]);
    // After a failure the log is closed while events are appended.
    working.catch(() => {});
    const requests = [
      { stream: null, sample: null },
      { stream: null, sample: 6 },
      { stream: 'budget-1', sample: null },
    ];
    let runs = 0;
    do {
      const request = requests[runs % requests.length] ?? requests[0];
      // Small passes, so that each reads another moment.
      const passEventsMax = runs % 2 === 0 ? 150 : 100_000;
      const source = { ...system.source, passEventsMax, pausesMs: PATIENT_PAUSES_MS };
      // A verification that stands still fails by itself, as a projector does.
      const signal = AbortSignal.timeout(500_000);
      const report = await verify(source, request as (typeof requests)[0], { signal });
      t.deepEqual([report.named, report.damage], [[], []], `run ${runs}`);
      runs += 1;
    } while (!isAppended || runs < requests.length);
    await working;
    await system.projected();
    const source = { ...system.source, pausesMs: PATIENT_PAUSES_MS };
    const report = await verify(source, { stream: null, sample: null }, { signal: never });
    t.deepEqual(report.named, []);
    t.true(report.streams >= 14);
  });
}

/** Appends events a few at a time, while an operator acts. */
async function tell(
  system: RunningSystem,
  events: readonly { subject: string }[],
  random: Random,
): Promise<void> {
  for (let from = 0; from < events.length; ) {
    const to = from + random.between(10, 60);
    await system.append(events.slice(from, to));
    from = to;
    await act(system, system.store, random);
  }
}

/** What another operator does at the same time. */
async function operate(
  system: RunningSystem,
  random: Random,
  isAppended: () => boolean,
): Promise<void> {
  const store = system.openStore();
  while (!isAppended()) {
    await act(system, store, random);
    await sleep(random.between(1, 400));
  }
}

async function act(system: RunningSystem, store: ProjectorStore, random: Random): Promise<void> {
  for (const { id, held } of await listHeld(store)) {
    const isGap = held?.why === 'gap';
    if (held?.why === 'change' || !random.chance(isGap ? 0.02 : 0.2)) continue;
    const skip = { missing: isGap, limits: LIMITS, now: new Date() };
    await (random.chance(0.3) ? retryHeld(store, id, LIMITS) : skipHeld(store, id, skip)).catch(
      refused,
    );
  }
  if (random.chance(0.1)) {
    const budget = `budget-${random.between(1, 12)}`;
    const { eventLog } = system.source;
    const options = { eventLog, limits: LIMITS, now: new Date(), signal: never };
    await rebuildStream(store, budget, options).catch(refused);
  }
}

/** The projector or another operator may be faster; any other error is none that an operator should see. */
function refused(error: unknown): void {
  if (!(error instanceof UserError) && !(error instanceof StaleError)) throw error;
}
