// While one chunk commits, the next one is folded on top of it: whatever happens to a commit, or to a stream meanwhile,
// the documents equal those of separate chunks.
import { setTimeout as sleep } from 'node:timers/promises';
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import { test } from '../helpers/file-test.ts';
import { useFailingMongo } from './failing-mongo.ts';
import { commitsFail } from './fails-at-random.ts';
import { hand, pipelineOf, story } from './hand-over.ts';
import { holdCommits } from './held-commits.ts';
import { createPartitionScene } from './partition-scene.ts';
import { harmedScene, LARGE, LIMITS, undisturbed } from './sharing-scene.ts';
import { dump } from './test-store.ts';

const mongo = useFailingMongo(test);

// Serial, because fail points belong to the server.
const serially = test.serial;

/** Returns whether a wait has ended by now. */
async function hasEnded(wait: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([wait, sleep(50, 'waits')])) !== 'waits';
}

serially('commits that fail at random leave no trace (seed 1)', async t => {
  await commitsFail(t, mongo, 1);
});

serially('a rename includes the rows that are still on their way to the store', async t => {
  const events = story(30);
  const scene = await harmedScene(mongo, events);
  const pipeline = await pipelineOf(scene);
  t.is(await hand(pipeline, scene, { from: 0, count: 32 }), 32);
  t.is(pipeline.phase, 'committing', 'does not wait for the commit');
  t.is(await hand(pipeline, scene, { from: 32, count: 1 }), 33);
  t.is(await hand(pipeline, scene, { from: 33, count: 1 }), 34);
  t.is(pipeline.phase, 'idle', 'waits for the commit, since nothing follows');
  t.deepEqual(await dump(scene.store), await undisturbed(mongo, events));
});

serially('a stream that was rewritten in between is folded again', async t => {
  const events = story(30);
  const scene = await harmedScene(mongo, events);
  const pipeline = await pipelineOf(scene);
  t.is(await hand(pipeline, scene, { from: 0, count: 20 }), 20);
  await pipeline.leave();
  const signal = new AbortController().signal;
  const { context, store, eventLog } = scene;
  await rebuildStream(store, 'budget-1', {
    eventLog,
    limits: context.limits,
    now: new Date(),
    signal,
  });
  const set = (await scene.head('budget-1'))?.set ?? '';
  t.not(set, '0-0');
  let next = 20;
  while (next < events.length) next = Number(await hand(pipeline, scene, { from: next, count: 7 }));
  t.is((await scene.head('budget-1'))?.set, set);
  t.like(await scene.head('budget-1'), { sequence: events.length, held: null });
  t.is(await store.collections.rows.countDocuments({ set }), 31);
});

serially('a pipeline that has lost its partition writes nothing more', async t => {
  const events = story(30);
  const scene = await harmedScene(mongo, events);
  const pipeline = await pipelineOf(scene);
  t.is(await hand(pipeline, scene, { from: 0, count: 10 }), 10);
  await pipeline.leave();
  await scene.claim('another');
  const before = await dump(scene.store);
  t.is(await hand(pipeline, scene, { from: 10, count: 10 }), 20, 'its commit is in progress');
  t.is(await hand(pipeline, scene, { from: 20, count: 5 }), 'lost');
  t.deepEqual(await dump(scene.store), before);
});

serially('a large chunk waits for its turn, and is not begun after a stop', async t => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const scene = await createPartitionScene(mongo.database('turns'), { signal, sharing: LIMITS });
  scene.eventLog.add(...story(180));
  const pipeline = await pipelineOf(scene);
  const { turns } = scene.context;
  await turns.begin(7, signal);
  const first = hand(pipeline, scene, { from: 0, count: LARGE, signal });
  t.is(await Promise.race([first, sleep(200, 'waits')]), 'waits');
  turns.end(7);
  t.is(await first, LARGE);
  t.false(await hasEnded(turns.begin(7, signal)), 'the partition is behind, so its turn continues');
  t.true(pipeline.cachedStreams > 0);
  await pipeline.leave();
  await turns.begin(7, signal);
  const second = hand(pipeline, scene, { from: LARGE, count: LARGE, signal });
  stopping.abort();
  t.is(await second, LARGE, 'not begun');
  t.is((await scene.store.collections.checkpoints.findOne({ _id: 0 }))?.next, LARGE);
});

serially('a partition that is far behind waits for its turn before its first read', async t => {
  const scene = await createPartitionScene(mongo.database('turns'), { sharing: LIMITS });
  scene.eventLog.add(...story(180));
  const pipeline = await pipelineOf(scene);
  const { turns } = scene.context;
  const waiting = { signal: new AbortController().signal, heartbeat: async () => {} };
  await turns.begin(7, waiting.signal);
  const ready = pipeline.ready(waiting);
  t.false(await hasEnded(Promise.resolve(ready)));
  turns.end(7);
  await ready;
  t.is(turns.of(0), 'own', 'its turn has begun');
  t.is(pipeline.ready(waiting), null, 'a turn goes on');
  await pipeline.leave();
});

serially('a partition that is nearly at the end of its log reads without a turn', async t => {
  const scene = await createPartitionScene(mongo.database('turns'), { sharing: LIMITS });
  scene.eventLog.add(...story(40));
  const pipeline = await pipelineOf(scene);
  const { signal } = new AbortController();
  await scene.context.turns.begin(7, signal);
  t.is(pipeline.ready({ signal, heartbeat: async () => {} }), null);
  const all = { from: 0, count: scene.eventLog.records.length };
  t.is(await hand(pipeline, scene, all), all.count);
  await pipeline.leave();
});

serially('the next partition begins while the last chunk of the log is committed', async t => {
  const { scene, allow } = holdCommits(await harmedScene(mongo, story(70), { sharing: LIMITS }));
  const pipeline = await pipelineOf(scene);
  const { turns } = scene.context;
  const { length } = scene.eventLog.records;
  allow(0);
  const last = hand(pipeline, scene, { from: 0, count: length });
  await turns.begin(7, new AbortController().signal);
  t.is((await scene.store.collections.checkpoints.findOne({ _id: 0 }))?.next, 0);
  allow(1);
  t.is(await last, length);
  t.is(pipeline.cachedStreams, 0, "the memory is the other partition's");
});
