// A missing, recreated or truncated embedded log is noticed before a process announces or appends anything.
import { readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { openFolderLog } from '../../src/event-log/folder/folder-log.ts';
import { segmentFile } from '../../src/event-log/folder/layout.ts';
import { generationCollections } from '../../src/store/collections.ts';
import { readAll } from '../event-log/log-under-test.ts';
import { type StartedMongo, startOwnMongo } from '../helpers/mongo.ts';
import { type SmallDisk, smallDisk } from '../helpers/small-disk.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { exportedBudget, REFUSED, refused, reportedByStatus } from './data-loss-scene.ts';
import { budgeting, type Ended, type Started } from './started.ts';

const READY = /start goes on where it stopped/;

let mongo: StartedMongo;
test.before(async () => {
  mongo = await startOwnMongo();
});
test.after.always(() => mongo?.stop());

interface Scene {
  readonly log: string;
  readonly file: string;
  /** The arguments of an import. */
  readonly imported: readonly string[];
  readonly run: (...args: string[]) => Promise<Ended>;
  readonly start: (command?: 'start' | 'project') => Started;
  readonly checkpoints: ReturnType<typeof generationCollections>['checkpoints'];
}

/** Appends and applies one event; no process runs afterwards. */
async function scene(t: ExecutionContext, disk?: SmallDisk): Promise<Scene> {
  await mongo.client.db('budgeting').dropDatabase();
  const folder = join(disk?.folder ?? (await temporaryFolder(t)), 'data');
  const env = { MONGODB_URL: mongo.url, DATA_DIR: folder, PORT: '0', LOG_LEVEL: '' };
  const run = (...args: string[]) => budgeting(args, env).ended;
  const start: Scene['start'] = (command = 'start') => {
    const started = budgeting([command], env);
    t.teardown(async () => {
      started.child.kill('SIGKILL');
      await started.ended;
    });
    return started;
  };
  const file = join(folder, '..', 'events.ndjson');
  const first = budgeting(['start', '--empty'], env);
  await first.printed(READY);
  await writeFile(file, `${JSON.stringify(eventMaker('budget-1')(CREATED))}\n`);
  const appended = await run('append', file);
  t.is(appended.code, 0, appended.err);
  const { checkpoints } = generationCollections(mongo.client.db('budgeting'), 'g1');
  while ((await checkpoints.countDocuments({ next: 1 })) === 0);
  first.child.kill('SIGTERM');
  t.is((await first.ended).code, 0);
  const next = { ...eventMaker('budget-1')(payee('p')), id: 'e-2', sequence: 2 };
  await writeFile(file, `${JSON.stringify(next)}\n`);
  const imported = await exportedBudget(t);
  return { log: join(folder, 'log'), file, imported, run, start, checkpoints };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function end(t: ExecutionContext, started: Started): Promise<void> {
  started.child.kill('SIGTERM');
  t.is((await started.ended).code, 0);
}

test.serial('every command reports a deleted log, and none creates it again', async t => {
  const { log, run, start, file, imported } = await scene(t);
  const moved = `${log}-moved`;
  await rename(log, moved);
  const line =
    /^DATA_LOSS: there is no log in \S+\/data\/log, though offset 0 of partition \d was projected from it: bring it back, or name the right one \(docs\/operations\.md, DATA_LOSS\)\n$/;
  for (const args of [
    ['append', file],
    imported,
    ['rebuild'],
    ['rebuild', '--budget', 'budget-1'],
  ]) {
    refused(t, await run(...args), line);
  }
  const verified = await run('verify');
  t.is(verified.code, 3);
  t.regex(verified.err, /^DATA_LOSS: there is no log .*\nThe log is damaged: do not rebuild/);
  reportedByStatus(t, await run('status'), line);
  const asJson = await run('status', '--json');
  t.is(asJson.code, 1);
  const [partition] = JSON.parse(asJson.out).generations[0].partitions.filter(
    ({ next }: { next: number }) => next > 0,
  );
  t.like(partition, { next: 1, end: undefined, lagEvents: undefined });
  t.regex(JSON.parse(asJson.out).log, /^DATA_LOSS: there is no log/);
  refused(t, await start().ended, line);
  const projector = await start('project').ended;
  t.is(projector.code, 1);
  t.regex(projector.out, /^Operators \S+\n$/, 'no other announcement');
  t.regex(projector.err.split('\n').slice(-2).join('\n'), line);
  t.false(await isThere(log), 'no new log');

  await rename(moved, log);
  const again = start();
  await again.printed(READY);
  t.is((await run('append', file)).code, 0, 'the log is back');
  await end(t, again);
});

test.serial('a recreated log takes no events, however it was recreated', async t => {
  const { log, run, file, imported, checkpoints } = await scene(t);
  await rename(log, `${log}-moved`);
  await (await openFolderLog(log)).close();
  const lossOf = (reason: string) =>
    new RegExp(`^DATA_LOSS in folder ${log}, partition \\d: ${reason}\n${escaped(REFUSED)}\n$`);
  const empty = lossOf('expected offset 1 next, but the log holds no record');
  refused(t, await run('append', file), empty);
  refused(t, await run(...imported), empty);
  const made = await openFolderLog(log);
  t.deepEqual(await readAll(made), []);
  const value = JSON.stringify({ ...eventMaker('budget-1')(CREATED), id: 'another' });
  await made.append([{ key: 'budget-1', value }]);
  refused(
    t,
    await run('append', file),
    lossOf('the record at offset 0 is not the one that was applied'),
  );
  t.is((await readAll(made)).length, 1);
  await made.close();

  await rm(log, { recursive: true });
  await rename(`${log}-moved`, log);
  const halted = { at: new Date(), reason: `DATA_LOSS in folder ${log}, partition 2: the test` };
  await checkpoints.updateOne({ _id: 2 }, { $set: { halted } });
  refused(t, await run('append', file), lossOf('the test'));
  const status = await run('status');
  t.deepEqual([status.code, status.err], [0, '']);
  t.true(status.out.includes(`\ng1: partition 2 is halted: ${halted.reason}\n`), status.out);
  await checkpoints.updateOne({ _id: 2 }, { $set: { halted: null } });
  t.is((await run('append', file)).code, 0);
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

test.serial('a truncated log is reported before anything is announced', async t => {
  const { log, run, start, file, checkpoints } = await scene(t);
  const partition = (await checkpoints.findOne({ next: 1 }))?._id ?? 0;
  const path = segmentFile(log, partition, 0);
  const whole = await readFile(path);
  await truncate(path, 7);
  const line =
    /^\S+\.ndjson is damaged: expected at least \d+ bytes with a whole line at their end, got 7 bytes; restore the folder from a backup\n$/;
  refused(t, await start().ended, line);
  const projector = await start('project').ended;
  t.deepEqual([projector.code, projector.out.split('\n').length], [1, 2]);
  t.regex(projector.err, line);
  refused(t, await run('append', file), line);
  reportedByStatus(t, await run('status'), line);
  await writeFile(path, whole);
  t.is((await run('append', file)).code, 0);
});

test.serial('append and import report a full disk in one line, and append nothing', async t => {
  const disk = await smallDisk(t, 10_000_000);
  if (disk === null) return void t.pass();
  const { run, file, imported } = await scene(t, disk);
  await disk.fill();
  const line =
    /^Cannot open the log in \S+: the disk is full \(ENOSPC\); free space on it, then try again\. Nothing was appended\n$/;
  refused(t, await run('append', file), line);
  refused(t, await run(...imported), line);
  await disk.free();
  t.is((await run('append', file)).code, 0);
});
