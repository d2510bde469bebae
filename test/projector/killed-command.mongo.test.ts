// A command that is killed in the middle of a transaction: what it locked is free within seconds, not after the minute after
// which MongoDB ends the transaction by itself.

import type { ExecutionContext } from 'ava';
import { holdForRebuild } from '../../src/projector/shadow/rebuild-hold.ts';
import { NO_WRITES, openCommitSession } from '../../src/store/writing/commit.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);
const SUBJECTS = ['budget-1', 'budget-2'];
/** Less than MongoDB waits. */
const TEST_MS_MAX = 45_000;

/** Returns a scene in which a command has locked the head of a stream in a transaction that nobody ends. */
async function abandoned(t: ExecutionContext, name: string): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database(name));
  const { client } = scene.db;
  const { collections } = scene.store;
  await scene.tell(...SUBJECTS.map(subject => eventMaker(subject)(CREATED)));
  const head = await scene.head('budget-1');
  if (!head) throw new Error('Expected a head, got none');
  const heads = [{ loaded: head, now: { ...head, sequence: 99 } }];
  const killed = openCommitSession(client, collections, false);
  await killed.writePart({ ...NO_WRITES, heads }, true);
  t.teardown(() => killed.abortParts());
  return scene;
}

test('a projector goes on with the stream and its neighbours', async t => {
  t.timeout(TEST_MS_MAX);
  const scene = await abandoned(t, 'killed_command');
  await scene.tell(...SUBJECTS.map(subject => eventMaker(subject)(payee('a'), { sequence: 2 })));
  for (const subject of SUBJECTS) t.is((await scene.head(subject))?.sequence, 2);
});

test('the next rebuild of the budget begins', async t => {
  t.timeout(TEST_MS_MAX);
  const scene = await abandoned(t, 'killed_rebuild');
  const session = openCommitSession(scene.db.client, scene.store.collections, false);
  const { head } = await holdForRebuild({ ...scene.store, session }, 'budget-1', new Date());
  t.is(head.held?.why, 'change');
});
