// The time from the append of an event until it is readable, at 500 events a second.
import { PARTITIONS_DEFAULT } from '../../../src/event-log/kafka/topic.ts';
import { percentile } from '../arithmetic.ts';
import { BARE_DATABASE } from '../bare-data.ts';
import type { Bench, BenchFigure } from '../bench.ts';
import { stream } from '../history.ts';
import { alternate, type Measured } from '../measured.ts';
import { runBare } from '../processes.ts';
import { headsName } from '../progress.ts';
import { createTopic, type Topic } from '../topic.ts';
import { type Sender, waits } from '../traffic.ts';
import { type Watch, watchPositions } from '../watch.ts';
import { createWorld, positionOf } from '../world.ts';

const BUDGETS = 20;
const WARM_UP_MS = 2000;

export const liveFigure: BenchFigure = {
  name: 'live',
  async measure(bench) {
    return [
      await appendToReadable(bench, {
        what: 'Append to readable at 500 events/s, 99th percentile',
        partitions: PARTITIONS_DEFAULT,
        atMost: 1.5,
      }),
      await appendToReadable(bench, {
        what: 'The same with one partition',
        partitions: 1,
        atMost: 2,
      }),
    ];
  },
};

interface LivePlan {
  readonly what: string;
  readonly partitions: number;
  /** The goal. */
  readonly atMost: number;
}

async function appendToReadable(
  bench: Bench,
  { what, partitions, atMost }: LivePlan,
): Promise<Measured> {
  const world = await createWorld(bench, partitions);
  const ids = Array.from({ length: BUDGETS }, (_, index) => `live-${index}`);
  for (const id of ids) await world.budget(id, 100);
  const { client } = world.database;
  const bareTopic = await createTopic(await bench.kafka(), partitions);
  const env = { ...world.env, EVENTS_TOPIC: bareTopic.name };
  const consumer = runBare('consumer', env);
  await consumer.line(/^Bare/);
  const bare = client.db(BARE_DATABASE);
  for (const name of ['events', 'positions', 'checkpoints']) await bare.createCollection(name);
  const watches = {
    bare: await watchPositions(bare, 'positions'),
    world: await watchPositions(world.database, await headsName(world.database)),
  };
  const bareStreams = new Map(ids.map(id => [id, stream(id)]));
  const streams = new Map<string, Sender>();
  for (const id of ids) streams.set(id, stream(id, (await positionOf(world, id)) + 1));
  const { liveSeconds } = bench.sizes;
  const measure = (topic: Topic, senders: Map<string, Sender>, watch: Watch) => async () => {
    const target = { topic, senders, watch };
    await waits({ ...target, ms: WARM_UP_MS });
    return percentile(await waits({ ...target, ms: liveSeconds * 1000 }), 99);
  };
  const rounds = await alternate(
    3,
    measure(bareTopic, bareStreams, watches.bare),
    measure(world.topic, streams, watches.world),
  );
  await watches.bare.close();
  await watches.world.close();
  await consumer.stop();
  await bareTopic.close();
  await world.stop();
  return {
    what,
    against: 'bare consumer, one transaction',
    unit: 'ms',
    rounds,
    goal: { ratio: { atMost } },
  };
}
