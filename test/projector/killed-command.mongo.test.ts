// A command that is killed in the middle of a transaction: what it locked is free within seconds, not after the minute after
// which MongoDB ends the transaction by itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { requestBuild, rollBack } from '../../src/generations/operate.ts';
import { skipHeld } from '../../src/projector/operate/parked.ts';
import { holdForRebuild } from '../../src/projector/shadow/rebuild-hold.ts';
import { createCollections, generationCollections } from '../../src/store/collections.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { endSilent, whileNamed } from '../../src/store/open-sessions.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);
const SUBJECTS = ['budget-1', 'budget-2'];
const PROGRAM = fileURLToPath(new URL('./killed-process.js', import.meta.url));
/** Less than MongoDB waits. */
const TEST_MS_MAX = 45_000;

/** Returns a scene in which a command that was killed has locked the registry and the head of the first stream. */
async function abandoned(t: ExecutionContext, name: string): Promise<PartitionScene> {
  t.timeout(TEST_MS_MAX);
  const db = mongo.database(name);
  const now = new Date();
  for (const id of ['g1', 'g2']) {
    await changeRegistry(db, read => switched(withNew(read, 1, now), id, now));
    await createCollections(db, id);
  }
  const scene = await createPartitionScene(db, { generation: 'g2' });
  await scene.tell(...SUBJECTS.map(subject => eventMaker(subject)(CREATED)));
  await scene.tell(eventMaker('budget-2')(payee('a'), { sequence: 3 }));
  const former = generationCollections(db, 'g1');
  await former.checkpoints.insertMany(await scene.store.collections.checkpoints.find().toArray());
  await former.heads.insertMany(await scene.store.collections.heads.find().toArray());
  // MongoDB knows no such session, and refuses to end others with it.
  await db.collection<{ _id: string }>('open_sessions').insertOne({ _id: 'not a session' });
  const args = [PROGRAM, mongo.url, db.databaseName, 'g2', 'budget-1'];
  const command = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(command, 'exit');
  await once(command.stdout, 'data');
  command.kill('SIGKILL');
  await ended;
  return scene;
}

test('a projector goes on with the stream and its neighbours', async t => {
  const scene = await abandoned(t, 'killed_command');
  await scene.tell(...SUBJECTS.map(subject => eventMaker(subject)(payee('b'), { sequence: 2 })));
  t.is((await scene.head('budget-1'))?.sequence, 2);
  t.is((await scene.head('budget-2'))?.sequence, 3);
});

test('the next rebuild of the budget begins', async t => {
  const scene = await abandoned(t, 'killed_rebuild');
  const session = openCommitSession(scene.db.client, scene.store.collections, false);
  const { head } = await holdForRebuild({ ...scene.store, session }, 'budget-1', new Date());
  t.is(head.held?.why, 'change');
});

test('the next skip succeeds, also of another stream', async t => {
  const scene = await abandoned(t, 'killed_skip');
  const skip = { missing: true, limits: { rowsMax: 1000 }, now: new Date() };
  const head = await skipHeld(scene.store, 'budget-2', skip);
  t.like(head, { sequence: 3, held: null });
});

test('a build can be requested', async t => {
  const { db } = await abandoned(t, 'killed_before_build');
  await changeRegistry(db, read => ({ ...read, generations: read.generations.slice(1) }));
  t.is((await requestBuild(db, 1)).id, 'g3');
});

test('a rollback succeeds', async t => {
  const { db } = await abandoned(t, 'killed_before_rollback');
  t.is((await rollBack(db)).to.id, 'g1');
});

test('a transaction of a process that lives is not ended, however long it takes', async t => {
  const db = mongo.database('long_transaction');
  const things = db.collection('things');
  await things.insertOne({});
  await db.client.withSession(session =>
    whileNamed(db, session, async () => {
      session.startTransaction();
      await things.updateOne({}, { $set: { at: 1 } }, { session });
      for (let second = 0; second < 5; second += 1) {
        await sleep(1000);
        await endSilent(db);
      }
      await session.commitTransaction();
    }),
  );
  t.is(await things.countDocuments({ at: 1 }), 1);
  t.is(await db.collection('open_sessions').countDocuments(), 0);
});
