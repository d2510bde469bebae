// Commands that only look run beside a writer; those that append are locked out.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { PROJECTIONS_VERSION } from '../../projections/version.ts';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { switched, withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry } from '../../src/store/registry.ts';
import { type StartedMongo, startOwnMongo } from '../helpers/mongo.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { actualFiles, FINANCES } from '../import/actual-files.ts';
import { eventMaker } from '../projections/story.ts';
import { stubLog } from '../projector/log-in-memory.ts';
import { createPartitionScene } from '../projector/partition-scene.ts';
import { budgeting } from './started.ts';

let mongo: StartedMongo;
test.before(async () => {
  mongo = await startOwnMongo();
});
test.after.always(() => mongo?.stop());

test('budget list, append --check and import --dry-run run beside a writer', async t => {
  const folder = await temporaryFolder(t);
  const db = mongo.client.db('budgeting');
  await createPartitionScene(db, { generation: 'g1', eventLog: stubLog() });
  const now = new Date();
  await changeRegistry(db, read => switched(withNew(read, PROJECTIONS_VERSION, now), 'g1', now));
  const events = join(folder, 'events.ndjson');
  const space = eventMaker('space-1')({ type: 'space.created', data: { name: 'Home' } });
  await writeFile(events, `${JSON.stringify(space)}\n`);
  for (const { name, bytes } of Object.values(await actualFiles(FINANCES)).filter(isFile)) {
    await writeFile(join(folder, name), bytes);
  }
  const writer = await openFolderLog(join(folder, 'log'), { writer: true });
  t.teardown(() => writer.close());
  const run = (...args: string[]) =>
    budgeting(args, { MONGODB_URL: mongo.url, DATA_DIR: folder }).ended;
  const imported = ['import', 'actual', folder, '--user', 'anna', '--currency', 'EUR'];

  for (const args of [
    ['budget', 'list'],
    ['append', events, '--check'],
    [...imported, '--dry-run'],
  ]) {
    const { code, err } = await run(...args);
    t.deepEqual([code, err], [0, ''], args.join(' '));
  }
  for (const args of [['append', events], imported]) {
    const { code, err } = await run(...args);
    t.is(code, 1);
    t.regex(err, /is being written by process/, args.join(' '));
  }
});

function isFile(value: object): value is { readonly name: string; readonly bytes: Buffer } {
  return 'bytes' in value;
}
