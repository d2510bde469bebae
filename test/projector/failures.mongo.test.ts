// Failures of the database during a commit: the checkpoint resolves unknown results, transient errors are retried, and
// nothing is applied twice or left out (rules/projecting.md#unknown-outcomes).
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from '../helpers/file-test.ts';
import { account, payee, row } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { beforeCommit } from './committing.ts';
import { useFailingMongo } from './failing-mongo.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

const mongo = useFailingMongo(test);

// Serial, because fail points belong to the server.
const serially = test.serial;

function story(count: number): object[] {
  const eventOf = eventMaker('budget-1');
  const rows = Array.from({ length: count }, (_, index) => row(`row-${index}`));
  return [CREATED, account('home', true), ...rows].map(draft => eventOf(draft));
}

/** Ten events are in the log, four of them applied; commands of the scene's client can be made to fail. */
async function harmedScene(): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('failures'), { client: mongo.harmed });
  scene.eventLog.add(...story(8));
  await scene.apply(await scene.claim(), scene.eventLog.records.slice(0, 4));
  return scene;
}

async function undisturbed(): Promise<string[]> {
  const scene = await createPartitionScene(mongo.database('failures'));
  await scene.tell(...story(8));
  return dump(scene.store);
}

const NOT_PRIMARY = { errorCode: 10107 };
/** The commit took place, but the server does not know whether a majority has it. */
const UNKNOWN = { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } };
/** A commit is tried three times; the driver sends a failed command twice. */
const COMMITS = 3;

const FAILURES: readonly (readonly [string, number, readonly string[], object])[] = [
  ['a commit took place, and its result stays unknown', COMMITS, ['commitTransaction'], UNKNOWN],
  ['a commit took place, and the second try returns its result', 1, ['commitTransaction'], UNKNOWN],
  [
    'a commit never reached the server',
    2 * COMMITS,
    ['commitTransaction'],
    { closeConnection: true },
  ],
  ['a commit was refused', 2 * COMMITS, ['commitTransaction'], NOT_PRIMARY],
  ['two transactions met', 3, ['update'], { errorCode: 112 }],
  ['the primary stepped down while rows were written', 2, ['insert'], NOT_PRIMARY],
  ['the connection broke while heads were written', 2, ['update'], { closeConnection: true }],
  ['the connection broke while documents were read', 4, ['find'], { closeConnection: true }],
  ['an operation met a locked document and timed out', 2, ['update'], { errorCode: 50 }],
];

for (const [title, times, commands, how] of FAILURES) {
  serially(`${title}: the events are applied once`, async t => {
    const scene = await harmedScene();
    const claimed = await scene.claim();
    await mongo.fail(times, commands, how);
    const applied = await scene.apply(claimed, scene.eventLog.records);
    await mongo.heal();
    t.is(applied.next, 10);
    t.deepEqual(await dump(scene.store), await undisturbed());
    const checkpoint = await scene.store.collections.checkpoints.findOne({ _id: 0 });
    t.deepEqual(applied.fingerprints, checkpoint?.fingerprints);
    // The next chunk continues after it.
    scene.eventLog.add(eventMaker('budget-1')(payee('shop'), { sequence: 11 }));
    t.is((await scene.apply(applied, scene.eventLog.records)).next, 11);
  });
}

serially(
  'a commit with an unknown result is followed by the usual steps: a gap closes',
  async t => {
    const scene = await createPartitionScene(mongo.database('failures'), { client: mongo.harmed });
    const [created, opened, first, second] = story(2);
    await scene.tell(created ?? {}, first ?? {}, second ?? {});
    t.deepEqual(await scene.queue('budget-1'), [3, 4]);
    const claimed = await scene.claim();
    scene.eventLog.add(opened ?? {});
    await mongo.fail(COMMITS, ['commitTransaction'], {
      writeConcernError: { code: 91, errmsg: 'going down' },
    });
    await scene.apply(claimed, scene.eventLog.records);
    t.like(await scene.head('budget-1'), { sequence: 4, held: null });
    t.deepEqual(await scene.queue('budget-1'), []);
  },
);

for (const [commands, times] of [
  [['count'], 3],
  [['findAndModify'], 1],
  [['commitTransaction'], 2 * COMMITS],
] as const) {
  serially(`a parked stream counts once where ${commands} failed`, async t => {
    const scene = await createPartitionScene(mongo.database('failures'), { client: mongo.harmed });
    const claimed = await scene.claim();
    const eventOf = eventMaker('budget-1');
    scene.eventLog.add(...[CREATED, payee('a'), payee('a')].map(draft => eventOf(draft)));
    await mongo.fail(times, commands, NOT_PRIMARY);
    t.is((await scene.apply(claimed, scene.eventLog.records)).next, 3);
    t.true(scene.lines.some(({ retryInMs }) => retryInMs));
    t.like(await scene.head('budget-1'), { sequence: 2, held: { why: 'parked', queued: 1 } });
    const alarm = await scene.store.collections.alarms.findOne({ _id: 'parking' });
    t.deepEqual(
      alarm?.buckets.map(({ parked }) => parked),
      [1],
    );
  });
}

serially('events wait once in a queue whose write lost its connection', async t => {
  const scene = await createPartitionScene(mongo.database('failures'), { client: mongo.harmed });
  const [created, , first, second] = story(2);
  await scene.tell(created ?? {});
  const claimed = await scene.claim();
  scene.eventLog.add(first ?? {}, second ?? {});
  await mongo.fail(1, ['insert'], { closeConnection: true });
  await scene.apply(claimed, scene.eventLog.records);
  t.deepEqual(await scene.queue('budget-1'), [3, 4]);
  t.like(await scene.head('budget-1'), { sequence: 1, held: { queued: 2 } });
});

serially('a claim waits for a primary', async t => {
  const scene = await harmedScene();
  await mongo.fail(3, ['findAndModify'], NOT_PRIMARY);
  const claimed = await scene.claim('another');
  t.is(claimed.next, 4);
  t.is(claimed.epoch, 2);
});

serially('an error that no retry can fix reaches the caller', async t => {
  const scene = await harmedScene();
  const claimed = await scene.claim();
  await mongo.fail(1, ['insert'], { errorCode: 2, errorLabels: [] });
  await t.throwsAsync(scene.apply(claimed, scene.eventLog.records), { code: 2 });
  t.like(await scene.head('budget-1'), { sequence: 4 });
});

/** Acts between the fold of a chunk and its first commit. */
function before(scene: PartitionScene, act: () => Promise<void>): PartitionScene['context'] {
  return { ...scene.context, store: beforeCommit(scene.store, act) };
}

serially('a stream that another process changed meanwhile is folded again', async t => {
  const scene = await createPartitionScene(mongo.database('failures'));
  const eventOf = eventMaker('budget-1');
  await scene.tell(...[CREATED, payee('shop')].map(draft => eventOf(draft)));
  const { heads } = scene.store.collections;
  scene.eventLog.add(eventOf(payee('mall')));
  const context = before(scene, async () => {
    await heads.updateOne({ _id: 'budget-1' }, { $set: { sequence: 3, eventId: 'budget-1.3' } });
  });
  const applied = await scene.apply(await scene.claim(), scene.eventLog.records, { context });
  t.is(applied.next, 3);
  // Folded on top of the other change, the event is a duplicate.
  t.is(await scene.store.collections.payees.countDocuments(), 1);
  t.regex(scene.lines.find(({ retryInMs }) => retryInMs)?.reason, /changed by another process/);
});

serially('a stream that another process is just creating is folded again', async t => {
  const scene = await createPartitionScene(mongo.database('failures'));
  scene.eventLog.add(eventMaker('budget-1')(CREATED));
  const other = await createPartitionScene(mongo.database('failures'));
  await other.tell(eventMaker('budget-1')(CREATED));
  const head = await other.store.collections.heads.findOne({ _id: 'budget-1' });
  const context = before(scene, async () => {
    if (head) await scene.store.collections.heads.insertOne(head);
  });
  await scene.apply(await scene.claim(), scene.eventLog.records, { context });
  t.like(await scene.head('budget-1'), { sequence: 1 });
});

serially('a commit waits for a head that an open transaction has locked', async t => {
  const scene = await createPartitionScene(mongo.database('failures'));
  const eventOf = eventMaker('budget-1');
  await scene.tell(eventOf(CREATED));
  scene.eventLog.add(eventOf(payee('shop')));
  const isReported = () => scene.lines.some(({ retryInMs }) => retryInMs);
  const context = before(scene, async () => {
    const holder = mongo.client.startSession();
    holder.startTransaction();
    const change = { $set: { partition: 0 }, $currentDate: { touched: true } };
    await scene.store.collections.heads.updateOne({ _id: 'budget-1' }, change as object, {
      session: holder,
    });
    const letGo = async () => {
      while (!isReported()) await sleep(20);
      await holder.abortTransaction();
    };
    void letGo();
  });
  const applied = await scene.apply(await scene.claim(), scene.eventLog.records, { context });
  t.is(applied.next, 2);
  t.like(await scene.head('budget-1'), { sequence: 2 });
  t.true(isReported());
});
