// How often the log is asked whether a build has caught up.
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { requestBuild } from '../../src/generations/operate.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { never, supervised } from './supervised.ts';

const PARTITIONS = 2;
const ROUND_MS = 5000;
const BETWEEN_ROUNDS_MS = 500;

const mongo = useMongo(test);

/** A log that counts how often it is asked for the bounds of a partition. */
function counting(eventLog: EventLog) {
  const counts = { bounds: 0 };
  const bounds: EventLog['bounds'] = partition => {
    counts.bounds += 1;
    return eventLog.bounds(partition);
  };
  return { counts, eventLog: { ...eventLog, bounds } };
}

test('the log is asked once a round, however often the checkpoints are looked at', async t => {
  const system = await supervised(mongo);
  t.teardown(() => system.stop());
  const eventOf = eventMaker('budget-1');
  await system.append([eventOf(CREATED)]);
  system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  await system.stopDeployed();
  await requestBuild(system.readModel, 1);
  // It has no partition, so it asks for bounds only to promote the build.
  const { counts, eventLog } = counting(never(system));
  const startedAtMs = performance.now();
  system.deploy(1, { eventLog });
  while (counts.bounds < PARTITIONS) await sleep(50);
  await sleep(2000);
  const roundsOf = (ms: number) => Math.ceil((performance.now() - startedAtMs) / ms);
  t.true(counts.bounds <= PARTITIONS * roundsOf(ROUND_MS), `${counts.bounds} times`);
  system.deploy(1);
  await system.until(({ active }) => active === 'g2');
  t.true(counts.bounds <= PARTITIONS * roundsOf(BETWEEN_ROUNDS_MS), `${counts.bounds} times`);
});
