// A replay into the whole read model, in proportion to plain inserts of the resulting rows: events per second, and
// processor time per event of all processes that take part.
import type { Collection } from 'mongodb';
import { generationCollections } from '../../../src/store/collections.ts';
import { ROW_INDEXES, type StoredRow } from '../../../src/store/row-codec.ts';
import type { BenchFigure } from '../bench.ts';
import type { Measured } from '../measured.ts';
import type { Mongod } from '../mongod.ts';
import { processorSeconds } from '../processor-time.ts';
import { generationOf } from '../progress.ts';
import { createHistory, partsOf, processorTimeOf, type Replayed, replay } from '../replay.ts';
import { recordsIn } from '../topic.ts';

const ROWS_PER_INSERT = 1000;
const GOALS =
  Number.parseInt(process.versions.node, 10) >= 24
    ? { ratio: 0.6, microseconds: 90 }
    : { ratio: 0.5, microseconds: 110 };

export const replayFigure: BenchFigure = {
  name: 'replay',
  async measure(bench) {
    const { replayEvents: events, replayRounds } = bench.sizes;
    const topic = await createHistory(bench, { events });
    const total = recordsIn(topic);
    const mongod = await bench.mongod();
    const replays: Replayed[] = [];
    const inserts: Inserted[] = [];
    for (let round = 0; round < replayRounds; round += 1) {
      replays.push(await replay(mongod, topic));
      inserts.push(await insertAgain(mongod));
    }
    await topic.close();
    await mongod.stop();
    const against = 'insertMany of the same rows';
    const rate: Measured = {
      what: `Replay of ${total} events, until all indexes stand`,
      against,
      unit: 'per s',
      rounds: {
        subject: replays.map(({ seconds }) => total / seconds),
        baseline: inserts.map(({ perSecond }) => perSecond),
      },
      goal: { ratio: { atLeast: GOALS.ratio } },
    };
    const processorTime: Measured = {
      what: `Replay's processor time per event: ${partsOf(replays)}`,
      against: `${against}, both sides`,
      unit: 'µs',
      rounds: {
        subject: replays.map(processorTimeOf),
        baseline: inserts.map(({ microseconds }) => microseconds),
      },
      goal: { value: { atMost: GOALS.microseconds } },
    };
    return [rate, processorTime];
  },
};

interface Inserted {
  readonly perSecond: number;
  /** Processor time per row, of this process and of mongod. */
  readonly microseconds: number;
}

/** Inserts the rows of the read model into a new collection that has their indexes from the start. */
async function insertAgain({ client, pid }: Mongod): Promise<Inserted> {
  const database = client.db('budgeting');
  const { rows } = generationCollections(database, (await generationOf(database)) ?? '');
  const copy: Collection<StoredRow> = database.collection('copy');
  await copy.createIndexes([...ROW_INDEXES]);
  let inserted = 0;
  let ms = 0;
  let processor = 0;
  const taken = async () => {
    const { user, system } = process.cpuUsage();
    return (await processorSeconds(pid)) + (user + system) / 1e6;
  };
  const insert = async (batch: StoredRow[]) => {
    const before = await taken();
    const startedAt = performance.now();
    await copy.insertMany(batch);
    ms += performance.now() - startedAt;
    processor += (await taken()) - before;
    inserted += batch.length;
  };
  let batch: StoredRow[] = [];
  // In natural order, as the replay wrote them.
  for await (const row of rows.find().batchSize(ROWS_PER_INSERT)) {
    if (batch.push(row) < ROWS_PER_INSERT) continue;
    await insert(batch);
    batch = [];
  }
  if (batch.length > 0) await insert(batch);
  await copy.drop();
  return { perSecond: inserted / (ms / 1000), microseconds: (processor * 1e6) / inserted };
}
