// Chunks that overlap: more random histories, and the turns of a long catch-up.
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { useFailingMongo } from './failing-mongo.ts';
import { commitsFail } from './fails-at-random.ts';
import { hand, pipelineOf, story } from './hand-over.ts';
import { createPartitionScene } from './partition-scene.ts';
import { LARGE, LIMITS } from './sharing-scene.ts';

const mongo = useFailingMongo(test);

// Serial, because fail points belong to the server.
const serially = test.serial;

/** Returns whether a wait has ended by now. */
async function hasEnded(wait: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([wait, sleep(50, 'waits')])) !== 'waits';
}

for (const seed of [2, 3]) {
  serially(`commits that fail at random leave no trace (seed ${seed})`, async t => {
    await commitsFail(t, mongo, seed);
  });
}

serially(
  'another partition continues after a long turn, and the cache is empty meanwhile',
  async t => {
    const scene = await createPartitionScene(mongo.database('turns'), { sharing: LIMITS });
    scene.eventLog.add(...story(1800));
    const { length } = scene.eventLog.records;
    const pipeline = await pipelineOf(scene);
    const { turns } = scene.context;
    const { signal } = new AbortController();
    let next = 0;
    for (; next < LARGE * 23; next += LARGE)
      t.is(await hand(pipeline, scene, { from: next, count: LARGE }), next + LARGE);
    const other = turns.begin(7, signal);
    t.is(await hand(pipeline, scene, { from: next, count: LARGE }), next + LARGE);
    await other;
    t.is(pipeline.cachedStreams, 0, "the memory is the other partition's");
    t.is((await scene.store.collections.checkpoints.findOne({ _id: 0 }))?.next, next + LARGE);
    const ready = pipeline.ready({ signal, heartbeat: async () => {} });
    t.false(await hasEnded(Promise.resolve(ready)));
    turns.end(7);
    await ready;
    for (next += LARGE; next < length; next += LARGE)
      await hand(pipeline, scene, { from: next, count: LARGE });
    await pipeline.leave();
    t.is((await scene.store.collections.checkpoints.findOne({ _id: 0 }))?.next, length);
  },
);
