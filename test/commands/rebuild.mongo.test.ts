// `rebuild`: what it prints until the switch, or until the build has failed.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { Db } from 'mongodb';
import { runRebuild } from '../../src/commands/rebuild.ts';
import { UserError } from '../../src/errors.ts';
import { withFailure } from '../../src/projector/generations/plan.ts';
import { generationCollections } from '../../src/read-store/collections.ts';
import { changeRegistry, readRegistry } from '../../src/read-store/registry.ts';
import { startMongo, type TestMongo } from '../helpers/mongo.ts';
import { stubLog } from '../projector/partition-scene.ts';

let mongo: TestMongo;
test.before(async () => {
  mongo = await startMongo();
});
test.after.always(() => mongo?.stop());

/** Asks for a generation of a log with ten records; nobody builds it. */
async function rebuilding() {
  const readModel: Db = mongo.database('rebuild');
  const log = stubLog();
  log.add(...Array.from({ length: 10 }, () => ({ key: 'budget-1', raw: '{}' })));
  const printed: string[] = [];
  const stopping = new AbortController();
  const { client } = mongo;
  const done = runRebuild(
    { budget: null },
    {
      connection: { client, readModel, database: name => client.db(name), close: async () => {} },
      log,
      version: 2,
      rebuildBudget: async () => null,
      now: () => new Date(),
      print: line => printed.push(line),
      isTerminal: false,
      signal: stopping.signal,
    },
  );
  done.catch(() => {});
  while ((await readRegistry(readModel)).generations.length === 0) await sleep(20);
  return { readModel, printed, stopping, done };
}

test('where there is no terminal it prints a line as it comes on', async t => {
  const { readModel, printed, stopping, done } = await rebuilding();
  const checkpoint = { epoch: 1, next: 5, owner: 'tests', sessions: [], fingerprints: [] };
  await generationCollections(readModel, 'g1').checkpoints.insertOne({ _id: 0, ...checkpoint });
  while (printed.length < 2) await sleep(20);
  stopping.abort();
  await done;
  t.deepEqual(printed, [
    'Building generation g1 beside the one that answers; the projectors do it',
    'Building g1: 5 of 10 (50 %)',
    'Generation g1 is still being built: see budgeting status',
  ]);
});

test('a build that failed is told with its reason', async t => {
  const { readModel, done } = await rebuilding();
  await changeRegistry(readModel, read => withFailure(read, 'g1', 'The test', new Date()));
  await t.throwsAsync(done, { instanceOf: UserError, message: 'Generation g1 failed: The test' });
});
