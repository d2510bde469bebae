// Streams: the time from the append of an event until a stream tells its position, against the time until it is readable;
// and what 2,000 open streams cost a reader at rest.
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCESS_DATABASE } from '../../../src/access/connect.ts';
import { createTokenStore } from '../../../src/access/tokens.ts';
import { PARTITIONS_DEFAULT } from '../../../src/event-log/kafka/topic.ts';
import { percentile } from '../arithmetic.ts';
import type { Bench, BenchFigure } from '../bench.ts';
import { stream } from '../history.ts';
import { alternate, type Measured } from '../measured.ts';
import type { Running } from '../processes.ts';
import { headsName } from '../progress.ts';
import { type OpenStream, openStream, watchStream } from '../streams.ts';
import { type Sender, waits } from '../traffic.ts';
import { type Watch, watchPositions } from '../watch.ts';
import { BENCH_USER, createWorld, positionOf, type World } from '../world.ts';

const BUDGETS = 20;
const WARM_UP_MS = 2000;
const STREAMS = 2000;
/** As many as a token may have. */
const OF_TOKEN = 5;
const TOKENS_IN_PARALLEL = 10;
/** Two comments of each stream, and six checks of all tokens. */
const REST_MS = 30_000;

export const streamsFigure: BenchFigure = {
  name: 'streams',
  async measure(bench) {
    const world = await createWorld(bench, PARTITIONS_DEFAULT);
    const ids = Array.from({ length: BUDGETS }, (_, index) => `live-${index}`);
    for (const id of ids) await world.budget(id, 100);
    const measured = [await appendToNotified(bench, world, ids), ...(await atRest(world))];
    await world.stop();
    return measured;
  },
};

async function appendToNotified(
  bench: Bench,
  world: World,
  ids: readonly string[],
): Promise<Measured> {
  const senders = new Map<string, Sender>();
  for (const id of ids) senders.set(id, stream(id, (await positionOf(world, id)) + 1));
  const readable = await watchPositions(world.database, await headsName(world.database));
  const notified = await watchStream(world.asked('/events'));
  const measure = (watch: Watch) => async () => {
    const target = { topic: world.topic, senders, watch };
    await waits({ ...target, ms: WARM_UP_MS });
    return percentile(await waits({ ...target, ms: bench.sizes.liveSeconds * 1000 }), 99);
  };
  const rounds = await alternate(3, measure(readable), measure(notified));
  await readable.close();
  await notified.close();
  return {
    what: 'Append to told by a stream at 500 events/s, 99th percentile',
    against: 'append to readable',
    unit: 'ms',
    rounds,
    goal: { ratio: { atMost: 1.2 } },
  };
}

async function atRest(world: World): Promise<Measured[]> {
  const { reader, origin } = await world.serve();
  await sleep(REST_MS);
  const before = await restOf(reader);
  const open = await openAll(world, `${origin}/api/v1/events`);
  await sleep(REST_MS);
  const after = await restOf(reader);
  for (const one of open) one.close();
  await reader.stop();
  return [
    {
      what: `Reader's peak memory above that without streams, ${STREAMS} open`,
      against: 'without streams',
      unit: 'MB',
      rounds: { subject: [after.megabytes - before.megabytes], baseline: [before.megabytes] },
      goal: { value: { atMost: 150 } },
    },
    {
      what: `Reader's processor at rest, ${STREAMS} open streams`,
      against: 'without streams',
      unit: '% of a core',
      rounds: { subject: [after.percent], baseline: [before.percent] },
      goal: { value: { atMost: 3 } },
    },
  ];
}

async function restOf(reader: Running): Promise<{ megabytes: number; percent: number }> {
  const fromSeconds = await reader.processorSeconds();
  const fromMs = performance.now();
  await sleep(REST_MS);
  const seconds = (await reader.processorSeconds()) - fromSeconds;
  const percent = (seconds * 100_000) / (performance.now() - fromMs);
  return { megabytes: await reader.peakMegabytes(), percent };
}

async function openAll({ database }: World, url: string): Promise<OpenStream[]> {
  const tokens = createTokenStore(database.client.db(ACCESS_DATABASE));
  const open: OpenStream[] = [];
  while (open.length < STREAMS) {
    const issuing = Array.from({ length: TOKENS_IN_PARALLEL }, () =>
      tokens.issue({ owner: BENCH_USER }, new Date()),
    );
    const asked = (await Promise.all(issuing)).flatMap(({ token }) =>
      Array.from({ length: OF_TOKEN }, () => ({
        url,
        headers: { Authorization: `Bearer ${token}` },
      })),
    );
    open.push(...(await Promise.all(asked.map(one => openStream(one)))));
  }
  return open;
}
