// `parked skip` beside other commands, and killed between its steps: it drops what its operator saw, or nothing.
import { HolderChangedError, skipHeld } from '../../src/projector/operate/parked.ts';
import { drain } from '../../src/projector/queue/drain.ts';
import type { ProjectorStore } from '../../src/projector/store.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { beforeCommit, killedAfter } from './committing.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { storeOpener } from './test-store.ts';

const mongo = useMongo(test);

const LIMITS = { rowsMax: 1000 };

async function projected(...names: readonly string[]): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database('skips'));
  const eventOf = eventMaker('budget-1');
  await scene.tell(eventOf(CREATED), ...names.map(name => eventOf(payee(name))));
  return scene;
}

const another = (store: ProjectorStore) => storeOpener(store)();

/** Runs `parked skip` in a session of its own, as a process would. */
function skip({ store }: PartitionScene, own = another(store), event?: string) {
  const options = { missing: false, event, limits: LIMITS, now: new Date() };
  return skipHeld(own, 'budget-1', options);
}

const decided = async ({ db }: PartitionScene) =>
  (await db.collection('decisions').find().sort({ sequence: 1 }).toArray()).map(
    ({ sequence }) => sequence,
  );

test('of two skips at once the later one drops nothing that its operator has not seen', async t => {
  // Sequences 3 and 5 are invalid.
  const scene = await projected('a', 'a', 'b', 'b', 'c');
  const late = beforeCommit(another(scene.store), async () => {
    t.like(await skip(scene), { sequence: 4, held: { why: 'parked' } });
  });
  // The first skip has dropped the same event, so the second one is done as well.
  t.like(await skip(scene, late), { sequence: 4, held: { why: 'parked' } });
  t.deepEqual(await decided(scene), [3]);
});

test('a skip is refused when another event holds the stream by the time of its decision', async t => {
  const scene = await projected('a', 'a', 'b', 'b', 'c');
  const { payees } = scene.store.collections;
  const late = beforeCommit(another(scene.store), async () => {
    // A release that can apply sequence 3 drains the queue meanwhile.
    await payees.deleteMany({ id: 'a' });
    await drain({ ...scene.context, isCommand: true }, 'budget-1');
    t.like(await scene.head('budget-1'), { sequence: 4, held: { why: 'parked' } });
  });
  await t.throwsAsync(skip(scene, late), {
    instanceOf: HolderChangedError,
    message:
      'Nothing was skipped: event budget-1.3 (sequence 3) no longer holds stream budget-1; now event budget-1.5 (sequence 5) holds it',
  });
  t.deepEqual(await decided(scene), []);
});

test('a skip that names its event drops no other one', async t => {
  const scene = await projected('a', 'a', 'b');
  await t.throwsAsync(skip(scene, another(scene.store), 'budget-1.2'), {
    message:
      'Nothing was skipped: event budget-1.2 does not hold stream budget-1; event budget-1.3 (sequence 3) holds it',
  });
  t.deepEqual(await decided(scene), []);
  t.like(await skip(scene, another(scene.store), 'budget-1.3'), { sequence: 4, held: null });
});

test('when a skip is killed after its decision, the owner of the partition drains the queue', async t => {
  const scene = await projected('a', 'a', 'b');
  await scene.claim();
  await t.throwsAsync(skip(scene, killedAfter(another(scene.store), 1)), {
    message: 'Killed',
  });
  await eventually(t, async tt => {
    tt.like(await scene.head('budget-1'), { sequence: 4, held: null });
  });
  t.deepEqual(await decided(scene), [3]);
});

test('a skip that was killed between two steps of its drain and runs again drops no valid event', async t => {
  // More events than one step takes.
  const names = Array.from({ length: 1100 }, (_, index) => `p${index}`);
  const scene = await projected('a', 'a', ...names);
  // No projector runs.
  scene.context.shadowSets.released(0);
  await t.throwsAsync(skip(scene, killedAfter(another(scene.store), 2)), {
    message: 'Killed',
  });
  const held = (await scene.head('budget-1'))?.held;
  t.like(held, { why: 'change', reason: 'Its queue is being applied' });
  t.is(held?.entry, undefined);
  await t.throwsAsync(skip(scene), {
    message:
      'Stream budget-1 is held for work (Its queue is being applied), which goes on by itself',
  });
  t.deepEqual(await decided(scene), [3]);
  await scene.claim();
  t.like(await scene.head('budget-1'), { sequence: 1103, held: null });
  t.is(await scene.store.collections.payees.countDocuments(), 1101);
});

test('a queue whose parked event is gone, as earlier releases left it, is drained and nothing is dropped', async t => {
  const scene = await projected('a', 'a', 'b');
  scene.context.shadowSets.released(0);
  const { heads, waiting } = scene.store.collections;
  await waiting.deleteOne({ sequence: 3 });
  await heads.updateOne({ _id: 'budget-1' }, { $set: { sequence: 3, 'held.queued': 1 } });
  t.like(await skip(scene), { sequence: 4, held: null });
  t.deepEqual(await decided(scene), []);
});

test('a fold that began before a decision and loads its head after it obeys the decision', async t => {
  const scene = await createPartitionScene(mongo.database('skips'));
  const eventOf = eventMaker('budget-1');
  const [created, deleted, later] = [
    CREATED,
    { type: 'budget.deleted', data: {} } as const,
    payee('a'),
  ].map(draft => eventOf(draft)) as [object, object, object];
  await scene.tell(created, later);
  scene.context.shadowSets.released(0);
  scene.eventLog.add(deleted);
  const claimed = await scene.claim();
  scene.context.shadowSets.released(0);
  const { store } = scene;
  const { load } = store.decisions;
  let hasDecided = false;
  const decisions = {
    ...store.decisions,
    async load() {
      const loaded = await load();
      if (hasDecided) return loaded;
      hasDecided = true;
      // The operator gives sequence 2 up, and is killed before the drain.
      const killed = killedAfter(another(store), 1);
      const options = { missing: true, limits: LIMITS, now: new Date() };
      await t.throwsAsync(skipHeld(killed, 'budget-1', options));
      return loaded;
    },
  };
  const context = { ...scene.context, store: { ...store, decisions } };
  await scene.apply(claimed, scene.eventLog.records.slice(2), { context });
  t.like(await scene.head('budget-1'), { deleted: false });
  await drain({ ...scene.context, isCommand: true }, 'budget-1');
  t.like(await scene.head('budget-1'), { sequence: 3, held: null, deleted: false });
  const fresh = await createPartitionScene(scene.db, {
    generation: 'g2',
    eventLog: scene.eventLog,
  });
  await fresh.project();
  t.like(await fresh.head('budget-1'), { sequence: 3, held: null, deleted: false });
});
