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
