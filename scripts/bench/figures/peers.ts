// The rate of a replay and its processor time, in proportion to other ways from the same topic into the same MongoDB.
import type { Db } from 'mongodb';
import { BARE_DATABASE } from '../bare-data.ts';
import type { Bench, BenchFigure } from '../bench.ts';
import { fetchKafkaStreams, runKafkaStreams } from '../kafka-streams.ts';
import type { Goal, Measured } from '../measured.ts';
import type { Mongod } from '../mongod.ts';
import { runBare } from '../processes.ts';
import { until } from '../progress.ts';
import {
  createHistory,
  measureReplay,
  partsOf,
  processorTimeOf,
  type Replayed,
  replay,
} from '../replay.ts';
import { fetchSink, runSink } from '../sink.ts';
import { environmentOf, recordsIn, type Topic } from '../topic.ts';

interface Peer {
  readonly name: string;
  readonly goal: Goal;
  /** Replays into an empty database. */
  measure(database: Db): Promise<Replayed>;
  readonly topic: Topic;
}

const EVENTS = 'events';

export const peersFigure: BenchFigure = {
  name: 'peers',
  async measure(bench) {
    const { replayEvents: events, replayRounds } = bench.sizes;
    const topic = await createHistory(bench, { events });
    const few = await createFew(bench);
    const mongod = await bench.mongod();
    const all = await openPeers(bench, mongod, { topic, few });
    const ours: Replayed[] = [];
    const compared = all.map(peer => ({ ...peer, theirs: [] as Replayed[] }));
    for (let round = 0; round < replayRounds; round += 1) {
      ours.push(await replay(mongod, topic));
      for (const { measure, theirs } of compared) {
        const database = mongod.client.db(BARE_DATABASE);
        theirs.push(await measure(database));
        await database.dropDatabase();
      }
    }
    await mongod.stop();
    await topic.close();
    await few.close();
    return compared.flatMap(({ name, goal, topic: their, theirs }): Measured[] => [
      {
        what: `Replay of ${recordsIn(topic)} events`,
        against: name,
        unit: 'events/s',
        rounds: {
          subject: ours.map(({ seconds }) => recordsIn(topic) / seconds),
          baseline: theirs.map(({ seconds }) => recordsIn(their) / seconds),
        },
        goal,
      },
      {
        what: `Replay's processor time per event: ${partsOf(ours)}`,
        against: `${name}: ${partsOf(theirs)}`,
        unit: 'µs',
        rounds: { subject: ours.map(processorTimeOf), baseline: theirs.map(processorTimeOf) },
        goal: {},
      },
    ]);
  },
};

/** Returns a topic for the slow peer: fewer budgets, each with as many events as those of the other topic. */
function createFew(bench: Bench): Promise<Topic> {
  const { replayEvents, replayBudgets, handWrittenEvents: events } = bench.sizes;
  const budgets = Math.max(1, Math.round((replayBudgets * events) / replayEvents));
  return createHistory(bench, { events, budgets });
}

async function openPeers(
  bench: Bench,
  mongod: Mongod,
  { topic, few }: { readonly topic: Topic; readonly few: Topic },
): Promise<Peer[]> {
  const found: Peer[] = [
    {
      name: 'hand-written projector, a transaction an event',
      goal: { ratio: { atLeast: 50 } },
      topic: few,
      measure: database => measureBare('hand-written', { mongod, database, topic: few }),
    },
    {
      name: 'careful projector, a transaction for 500 events',
      goal: { ratio: { atLeast: 2 } },
      topic,
      measure: database => measureBare('careful', { mongod, database, topic }),
    },
  ];
  for (const { name, fetch, measure } of IN_JAVA) {
    const jars = await fetch(bench.report);
    if (jars === null) continue;
    found.push({
      name,
      goal: {},
      topic,
      measure: database => measure(jars, { mongod, database, topic }),
    });
  }
  return found;
}

interface Target {
  readonly mongod: Mongod;
  readonly database: Db;
  readonly topic: Topic;
}

/** They are left out where their libraries cannot be fetched. */
const IN_JAVA = [
  { name: 'Kafka Streams, a count by key', fetch: fetchKafkaStreams, measure: measureStreams },
  {
    name: "MongoDB's sink connector, unchanged events",
    fetch: fetchSink,
    measure: measureSink,
  },
];

function measureBare(program: string, { mongod, database, topic }: Target): Promise<Replayed> {
  const env = environmentOf(mongod, topic);
  return measureReplay(mongod, topic, {
    start: async () => [runBare(program, env)],
    isDone: async () => (await appliedByBare(database)) >= recordsIn(topic),
  });
}

async function appliedByBare(database: Db): Promise<number> {
  const sum = { $group: { _id: null, applied: { $sum: '$sequence' } } };
  const found = database.collection('streams').aggregate<{ applied: number }>([sum]);
  return (await found.next())?.applied ?? 0;
}

/** Measures from the first stored event on: Kafka Connect needs seconds to start. */
async function measureSink(jars: string, { mongod, database, topic }: Target): Promise<Replayed> {
  const target = { mongodbUrl: mongod.url, database: database.databaseName, collection: EVENTS };
  const running = await runSink(jars, topic, target);
  const stored = () => database.collection(EVENTS).estimatedDocumentCount();
  await Promise.race([until(async () => (await stored()) > 0), running.ended]);
  return await measureReplay(mongod, topic, {
    start: async () => [running],
    isDone: async () => (await stored()) >= recordsIn(topic),
  });
}

/** Measures from the first event on: the program is compiled at its start, and its threads share the partitions out. */
async function measureStreams(jars: string, { mongod, topic }: Target): Promise<Replayed> {
  const running = await runKafkaStreams(jars, topic);
  let isCounted = false;
  running.line(/^Counted$/).then(
    () => {
      isCounted = true;
    },
    // `measureReplay` notices that the process has ended.
    () => {},
  );
  return await measureReplay(mongod, topic, {
    start: async () => [running],
    isDone: async () => isCounted,
  });
}
