// The watcher of positions: changes wake it, and it recovers after a break of its change stream.
import type { Db } from 'mongodb';
import { createPositionWatcher } from '../../../src/store/reading/position-watcher.ts';
import { beforeCalls } from '../../helpers/before-calls.ts';
import { test } from '../../helpers/file-test.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { createReadModel } from '../../helpers/read-model.ts';
import { stall } from '../../helpers/stall.ts';
import { memoryLog } from '../../http/memory-log.ts';
import { budget, space, steps } from '../../model/scene.ts';

const mongo = useMongo(test);

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function start(name: string, idleMs?: number) {
  const db = mongo.database(name);
  const { logger, lines } = memoryLog();
  const watcher = createPositionWatcher(db, logger, idleMs === undefined ? {} : { idleMs });
  return { db, watcher, lines, ...(await fill(db)) };
}

/** Creates a read model in an empty database, and a function that projects a stream up to a sequence. */
async function fill(db: Db) {
  const { store, project, activate } = await createReadModel(db);
  await activate();
  const reached = new Map<string, number>();
  const write = async (id: string, sequence: number) => {
    const from = reached.get(id) ?? 0;
    reached.set(id, sequence);
    await project(id, ...[budget('s1'), ...steps(sequence)].slice(from, sequence));
  };
  return { heads: store.collections.heads, project, write };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Longer than a test may take: only a wake ends the wait. */
const WAIT_MS = 600_000;

const READER = { waitMs: WAIT_MS, owner: 'anna', spaceId: () => 's1' };

/** Waits for a sequence as a reader does, and counts its reads of the head. */
function wait({ watcher, heads }: Started, sequence: number, subject = 'b1') {
  const reads = { begun: 0, done: 0 };
  const found = watcher.waitFor({ ...READER, subject, sequence }, async () => {
    reads.begun += 1;
    const head = await heads.findOne({ _id: subject });
    reads.done += 1;
    return head !== null && head.sequence >= sequence ? head.sequence : null;
  });
  return { found, reads };
}

/** The same. Resolves once the change stream is open, because that makes it read a second time. */
async function waitAwake(started: Started, sequence: number, subject?: string) {
  const waiting = wait(started, sequence, subject);
  while (waiting.reads.done < 2) await pause(5);
  return waiting;
}

let marks = 0;

/** Resolves once the change stream has reported every earlier write: a last one wakes a reader of its own. */
async function caughtUp(started: Started) {
  marks += 1;
  const mark = marks;
  const { found } = await waitAwake(started, mark, 'mark');
  await started.write('mark', mark);
  await found;
}

/** Returns the number of change streams that the database has open for the watcher. */
async function openStreams({ db }: Started): Promise<number> {
  const cursors = await mongo.client
    .db('admin')
    .aggregate([
      { $currentOp: { idleCursors: true } },
      { $match: { ns: new RegExp(`^${db.databaseName}\\.`), 'cursor.tailable': true } },
    ])
    .toArray();
  return cursors.length;
}

test('A waiting reader reads again only when its own stream may have reached the position', async t => {
  const started = await start('watcher_reads');
  // The change stream then begins after the activation, which would wake the reader once more.
  await started.write('b4', 1);
  const { found, reads } = await waitAwake(started, 3);
  await caughtUp(started);
  const before = reads.begun;
  for (const sequence of [1, 2]) await started.write('b1', sequence);
  for (const id of ['b2', 'b3']) await started.write(id, 9);
  await started.project('s2', ...space(['ben']));
  await caughtUp(started);
  t.is(reads.begun, before);
  await started.write('b1', 3);
  t.is(await found, 3);
  t.is(reads.begun, before + 1);
  await started.watcher.stop();
});

test.serial(
  'A change stream that begins with the activation of its own generation is opened once',
  async t => {
    const started = await start('watcher_named');
    const { reads } = await waitAwake(started, 3);
    await pause(500);
    // One read at first, one when the stream opens, one for the activation.
    t.true(reads.begun <= 3, `${reads.begun} reads`);
    await started.watcher.stop();
  },
);

test('After a break the change stream is opened again, and nothing is missed', async t => {
  const started = await start('watcher_break');
  const { found } = await waitAwake(started, 1);
  await caughtUp(started);
  // A dropped database ends its change streams.
  await started.db.dropDatabase();
  const { write } = await fill(started.db);
  await write('b1', 1);
  t.is(await found, 1);
  await started.watcher.stop();
});

test('An idle change stream is closed; the next request that waits opens it again', async t => {
  const started = await start('watcher_idle', 20);
  const first = await waitAwake(started, 1);
  while ((await openStreams(started)) === 0) await pause(20);
  await started.write('b1', 1);
  t.is(await first.found, 1);
  while ((await openStreams(started)) > 0) await pause(20);
  const second = await waitAwake(started, 2);
  await started.write('b1', 2);
  t.is(await second.found, 2);
  t.deepEqual(started.lines, []);
  await started.watcher.stop();
});

test('A request that arrives while the idle change stream closes opens it again, without a warning', async t => {
  const started = await start('watcher_closing', 20);
  const first = await waitAwake(started, 1);
  await caughtUp(started);
  await started.write('b1', 1);
  t.is(await first.found, 1);
  // The close and the next request fall into one turn of the event loop.
  const idle = pause(20);
  stall(100);
  await idle;
  let reads = 0;
  const request = { ...READER, subject: 'b1', sequence: 2 };
  const second = started.watcher.waitFor(request, async () => {
    reads += 1;
    return reads > 2 ? 'woken' : null;
  });
  await caughtUp(started);
  await started.write('b1', 2);
  t.is(await second, 'woken');
  t.deepEqual(started.lines, []);
  await started.watcher.stop();
});

test('A switch while the change stream is prepared is not missed', async t => {
  const db = mongo.database('watcher_switch');
  const [first, second] = [await createReadModel(db), await createReadModel(db)];
  await first.activate();
  let calls = 0;
  // Two calls prepare the stream, in whichever order; the write that follows the switch lets later ones begin after it.
  const act = async () => {
    calls += 1;
    if (calls !== 2) return;
    await second.activate();
    await second.project('other', budget('s1'));
  };
  const watcher = createPositionWatcher(beforeCalls(db, act), memoryLog().logger);
  const request = { ...READER, subject: 'b1', sequence: 1 };
  let reads = 0;
  const found = watcher.waitFor(request, async () => {
    reads += 1;
    return second.store.collections.heads.findOne({ _id: 'b1' });
  });
  // The opened stream makes the request read again.
  while (reads < 2) await pause(5);
  await second.project('b1', budget('s1'));
  t.like(await found, { sequence: 1 });
  await watcher.stop();
});

test('stop ends every wait', async t => {
  const started = await start('watcher_stop');
  const { found } = await waitAwake(started, 1);
  await started.watcher.stop();
  t.is(await found, null);
  t.is(await wait(started, 1).found, null);
});

test('An error of the read reaches the request that waits', async t => {
  const { watcher } = await start('watcher_error');
  const read = async () => {
    throw new Error('no');
  };
  await t.throwsAsync(watcher.waitFor({ ...READER, subject: 'b1', sequence: 1 }, read));
  await watcher.stop();
});
