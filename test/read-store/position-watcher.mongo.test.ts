// The watcher of positions: woken by changes, and there again after a break.
import test from 'ava';
import {
  createPositionWatcher,
  type PositionWatcher,
} from '../../src/read-store/position-watcher.ts';
import { startMongo, type TestMongo } from '../helpers/mongo.ts';
import { memoryLog } from '../http/memory-log.ts';
import { activate } from './write-model.ts';

let mongo: TestMongo;

test.before(async () => {
  mongo = await startMongo();
});

test.after.always(async () => {
  await mongo?.stop();
});

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function start(name: string, idleMs?: number) {
  const db = mongo.database(name);
  await activate(db, 'g1');
  const { log, lines } = memoryLog();
  const watcher = createPositionWatcher(db, log, idleMs === undefined ? {} : { idleMs });
  const heads = db.collection<{ _id: string; sequence: number }>('g1_heads');
  const write = (id: string, sequence: number) =>
    heads.updateOne({ _id: id }, { $set: { sequence } }, { upsert: true });
  return { db, heads, watcher, lines, write };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Waits for a sequence of `b1` as a reader does, and counts how often it looked. */
function wait(
  { watcher, heads }: { watcher: PositionWatcher; heads: Started['heads'] },
  sequence: number,
  waitMs = 8000,
) {
  const looks = { count: 0 };
  const found = watcher.waitFor({ subject: 'b1', sequence, waitMs }, async () => {
    looks.count += 1;
    const head = await heads.findOne({ _id: 'b1' });
    return head !== null && head.sequence >= sequence ? head.sequence : null;
  });
  return { found, looks };
}

test('A waiting reader looks again only when its own stream may have got there', async t => {
  const started = await start('watcher_looks');
  const { found, looks } = wait(started, 3);
  await pause(400);
  const before = looks.count;
  for (const sequence of [1, 2]) await started.write('b1', sequence);
  for (const id of ['b2', 'b3']) await started.write(id, 9);
  await pause(300);
  t.is(looks.count, before);
  await started.write('b1', 3);
  t.is(await found, 3);
  t.is(looks.count, before + 1);
  await started.watcher.stop();
});

test('After a break of the stream it is opened anew, and nothing is missed', async t => {
  const started = await start('watcher_break');
  const { found } = wait(started, 1);
  await pause(300);
  // A dropped database ends its change streams.
  await started.db.dropDatabase();
  await activate(started.db, 'g1');
  await started.write('b1', 1);
  t.is(await found, 1);
  await started.watcher.stop();
});

test('When idle the stream is closed; the next one who waits opens it again', async t => {
  const started = await start('watcher_idle', 20);
  const first = wait(started, 1);
  await pause(200);
  await started.write('b1', 1);
  t.is(await first.found, 1);
  await pause(300);
  const second = wait(started, 2);
  await pause(300);
  await started.write('b1', 2);
  t.is(await second.found, 2);
  t.deepEqual(started.lines, []);
  await started.watcher.stop();
});

test('stop ends all waiting', async t => {
  const started = await start('watcher_stop');
  const { found } = wait(started, 1);
  await pause(200);
  const startedAtMs = performance.now();
  await started.watcher.stop();
  t.is(await found, null);
  t.true(performance.now() - startedAtMs < 3000);
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
