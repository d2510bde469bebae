// A rebuild beside live traffic: how much later live events become readable, and how much longer readers answer.
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { PARTITIONS_DEFAULT } from '../../../src/event-log/kafka/topic.ts';
import { abandonBuild, requestBuild } from '../../../src/generations/operate.ts';
import { generationCollections } from '../../../src/store/collections.ts';
import { readRegistry } from '../../../src/store/registry.ts';
import { median, percentile } from '../arithmetic.ts';
import type { Bench } from '../bench.ts';
import { stream } from '../history.ts';
import { pacedLatencies, type ReaderRequest } from '../load.ts';
import type { Measured } from '../measured.ts';
import { headsName, until } from '../progress.ts';
import { histories } from '../replay.ts';
import { type Traffic, waits } from '../traffic.ts';
import { watchPositions } from '../watch.ts';
import { createWorld, positionOf, untilDay, type World } from '../world.ts';

const BUDGETS = 20;
const ROUNDS = 3;
const WARM_UP_MS = 2000;
const READ_EVERY_MS = 20;
const PAGE = '/transactions?budget_id=thousand&limit=100';

/** Milliseconds of one period of live traffic. */
interface Period {
  readonly live: number;
  readonly page: number;
  readonly small: number;
}

export const rebuildFigure = {
  name: 'rebuild',
  async measure(bench: Bench): Promise<readonly Measured[]> {
    const world = await createWorld(bench, PARTITIONS_DEFAULT);
    const { rebuiltEvents, liveSeconds } = bench.sizes;
    bench.report(`Applying ${rebuiltEvents} events`);
    await world.apply(histories(rebuiltEvents, bench.sizes.replayBudgets));
    const ids = Array.from({ length: BUDGETS }, (_, index) => `live-${index}`);
    for (const id of ids) await world.budget(id, 100);
    await world.budget('thousand', 1000);
    const senders = new Map<string, ReturnType<typeof stream>>();
    for (const id of ids) senders.set(id, stream(id, (await positionOf(world, id)) + 1));
    const watch = await watchPositions(world.database, await headsName(world.database));
    const traffic = { topic: world.topic, senders, watch };
    const measure = async () => {
      await waits({ ...traffic, ms: WARM_UP_MS });
      return await period(world, { ...traffic, ms: liveSeconds * 1000 });
    };
    const before: Period[] = [];
    const beside: Period[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      before.push(await measure());
      await beginBuild(world);
      beside.push(await measure());
      await endBuild(world);
      bench.report(`Round ${round + 1} of ${ROUNDS} is measured`);
    }
    await watch.close();
    await world.stop();
    const compared = (what: keyof Period) => ({
      subject: beside.map(one => one[what]),
      baseline: before.map(one => one[what]),
    });
    const against = 'the same without a rebuild';
    const readers = { against, unit: 'ms', goal: { ratio: { atMost: 1.3 } } };
    return [
      {
        what: 'Append to readable beside a rebuild, 99th percentile',
        against,
        unit: 'ms',
        rounds: compared('live'),
        goal: { ratio: { atMost: 2 } },
      },
      { ...readers, what: 'Page of 100 rows beside a rebuild', rounds: compared('page') },
      { ...readers, what: 'GET /accounts beside a rebuild', rounds: compared('small') },
    ];
  },
};

/** Reads while live events arrive. */
async function period(world: World, traffic: Traffic): Promise<Period> {
  const { ms } = traffic;
  const read = async (asked: ReaderRequest) =>
    median(await pacedLatencies(asked, READ_EVERY_MS, ms));
  const [live, page, small] = await Promise.all([
    waits(traffic),
    read(world.newQuestions(count => PAGE + untilDay(count))),
    read(world.asked('/accounts?budget_id=thousand')),
  ]);
  return { live: percentile(live, 99), page, small };
}

/** Requests a build, and waits until it applies events. */
async function beginBuild({ database }: World): Promise<void> {
  const { id } = await requestBuild(database, PROJECTIONS_VERSION);
  const { checkpoints } = generationCollections(database, id);
  await until(async () => (await checkpoints.countDocuments({ next: { $gt: 0 } })) > 0);
}

/** Gives the build up, which must not be over, and waits until nothing is left of it. */
async function endBuild({ database }: World): Promise<void> {
  const { build } = await abandonBuild(database);
  if (build.state !== 'building') {
    throw new Error(`Expected a build that goes on, got one that is ${build.state}`);
  }
  const left = async () => (await readRegistry(database)).generations.length;
  await until(async () => (await left()) === 1);
}
