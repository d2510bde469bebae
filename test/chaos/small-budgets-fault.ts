// Thousands of budgets of one event each: what a projector keeps in memory must not grow with the budgets that it touches.
import { setTimeout as sleep } from 'node:timers/promises';
import { partitionOf } from '../../src/event-log/partition-of.ts';
import { account, row } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { activeCollections } from './active-collections.ts';
import type { Fault } from './fault.ts';
import { messageOf } from './traffic.ts';

const BUDGETS = 5000;
/** A row changes documents of many kinds. */
const ROW = row('row', { accountId: 'only' });
const APPLIED_MS_MAX = 600_000;
/** Shorter than the session of a consumer group. */
const FROZEN_MS = 12_000;
const POLL_MS = 500;

export const SMALL_BUDGETS_FAULT: Fault = {
  name: `${BUDGETS} small budgets`,
  weight: 0.3,
  of: 'queue',
  isLong: true,
  async run({ traffic, partitions, client, fleet, budgeting, blame }, random) {
    const name = `small-${random.below(1e9)}`;
    // All in one partition, so that one projector has all of them.
    const ownPartition = random.below(partitions);
    const subjects = Array.from(
      { length: BUDGETS * partitions * 2 },
      (_, index) => `${name}-${index}`,
    )
      .filter(subject => partitionOf(subject, partitions) === ownPartition)
      .slice(0, BUDGETS);
    // One event each; the next ones when all of them are stored.
    for (const [index, draft] of [CREATED, account('only'), ROW].entries()) {
      const sequence = index + 1;
      const events = subjects.map(subject => eventMaker(subject)(draft, { sequence }));
      traffic.inject(events.map(event => messageOf(event.subject, event, partitions)));
      // Afterwards they read many at once.
      const freeze = () => sleep(FROZEN_MS);
      await Promise.all(fleet.free().map(one => fleet.alone(one, () => one.freeze(freeze))));
      const ids = { $gte: name, $lt: `${name}.` };
      const applied = async () =>
        (await activeCollections(client)).heads.countDocuments({ _id: ids, sequence });
      const deadline = Date.now() + APPLIED_MS_MAX;
      while ((await applied().catch(() => 0)) < BUDGETS) {
        if (Date.now() > deadline) return blame(`event ${sequence} of ${name} is not applied`);
        await sleep(POLL_MS);
      }
    }
    // A rebuild reads them in the largest chunks.
    await budgeting('rebuild');
  },
};
