// The watcher of positions: woken by changes, and there again after a break.
import test from 'ava';
import { createPositionWatcher } from '../../src/read-store/position-watcher.ts';
import { useMongo } from '../helpers/mongo.ts';
import { stall } from '../helpers/stall.ts';
import { memoryLog } from '../http/memory-log.ts';
import { activate } from './write-model.ts';

const mongo = useMongo(test);

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function start(name: string, idleMs?: number) {
  const db = mongo.database(name);
  await activate(db, 'g1');
  const { logger, lines } = memoryLog();
  const watcher = createPositionWatcher(db, logger, idleMs === undefined ? {} : { idleMs });
  const heads = db.collection<{ _id: string; sequence: number }>('g1_heads');
  const write = (id: string, sequence: number) =>
    heads.updateOne({ _id: id }, { $set: { sequence } }, { upsert: true });
  return { db, heads, watcher, lines, write };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Longer than a test may take: only being woken ends the waiting. */
const WAIT_MS = 600_000;

/** Waits for a sequence as a reader does, and counts how often it looked. */
function wait({ watcher, heads }: Started, sequence: number, subject = 'b1') {
  const looks = { begun: 0, done: 0 };
  const found = watcher.waitFor({ subject, sequence, waitMs: WAIT_MS }, async () => {
    looks.begun += 1;
    const head = await heads.findOne({ _id: subject });
    looks.done += 1;
    return head !== null && head.sequence >= sequence ? head.sequence : null;
  });
  return { found, looks };
}

/** The same, once the stream is open: that lets it look a second time. */
async function waitAwake(started: Started, sequence: number, subject?: string) {
  const waiting = wait(started, sequence, subject);
  while (waiting.looks.done < 2) await pause(5);
  return waiting;
}

let marks = 0;

/** Resolves when the stream has told of all that was written before: a last change wakes its own reader. */
async function caughtUp(started: Started) {
  marks += 1;
  const mark = marks;
  const { found } = await waitAwake(started, mark, 'mark');
  await started.write('mark', mark);
  await found;
}

/** How many streams the database has open for the watcher. */
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

test('A waiting reader looks again only when its own stream may have got there', async t => {
  const started = await start('watcher_looks');
  // The stream begins after the generation was named: that would be one more sign.
  await started.write('mark', 0);
  const { found, looks } = await waitAwake(started, 3);
  await caughtUp(started);
  const before = looks.begun;
  for (const sequence of [1, 2]) await started.write('b1', sequence);
  for (const id of ['b2', 'b3']) await started.write(id, 9);
  await caughtUp(started);
  t.is(looks.begun, before);
  await started.write('b1', 3);
  t.is(await found, 3);
  t.is(looks.begun, before + 1);
  await started.watcher.stop();
});

test.serial(
  'A stream that begins with the very change that named the generation is opened once',
  async t => {
    const started = await start('watcher_named');
    const { looks } = await waitAwake(started, 3);
    await pause(500);
    // Its own first look, one as the stream was opened, one for that change.
    t.true(looks.begun <= 3, `${looks.begun} looks`);
    await started.watcher.stop();
  },
);

test('After a break of the stream it is opened anew, and nothing is missed', async t => {
  const started = await start('watcher_break');
  const { found } = await waitAwake(started, 1);
  await caughtUp(started);
  // A dropped database ends its change streams.
  await started.db.dropDatabase();
  await activate(started.db, 'g1');
  await started.write('b1', 1);
  t.is(await found, 1);
  await started.watcher.stop();
});

test('When idle the stream is closed; the next one who waits opens it again', async t => {
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

test('Who comes while the idle stream is being closed has it opened again, without a warning', async t => {
  const started = await start('watcher_closing', 20);
  const first = await waitAwake(started, 1);
  await caughtUp(started);
  await started.write('b1', 1);
  t.is(await first.found, 1);
  // Its end and the next one who waits fall into one turn.
  const idle = pause(20);
  stall(100);
  await idle;
  let looks = 0;
  const request = { subject: 'b1', sequence: 2, waitMs: WAIT_MS };
  const second = started.watcher.waitFor(request, async () => {
    looks += 1;
    return looks > 2 ? 'woken' : null;
  });
  await caughtUp(started);
  await started.write('b1', 2);
  t.is(await second, 'woken');
  t.deepEqual(started.lines, []);
  await started.watcher.stop();
});

test('stop ends all waiting', async t => {
  const started = await start('watcher_stop');
  const { found } = await waitAwake(started, 1);
  await started.watcher.stop();
  t.is(await found, null);
  t.is(await wait(started, 1).found, null);
});

test('An error of the look reaches the one who waits', async t => {
  const { watcher } = await start('watcher_error');
  const look = async () => {
    throw new Error('no');
  };
  await t.throwsAsync(watcher.waitFor({ subject: 'b1', sequence: 1, waitMs: 100 }, look));
  await watcher.stop();
});
