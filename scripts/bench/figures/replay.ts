// Events per second in a replay into the whole read model, in proportion to plain inserts of the resulting rows.
import type { Collection, Db } from 'mongodb';
import { generationCollections } from '../../../src/read-store/collections.ts';
import { ROW_INDEXES, type StoredRow } from '../../../src/read-store/row-codec.ts';
import type { Figure } from '../bench.ts';
import type { Measured } from '../measured.ts';
import { generationOf } from '../progress.ts';
import { createHistory, replay } from '../replay.ts';

const ROWS_PER_INSERT = 1000;

export const replaying: Figure = {
  name: 'replay',
  async measure(bench) {
    const { replayEvents: events, replayRounds } = bench.sizes;
    const topic = await createHistory(bench, { events });
    const total = topic.ends.reduce((sum, end) => sum + end, 0);
    const mongod = await bench.mongod();
    const rounds = { subject: [] as number[], baseline: [] as number[] };
    for (let round = 0; round < replayRounds; round += 1) {
      rounds.subject.push(total / (await replay(mongod, topic)).seconds);
      rounds.baseline.push(await insertAgain(mongod.client.db('budgeting')));
    }
    await topic.close();
    await mongod.stop();
    const measured: Measured = {
      what: `Replay of ${total} events`,
      against: 'insertMany of the same rows',
      unit: 'per s',
      rounds,
      goal: { ratio: { atLeast: 0.6 } },
    };
    return [measured];
  },
};

/** Inserts the rows of the read model into a new collection with the same indexes, and returns rows per second. */
async function insertAgain(database: Db): Promise<number> {
  const { rows } = generationCollections(database, (await generationOf(database)) ?? '');
  const copy: Collection<StoredRow> = database.collection('copy');
  await copy.createIndexes([...ROW_INDEXES]);
  let inserted = 0;
  let ms = 0;
  const insert = async (batch: StoredRow[]) => {
    const startedAt = performance.now();
    await copy.insertMany(batch);
    ms += performance.now() - startedAt;
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
  return inserted / (ms / 1000);
}
