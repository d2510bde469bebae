// Somebody else changes a stream between two reads of a fold: nothing is parked or applied because of that.
import test from 'ava';
import type { EventLog } from '../../src/event-log/event-log.ts';
import { retryHeld } from '../../src/projector/parked.ts';
import { drain } from '../../src/projector/queue/drain.ts';
import { rebuildStream } from '../../src/projector/shadow/rebuild-stream.ts';
import { openCommitSession } from '../../src/read-store/commit.ts';
import { beforeScan } from '../event-log/before-scan.ts';
import { useMongo } from '../helpers/mongo.ts';
import { category, group, payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { hand, pipelineOf } from './hand-over.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';

const LIMITS = { documentsMax: 1000 };
const { signal } = new AbortController();
const mongo = useMongo(test);

/** What an operator's process does: it has a session of its own. */
function rebuild({ store, eventLog }: PartitionScene, log: EventLog = eventLog) {
  const session = openCommitSession(mongo.client, store.collections);
  const options = { eventLog: log, limits: LIMITS, now: new Date(), signal };
  return rebuildStream({ ...store, session }, 'budget-1', options);
}

test('an event that breaks on a set that was swept is folded again with the new one', async t => {
  const scene = await createPartitionScene(mongo.database('broken'));
  const eventOf = eventMaker('budget-1');
  await scene.tell(
    ...[CREATED, group('needs', 'envelope'), category('food', 'needs')].map(draft =>
      eventOf(draft),
    ),
  );
  const renamed = {
    type: 'category.renamed',
    data: { categoryId: 'food', name: 'Meals' },
  } as const;
  const deleted = {
    type: 'category.deleted',
    data: { categoryId: 'food', replacementCategoryId: null },
  } as const;
  scene.eventLog.add(...[renamed, deleted].map(draft => eventOf(draft)));
  // The pipeline keeps the category and not its group.
  const pipeline = await pipelineOf(scene);
  t.is(await hand(pipeline, scene, { from: 3, count: 1 }), 4);
  await pipeline.leave();
  const before = await scene.head('budget-1');
  const after = await rebuild(scene);
  t.not(after?.set, before?.set);
  while (pipeline.claim.next < 5) {
    await hand(pipeline, scene, { from: pipeline.claim.next, count: 1 });
  }
  t.like(await scene.head('budget-1'), { set: after?.set, sequence: 5, held: null });
  t.is(await scene.store.collections.categories.countDocuments({ set: after?.set ?? '' }), 0);
});

test('a queue is not drained while a rebuild that has just begun holds its stream', async t => {
  const scene = await createPartitionScene(mongo.database('drained'));
  const { store, eventLog } = scene;
  const eventOf = eventMaker('budget-1');
  await scene.tell(...[CREATED, payee('a'), payee('a'), payee('b')].map(draft => eventOf(draft)));
  const before = await scene.head('budget-1');
  t.like(before, { sequence: 2, held: { why: 'parked' } });
  await store.decisions.remember(
    { subject: 'budget-1', sequence: 3, eventId: 'budget-1.3' },
    new Date(),
  );
  const { load } = store.decisions;
  // The rebuild holds the stream, and reads the log only when the drain is done.
  let drained = () => {};
  const isDrained = new Promise<void>(resolve => {
    drained = resolve;
  });
  let rebuilding: ReturnType<typeof rebuild> | undefined;
  const begun = new Promise<void>(resolve => {
    const waiting = beforeScan(eventLog, async () => {
      resolve();
      await isDrained;
    });
    // A drain loads the decisions after its first look at the head.
    store.decisions.load = async () => {
      store.decisions.load = load;
      rebuilding = rebuild(scene, waiting);
      await begun;
      return load();
    };
  });
  t.like(await retryHeld(store, 'budget-1', LIMITS), { sequence: 2, held: { why: 'change' } });
  drained();
  const after = await rebuilding;
  t.not(after?.set, before?.set);
  t.like(await scene.head('budget-1'), { set: after?.set, sequence: 4, held: null });
});

test('two drains at once leave a queue with as many events as its head says', async t => {
  const scene = await createPartitionScene(mongo.database('twice'));
  const { store } = scene;
  const eventOf = eventMaker('budget-1');
  const names = ['a', 'a', 'b', 'b', 'c'];
  await scene.tell(eventOf(CREATED), ...names.map(name => eventOf(payee(name))));
  t.like(await scene.head('budget-1'), { sequence: 2, held: { queued: 4 } });
  const skipped = { subject: 'budget-1', sequence: 3, eventId: 'budget-1.3' };
  await store.decisions.remember(skipped, new Date());
  const { heads } = store.collections;
  const session = openCommitSession(mongo.client, store.collections);
  let isFirst = true;
  const find = (...args: Parameters<typeof heads.find>) => ({
    async toArray() {
      if (isFirst) {
        isFirst = false;
        await drain(scene.context, 'budget-1');
      }
      return await heads.find(...args).toArray();
    },
  });
  const findOne = heads.findOne.bind(heads);
  const late = { ...store.collections, heads: { find, findOne } } as never;
  const context = { ...scene.context, store: { ...store, session, collections: late } };
  t.like(await drain(context, 'budget-1'), { sequence: 4, held: { why: 'parked', queued: 2 } });
  t.deepEqual(await scene.queue('budget-1'), [5, 6]);
});
