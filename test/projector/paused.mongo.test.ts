// The parking alarm (rules/projecting.md#parking-alarm): too many parked streams pause the generation, over all partitions,
// processes and restarts, until an operator resumes it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { resumeGeneration } from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { bad, good, type PausedScene, pausedScene, streamsOf } from './paused-scene.ts';

const mongo = useMongo(test);

/** Longer than a projector needs to continue by mistake. */
const WHILE_MS = 1500;

test('projection pauses before 20 of 32 bad streams in 67 are parked, over four partitions', async t => {
  const scene = await pausedScene(t, mongo);
  await scene.append(...streamsOf('good', 35).map(good), ...streamsOf('bad', 32).map(bad));
  const projector = scene.start();
  await scene.paused();
  await projector.waits();
  const [before, nexts] = [await scene.countHeld('parked'), await scene.nexts()];
  t.true(before < 20, `${before} streams are parked`);
  await sleep(WHILE_MS);
  t.deepEqual(await scene.nexts(), nexts);
  t.is(await scene.countHeld('parked'), before);
  t.false(projector.hasEnded());
  t.regex(
    projector.lines.find(({ level }) => level === 60)?.msg,
    /^Projecting is paused: \d+ of \d+ streams would have been parked within 60 s$/,
  );
  await resumeGeneration(scene.store.collections);
  await scene.caughtUp();
  t.is(await scene.countHeld('parked'), 32);
  t.is(await scene.store.collections.heads.countDocuments({ sequence: 1 }), 35);
  await projector.stop();
});

test('partitions without parked streams pause too', async t => {
  const scene = await pausedScene(t, mongo);
  const healthy = streamsOf('good', 12);
  await scene.append(...healthy.map(good));
  const projector = scene.start();
  await scene.caughtUp();
  await scene.append(...streamsOf('bad', 32, 0).map(bad));
  await scene.paused();
  await projector.waits();
  const nexts = await scene.nexts();
  await scene.append(...healthy.map(stream => eventMaker(stream)(payee('next'), { sequence: 2 })));
  await sleep(WHILE_MS);
  t.deepEqual(await scene.nexts(), nexts);
  t.is(await scene.countHeld('parked'), 0);
  await resumeGeneration(scene.store.collections);
  await scene.caughtUp();
  t.is(await scene.countHeld('parked'), 32);
  t.is(await scene.store.collections.heads.countDocuments({ sequence: 2 }), 12);
  t.false(projector.hasEnded());
});

test('streams parked in several partitions at the same time all count', async t => {
  const scene = await pausedScene(t, mongo);
  await scene.append(...streamsOf('bad', 19).map(bad));
  scene.start(1);
  await scene.caughtUp();
  const alarm = await scene.store.collections.alarms.findOne({ _id: 'parking' });
  t.is(
    alarm?.buckets.reduce((sum, { parked }) => sum + parked, 0),
    19,
  );
  await scene.append(...streamsOf('worse', 1).map(bad));
  await scene.paused();
  t.is(await scene.countHeld('parked'), 19);
});

/** As if all was parked just now: a slow machine needs more than the minute of the alarm. */
async function rejuvenate({ store }: PausedScene): Promise<void> {
  const at = { $dateTrunc: { date: '$$NOW', unit: 'second', binSize: 5 } };
  const $map = { input: '$buckets', in: { at, parked: '$$this.parked' } };
  await store.collections.alarms.updateOne({ _id: 'parking' }, [{ $set: { buckets: { $map } } }]);
}

test('the 20th of successive bad streams is not parked, even with restarts in between', async t => {
  const scene = await pausedScene(t, mongo);
  await scene.append(...streamsOf('good', 20).map(good));
  const streams = streamsOf('bad', 30);
  let projector = scene.start(1);
  for (const [index, stream] of streams.slice(0, 19).entries()) {
    await scene.append(bad(stream));
    await scene.caughtUp();
    await rejuvenate(scene);
    if (index % 6 !== 5) continue;
    await projector.stop();
    projector = scene.start(1);
  }
  t.is(await scene.countHeld('parked'), 19);
  await scene.append(...streams.slice(19).map(bad));
  await scene.paused();
  t.is(await scene.countHeld('parked'), 19);
  // A restart does not end the pause.
  await projector.stop();
  const again = scene.start(1);
  await again.waits();
  await sleep(WHILE_MS);
  t.is(await scene.countHeld('parked'), 19);
  t.false(again.hasEnded());
  await resumeGeneration(scene.store.collections);
  await scene.caughtUp();
  t.is(await scene.countHeld('parked'), 30);
});

/** Fills 25 gaps whose streams are then parked; 19 of them are parked when projection pauses. */
async function filledGaps(t: ExecutionContext): Promise<PausedScene> {
  const scene = await pausedScene(t, mongo);
  const stories = streamsOf('gap', 25).map(stream => {
    const eventOf = eventMaker(stream);
    return [CREATED, payee('a'), payee('a')].map(draft => eventOf(draft));
  });
  const nth = (index: number) => stories.flatMap(events => events.slice(index, index + 1));
  await scene.append(...nth(0), ...nth(2));
  const projector = scene.start();
  await scene.caughtUp();
  t.is(await scene.countHeld('gap'), 25);
  await scene.append(...nth(1));
  await scene.paused();
  await projector.waits();
  t.is(await scene.countHeld('parked'), 19);
  return scene;
}

async function allParked({ store, caughtUp, countHeld }: PausedScene): Promise<void> {
  await resumeGeneration(store.collections);
  await caughtUp();
  while ((await countHeld('parked')) < 25) await sleep(20);
}

test('drained queues count for the alarm, and drain after the resume', async t => {
  const scene = await filledGaps(t);
  await allParked(scene);
  t.is(await scene.countHeld('gap'), 0);
});

test('a restart during the pause drains no queue before the resume', async t => {
  const scene = await filledGaps(t);
  for (const projector of scene.running) await projector.stop();
  const again = scene.start();
  await again.waits();
  await sleep(WHILE_MS);
  t.is(await scene.countHeld('parked'), 19);
  await allParked(scene);
  t.is(await scene.countHeld('gap'), 0);
  t.false(again.hasEnded());
});

test('a projector that waits for an operator stops on request', async t => {
  const scene = await pausedScene(t, mongo);
  await scene.append(...streamsOf('bad', 30).map(bad));
  const projector = scene.start();
  await scene.paused();
  await projector.waits();
  await t.notThrowsAsync(projector.stop());
  const claiming = scene.start();
  await claiming.waits();
  await t.notThrowsAsync(claiming.stop());
});
