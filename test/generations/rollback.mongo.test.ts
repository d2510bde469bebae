// A rollback while the active generation is written to, and while commands of the database fail.
import { once } from 'node:events';
import type { CommandFailedEvent, Db } from 'mongodb';
import { requestBuild, rollBack } from '../../src/generations/operate.ts';
import { createCollections, generationCollections } from '../../src/store/collections.ts';
import { switched, withNew, without } from '../../src/store/generation-plan.ts';
import { changeRegistry, readRegistry } from '../../src/store/registry.ts';
import { pauseGeneration, TooManyParkedError } from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { useFailingMongo } from '../projector/failing-mongo.ts';

const mongo = useFailingMongo(test);

const serially = test.serial;
const WRITE_CONFLICT = 112;
const now = () => new Date();

/** Version 2 is active, version 1 has retired, and both have applied five records; their client can be made to fail. */
async function deployed(): Promise<Db> {
  const db = mongo.harmed.db(mongo.database('rollback').databaseName);
  for (const [index, id] of ['g1', 'g2'].entries()) {
    await changeRegistry(db, read => switched(withNew(read, index + 1, now()), id, now()));
    await createCollections(db, id);
    const checkpoint = {
      ...{ epoch: 1, next: 5, owner: 'tests', sessions: [], fingerprints: [] },
      partitions: 1,
    };
    await generationCollections(db, id).checkpoints.insertOne({ _id: 0, ...checkpoint });
  }
  return db;
}

/** Begins a chunk of the active generation: its checkpoint is written and not yet committed. */
async function openChunk(db: Db) {
  const session = mongo.client.startSession();
  session.startTransaction();
  const { checkpoints } = generationCollections(mongo.client.db(db.databaseName), 'g2');
  await checkpoints.updateOne({ _id: 0 }, { $set: { next: 6 } }, { session });
  return session;
}

serially('a rollback waits for a chunk that is being written', async t => {
  const db = await deployed();
  const chunk = await openChunk(db);
  const refused = once(mongo.harmed, 'commandFailed');
  const rolling = rollBack(db);
  const [{ commandName, failure }] = (await refused) as [CommandFailedEvent];
  t.like({ commandName, failure }, { commandName: 'update', failure: { code: WRITE_CONFLICT } });
  await chunk.abortTransaction();
  const { from, to } = await rolling;
  t.deepEqual([from.id, to.id], ['g2', 'g1']);
  t.like(await readRegistry(db), { active: 'g1', rejectedVersions: [2] });
});

serially(
  'a build that was requested is no failure because leftovers could not be dropped',
  async t => {
    const db = mongo.harmed.db(mongo.database('rollback').databaseName);
    const first = await requestBuild(db, 1);
    await createCollections(db, first.id);
    await changeRegistry(db, read => without(read, first.id));
    await mongo.fail(1, ['drop'], { closeConnection: true });
    const { id } = await requestBuild(db, 1);
    t.is(id, 'g2');
    t.like(await readRegistry(db), { made: 2 });
  },
);

serially('a switch that took place with an unknown result succeeds', async t => {
  const db = await deployed();
  await mongo.fail(3, ['commitTransaction'], {
    writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
  });
  const { from, to } = await rollBack(db);
  t.deepEqual([from.id, to.id], ['g2', 'g1']);
  t.like(await readRegistry(db), { active: 'g1', rejectedVersions: [2] });
});

serially('a rollback that was made already is said to be', async t => {
  const db = await deployed();
  await rollBack(db);
  await t.throwsAsync(rollBack(db), {
    message: 'There is no generation to go back to: g1 answers again, and g2 is rejected',
  });
});

serially('a rollback whose last attempt took place without an answer succeeds', async t => {
  const db = await deployed();
  await mongo.fail(3, ['commitTransaction'], {
    writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' },
  });
  // The first try takes longer.
  t.is((await rollBack(db, 1)).to.id, 'g1');
});

serially('what no projector can mend is said without asking for one', async t => {
  const db = await deployed();
  await pauseGeneration(
    generationCollections(db, 'g1'),
    new TooManyParkedError('7 streams parked', [], 0),
  );
  await t.throwsAsync(rollBack(db), {
    message:
      'Generation g1 cannot answer: it is paused: 7 streams parked; budgeting parked resume lets it go on',
  });
});

serially('a rollback reports a build that prevents it', async t => {
  const db = await deployed();
  await changeRegistry(db, read => withNew(without(read, 'g1'), 2, now()));
  await t.throwsAsync(rollBack(db), {
    message:
      'There is no generation to go back to: g3 is being built beside g2, in place of the one before; budgeting rebuild --abandon gives it up',
  });
});

serially(
  'a rollback is not retried for ever, nor after an error that no retry can fix',
  async t => {
    const db = await deployed();
    const chunk = await openChunk(db);
    await t.throwsAsync(rollBack(db, 200), { code: WRITE_CONFLICT });
    await chunk.abortTransaction();
    await mongo.fail(1, ['update'], { errorCode: 2, errorLabels: [] });
    await t.throwsAsync(rollBack(db), { code: 2 });
    t.like(await readRegistry(db), { active: 'g2', rejectedVersions: [] });
  },
);
