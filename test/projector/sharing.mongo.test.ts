// Chunks of a partition that is far behind share a transaction. However it ends, early or in failure, the documents are
// those of chunks that are applied one after another.
import { setTimeout as sleep } from 'node:timers/promises';
import { dataLoss } from '../../src/projector/log-damage.ts';
import { Pipeline } from '../../src/projector/partition/pipeline.ts';
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import { openCommitSession } from '../../src/store/writing/commit.ts';
import { pauseGeneration, TooManyParkedError } from '../../src/store/writing/parking-alarm.ts';
import { test } from '../helpers/file-test.ts';
import { eventMaker } from '../projections/story.ts';
import { useFailingMongo } from './failing-mongo.ts';
import { failsAtRandom } from './fails-at-random.ts';
import { hand, pipelineOf, story } from './hand-over.ts';
import { handRest, LARGE, LIMITS, sharingIn, storedNext } from './sharing-scene.ts';
import { dump } from './test-store.ts';

const mongo = useFailingMongo(test);

// Serial, because fail points belong to the server.
const serially = test.serial;

const { sceneOf, sharing, undisturbed } = sharingIn(mongo);

serially('writes that fail at random leave no trace (seed 1)', t =>
  failsAtRandom(t, mongo, { seed: 1 }),
);

serially('six chunks share a transaction, and the checkpoint moves when it ends', async t => {
  const events = story(500);
  const { scene, pipeline } = await sharing(events);
  t.is(pipeline.phase, 'sharing');
  t.is(await storedNext(scene), 0);
  for (const part of [2, 3, 4]) {
    await hand(pipeline, scene, { from: part * LARGE, count: LARGE });
    t.is(pipeline.phase, 'sharing');
  }
  await hand(pipeline, scene, { from: 5 * LARGE, count: LARGE });
  t.not(pipeline.phase, 'sharing');
  await pipeline.leave();
  t.is(await storedNext(scene), 6 * LARGE);
  await handRest(pipeline, scene, 6 * LARGE);
  t.deepEqual(await dump(scene.store), await undisturbed(events));
});

serially('a pipeline ends its transaction before it releases the partition', async t => {
  const { scene, pipeline } = await sharing(story(250));
  await pipeline.leave();
  t.is(await storedNext(scene), 2 * LARGE);
  const claimed = await scene.claim('another');
  t.is(claimed.next, 2 * LARGE);
});

serially('a transaction ends when no more records come', async t => {
  const events = story(250);
  const { scene, pipeline } = await sharing(events, { sharing: LIMITS });
  while (pipeline.phase !== 'idle') await sleep(50);
  t.is(await storedNext(scene), 2 * LARGE);
  await handRest(pipeline, scene, 2 * LARGE);
  t.deepEqual(await dump(scene.store), await undisturbed(events));
});

serially('a search for rows waits for the commit of the folded ones', async t => {
  const eventOf = eventMaker('budget-1');
  const drafts = story(250).map(({ type, data }) => ({ type, data }));
  const renamed = { type: 'account.renamed', data: { accountId: 'home', name: 'House' } };
  const events = [...drafts.slice(0, 150), renamed, ...drafts.slice(150)].map(draft =>
    eventOf(draft as Parameters<typeof eventOf>[0]),
  );
  const { scene, pipeline } = await sharing(events);
  await hand(pipeline, scene, { from: 2 * LARGE, count: LARGE });
  t.is(await storedNext(scene), 2 * LARGE);
  await handRest(pipeline, scene, 3 * LARGE);
  t.deepEqual(await dump(scene.store), await undisturbed(events));
});

serially('an event that parks its stream is in the last part', async t => {
  const events: object[] = story(250);
  const invalid = { ...events[150], data: { accountId: 'nowhere', name: 'None' } };
  events[150] = { ...invalid, type: 'account.renamed' };
  const { scene, pipeline } = await sharing(events);
  await hand(pipeline, scene, { from: 2 * LARGE, count: LARGE });
  t.is(await storedNext(scene), 3 * LARGE);
  t.like(await scene.head('budget-1'), { sequence: 150, held: { why: 'parked', queued: 30 } });
  await handRest(pipeline, scene, 3 * LARGE);
  t.deepEqual(await dump(scene.store), await undisturbed(events));
});

serially('budget.deleted deletes the rows of earlier parts too', async t => {
  const events: object[] = [...story(130)];
  const last = events.length;
  const deleted = {
    ...events[0],
    type: 'budget.deleted',
    data: {},
    id: 'gone',
    sequence: last + 1,
  };
  const other = eventMaker('budget-2');
  const rest = story(150).map(({ type, data }) =>
    other({ type, data } as Parameters<typeof other>[0]),
  );
  const all = [...events, deleted, ...rest];
  const { scene, pipeline } = await sharing(all);
  await handRest(pipeline, scene, 2 * LARGE);
  await scene.context.shadowSets.idle();
  t.like(await scene.head('budget-1'), { deleted: true, set: null });
  t.deepEqual(await dump(scene.store), await undisturbed(all));
});

serially('a load that fails drops the parts, and single chunks follow', async t => {
  const events = story(400);
  const scene = await sceneOf(events);
  const first = await pipelineOf(scene);
  await hand(first, scene, { from: 0, count: LARGE });
  await first.leave();
  // Unlike the one that created the budget, this pipeline has to look for rows in the store.
  const pipeline = await pipelineOf(scene);
  await hand(pipeline, scene, { from: LARGE, count: LARGE });
  await hand(pipeline, scene, { from: 2 * LARGE, count: LARGE });
  t.is(pipeline.phase, 'sharing');
  const { namespace } = scene.store.collections.rows;
  // The driver tries a read twice.
  await mongo.fail(2, ['find'], { errorCode: 10107, namespace });
  t.is(
    await hand(pipeline, scene, { from: 3 * LARGE, count: LARGE }),
    LARGE,
    'back to where the parts began',
  );
  await hand(pipeline, scene, { from: LARGE, count: LARGE });
  t.not(pipeline.phase, 'sharing');
  await handRest(pipeline, scene, 2 * LARGE);
  t.deepEqual(await dump(scene.store), await undisturbed(events));
});

serially('a transaction that the server ended begins again', async t => {
  const events = story(350);
  const { scene, pipeline } = await sharing(events);
  // Of this transaction alone: other tests use the same server.
  await mongo.client
    .db('admin')
    .command({ killSessions: scene.store.session.ids.map(id => ({ id })) });
  await handRest(pipeline, scene, 2 * LARGE);
  t.deepEqual(await dump(scene.store), await undisturbed(events));
});

serially(
  'another owner does not wait for an open transaction, and the former one is fenced',
  async t => {
    const events = story(350);
    const { scene, pipeline } = await sharing(events);
    const taken = await scene.take('another');
    t.is(taken.claim.next, 0);
    let outcome = await hand(pipeline, scene, { from: 2 * LARGE, count: LARGE });
    while (typeof outcome === 'number')
      outcome = await hand(pipeline, scene, { from: outcome, count: LARGE });
    t.is(outcome, 'lost');
    const another = new Pipeline(scene.context, taken);
    await handRest(another, scene, 0);
    t.deepEqual(await dump(scene.store), await undisturbed(events));
  },
);

serially('a stream that was rebuilt between two parts is folded again', async t => {
  const events = story(350);
  const scene = await sceneOf(events, { sharing: LIMITS });
  const pipeline = await pipelineOf(scene);
  await hand(pipeline, scene, { from: 0, count: LARGE });
  await pipeline.leave();
  await hand(pipeline, scene, { from: LARGE, count: LARGE });
  t.is(pipeline.phase, 'sharing');
  const { context, store, eventLog } = scene;
  const { signal } = new AbortController();
  const now = new Date();
  const session = openCommitSession(mongo.harmed, store.collections);
  await rebuildStream({ ...store, session }, 'budget-1', {
    eventLog,
    limits: context.limits,
    now,
    signal,
  });
  const set = (await scene.head('budget-1'))?.set ?? '';
  t.not(set, '0-0');
  await handRest(pipeline, scene, 2 * LARGE);
  t.like(await scene.head('budget-1'), { set, sequence: events.length, held: null });
  t.is(await store.collections.rows.countDocuments({ set }), 351);
});

serially('a partition of a damaged log ends its transaction before it halts', async t => {
  const { scene, pipeline } = await sharing(story(250));
  await pipeline.halt(dataLoss(scene.eventLog, 0, 'it lost records'));
  t.is(await hand(pipeline, scene, { from: 2 * LARGE, count: LARGE }), 'halt');
  await pipeline.leave();
  const checkpoint = await scene.store.collections.checkpoints.findOne({ _id: 0 });
  t.is(checkpoint?.next, 2 * LARGE);
  t.regex(checkpoint?.halted?.reason ?? '', /it lost records/);
});

serially('a pause waits for the open transaction, and nothing more is applied', async t => {
  const { scene, pipeline } = await sharing(story(250), { sharing: LIMITS });
  const { collections } = scene.store;
  await pauseGeneration(collections, new TooManyParkedError('Too many are parked', [], 0));
  t.is(await storedNext(scene), 2 * LARGE, 'the second without records ended it');
  const stopping = new AbortController();
  for (const from of [2 * LARGE, 3 * LARGE]) {
    const next = from + LARGE;
    t.is(await hand(pipeline, scene, { from, count: LARGE }), next, 'its write is in progress');
  }
  const waiting = hand(pipeline, scene, { from: 4 * LARGE, count: LARGE, signal: stopping.signal });
  t.is(await Promise.race([waiting, sleep(300, 'waits')]), 'waits');
  stopping.abort();
  t.is(await waiting, 2 * LARGE);
  t.is(await storedNext(scene), 2 * LARGE);
});
