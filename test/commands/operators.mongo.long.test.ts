// Operators' commands as separate processes, with generations of another version.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { type StartedMongo, startOwnMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { stubLog } from '../projector/log-in-memory.ts';
import { createPartitionScene } from '../projector/partition-scene.ts';
import { dump } from '../projector/test-store.ts';
import { budgeting } from './started.ts';

const BEFORE = PROJECTIONS_VERSION - 1;

let mongo: StartedMongo;
let folder: string;

test.before(async () => {
  mongo = await startOwnMongo();
  folder = await mkdtemp(join(tmpdir(), 'budgeting-operators-'));
});
test.after.always(async () => {
  await mongo?.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  budgeting(args, { MONGODB_URL: mongo.url, DATA_DIR: folder }).ended;

test('while an older version is active, a command mends only generations of its own version', async t => {
  const db = mongo.client.db('budgeting');
  // The scenes have their own logs; the commands open this one first.
  await (await openFolderLog(join(folder, 'log'))).close();
  const now = new Date();
  await changeRegistry(db, read =>
    withNew(switched(withNew(read, BEFORE, now), 'g1', now), PROJECTIONS_VERSION, now),
  );
  const eventOf = eventMaker('budget-1');
  const events = [CREATED, payee('a'), payee('a'), payee('b')].map(draft => eventOf(draft));
  const old = await createPartitionScene(db, { generation: 'g1', eventLog: stubLog() });
  const fresh = await createPartitionScene(db, { generation: 'g2', eventLog: stubLog() });
  await old.tell(...events.slice(0, 2));
  await fresh.tell(...events);
  const before = await dump(old.store);

  for (const args of [['verify'], ['rebuild', '--budget', 'budget-1']]) {
    const { code, out, err } = await run(...args);
    t.deepEqual([code, out], [1, '']);
    t.is(
      err,
      `Generation g1 is of version ${BEFORE} of the projections, this program of version ${PROJECTIONS_VERSION}: use the command of the release that made it\n`,
    );
  }
  const listed = await run('parked', 'list');
  t.regex(listed.out, /^g2: budget-1 is held after sequence 2 .*\n$/);
  const skipped = await run('parked', 'skip', 'budget-1');
  t.deepEqual(
    [skipped.code, skipped.out, skipped.err],
    [0, 'g2: budget-1 goes on at sequence 4\n', ''],
  );
  t.like(await fresh.head('budget-1'), { sequence: 4, held: null });
  t.deepEqual(await dump(old.store), before);
});
