// A decision counts in all generations: what one of them has applied is not given up in another, and a fold that is under
// way in one obeys a decision that was made in another.
import { setTimeout as sleep } from 'node:timers/promises';
import { newShadowSet } from '../../src/projector/fold/fold-writes.ts';
import { skipHeld } from '../../src/projector/operate/parked.ts';
import { drain } from '../../src/projector/queue/drain.ts';
import { withNew } from '../../src/store/generation-plan.ts';
import { changeRegistry, readRegistry } from '../../src/store/registry.ts';
import type { CommitSession } from '../../src/store/writing/commit.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { beforeCommit } from './committing.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

const mongo = useMongo(test);

const OPTIONS = { missing: true, limits: { rowsMax: 1000 }, now: new Date() };
/** Of a partition that no scene claims, so that nobody writes or ends the big change meanwhile. */
const UNCLAIMED = { partition: 7 } as never;
const STATES = { g1: 'active', g2: 'building' } as const;

interface Two {
  /** Its log ends before the missing event. */
  readonly behind: PartitionScene;
  readonly ahead: PartitionScene;
  readonly missing: LogEvent;
}

/** Returns two generations, of which the one behind waits for the second of four events. */
async function two(
  states: Readonly<Record<string, string>> = STATES,
  aheadVersion = 1,
): Promise<Two> {
  const db = mongo.database('elsewhere');
  const eventOf = eventMaker('budget-1') as (draft: object) => LogEvent;
  const [created, missing, ...rest] = [CREATED, payee('a'), payee('b'), payee('c')].map(eventOf);
  const ahead = await createPartitionScene(db, { generation: 'g1' });
  const behind = await createPartitionScene(db, { generation: 'g2' });
  await changeRegistry(db, (registry, now) => ({
    ...registry,
    active: 'g1',
    made: 2,
    generations: Object.entries(states).map(([id, state]) => ({
      ...{ id, state: state as 'active', version: id === 'g1' ? aheadVersion : 1 },
      ...{ startedAt: now, activatedAt: null },
      ...{ retiredAt: null, reason: null, waitsFor: null, verifyingUntil: null },
    })),
  }));
  await behind.tell(created as object, ...rest);
  ahead.eventLog.add(created as object, ...rest);
  return { behind, ahead, missing: missing as LogEvent };
}

const skip = ({ store }: PartitionScene, options = {}) =>
  skipHeld(store, 'budget-1', { ...OPTIONS, ...options });

const decisionsIn = ({ db }: PartitionScene) => db.collection('decisions').countDocuments();
const payeesIn = ({ store }: PartitionScene) => store.collections.payees.countDocuments();

/** Acts before the first commit of a scene's projector. */
async function projectedOver(scene: PartitionScene, act: () => Promise<unknown>): Promise<void> {
  const claimed = await scene.claim();
  const records = scene.eventLog.records.slice(claimed.next);
  const context = { ...scene.context, store: beforeCommit(scene.store, act) };
  await scene.apply(claimed, records, { context });
}

test('what another generation has applied is not given up, and nothing changes', async t => {
  const { behind, ahead, missing } = await two();
  await ahead.tell(missing);
  t.like(await ahead.head('budget-1'), { sequence: 4, held: null });
  const before = [await dump(behind.store), await dump(ahead.store)];
  const registry = await readRegistry(behind.db);
  await t.throwsAsync(skip(behind), {
    message:
      'Nothing was skipped: sequence 2 of stream budget-1 is not missing, generation g1 has applied it',
  });
  t.deepEqual([await dump(behind.store), await dump(ahead.store)], before);
  t.is(await decisionsIn(behind), 0);
  await behind.tell(missing);
  t.like(await behind.head('budget-1'), { sequence: 4, held: null });
  t.deepEqual(await readRegistry(behind.db), registry);
});

test('what another generation gave up before is given up again', async t => {
  // As long as nobody feeds it, the decision does not reach the generation behind.
  const { behind, ahead } = await two({ g1: 'active', g2: 'rejected' });
  await ahead.project();
  await skip(ahead);
  t.like(await ahead.head('budget-1'), { sequence: 4, held: null, skipped: [[2, 2]] });
  await behind.db.collection('decisions').deleteMany({});
  await changeRegistry(behind.db, registry => ({
    ...registry,
    generations: registry.generations.map(one => {
      return one.id === 'g2' ? { ...one, state: 'building' as const } : one;
    }),
  }));
  t.like(await skip(behind), { sequence: 4, held: null, skipped: [[2, 2]] });
});

for (const [title, begun] of [
  ['that has not met the stream', false],
  ['that holds the stream', true],
] as const) {
  test(`a fold under way in a generation ${title} obeys the decision`, async t => {
    const { behind, ahead, missing } = await two();
    if (begun) await ahead.project();
    ahead.eventLog.add(missing);
    await projectedOver(ahead, () => skip(behind));
    await ahead.claim();
    t.like(await ahead.head('budget-1'), { sequence: 4, held: null, skipped: [[2, 2]] });
    t.is(await payeesIn(ahead), 2);
    t.like(await behind.head('budget-1'), { sequence: 4, held: null, skipped: [[2, 2]] });
  });
}

for (const [title, isDrained] of [
  ['while it is skipped', false],
  ['while it is skipped, and drained at once,', true],
] as const) {
  test(`an event that is parked elsewhere ${title} does not stay parked`, async t => {
    const { behind, ahead } = await two();
    const eventOf = eventMaker('budget-2');
    const [first, bad] = [eventOf(CREATED), { ...eventOf(payee('a')), type: 7 }];
    await behind.tell(first, bad);
    await ahead.tell(first);
    ahead.eventLog.add(bad);
    await projectedOver(ahead, async () => {
      await skipHeld(behind.store, 'budget-2', { ...OPTIONS, missing: false });
      // On a slow machine the runner of shadow sets may have drained the queue already.
      if (isDrained) await drain(ahead.context, 'budget-2');
    });
    await ahead.claim();
    t.like(await ahead.head('budget-2'), { sequence: 2, held: null });
    t.is(await ahead.store.collections.waiting.countDocuments({ subject: 'budget-2' }), 0);
  });
}

test('a stream that is being changed in another generation is decided on later', async t => {
  const { behind, ahead } = await two();
  await ahead.project();
  const { shadowSets } = ahead.store.collections;
  const { subject, absolute, ...rest } = newShadowSet('budget-1', UNCLAIMED, '');
  await shadowSets.insertOne({ _id: subject, absolute, ...rest });
  await t.throwsAsync(skip(behind), {
    message:
      'Nothing was skipped: generation g1 is changing stream budget-1; try again when it is no longer held there, or give up a build that stands still (budgeting rebuild --abandon)',
  });
  t.is(await decisionsIn(behind), 0);
  await shadowSets.deleteMany({});
  t.like(await skip(behind), { sequence: 4, held: null });
});

test('a head of another release keeps the fields that this one does not know', async t => {
  const { behind, ahead } = await two();
  await ahead.project();
  const { heads } = ahead.store.collections;
  await heads.updateOne({ _id: 'budget-1' }, { $set: { later: 1 } } as object);
  await skip(behind);
  t.like(await heads.findOne({ _id: 'budget-1' }), {
    ...{ later: 1, sequence: 1 },
    held: { why: 'change', reason: 'An operator has decided on sequence 2', queued: 2 },
  });
});

for (const [behindState, aheadState, isRefused] of [
  ['retired', 'active', true],
  ['active', 'building', true],
  ['building', 'active', false],
] as const) {
  test(`an event that the ${aheadState} generation has applied, parked in the ${behindState} one, is ${isRefused ? 'not ' : ''}skipped`, async t => {
    const { behind, ahead, missing } = await two({ g1: aheadState, g2: behindState });
    await behind.tell(missing);
    await ahead.tell(missing);
    const eventOf = eventMaker('budget-2');
    const [first, good] = [eventOf(CREATED), eventOf(payee('a'))];
    await ahead.tell(first, good);
    // Its projections refuse what the other ones apply.
    await behind.tell(first, { ...good, data: {} });
    t.like(await behind.head('budget-2'), { sequence: 1, held: { why: 'parked' } });
    const skipping = skipHeld(behind.store, 'budget-2', { ...OPTIONS, missing: false });
    if (isRefused) {
      const message =
        'Nothing was skipped: sequence 2 of stream budget-2 would be lost, generation g1 has applied it';
      await t.throwsAsync(skipping, { message });
    } else t.like(await skipping, { sequence: 2, held: null });
    t.is(await decisionsIn(behind), isRefused ? 0 : 1);
  });
}

test('a build of a later version that is just applying what is skipped obeys, and is left alone while it writes a big change', async t => {
  const { behind, ahead, missing } = await two({ g1: 'building', g2: 'active' }, 2);
  await behind.tell(missing);
  await ahead.tell(missing);
  const eventOf = eventMaker('budget-2');
  const [first, good] = [eventOf(CREATED), eventOf(payee('a'))];
  await behind.tell(first, { ...good, data: {} });
  await ahead.tell(first);
  const { shadowSets } = ahead.store.collections;
  const { subject, absolute, ...rest } = newShadowSet('budget-2', UNCLAIMED, '');
  await shadowSets.insertOne({ _id: subject, absolute, ...rest });
  const skipIt = () => skipHeld(behind.store, 'budget-2', { ...OPTIONS, missing: false });
  await t.throwsAsync(skipIt(), {
    message: /^Nothing was skipped: generation g1 is changing stream budget-2/,
  });
  t.is(await decisionsIn(behind), 0);
  await shadowSets.deleteMany({});
  ahead.eventLog.add(good);
  await projectedOver(ahead, skipIt);
  t.like(await ahead.head('budget-2'), { sequence: 2, held: null, skipped: [[2, 2]], decided: 1 });
  t.is(await ahead.store.collections.payees.countDocuments({ set: { $regex: '^0-4' } }), 0);
  t.like(await behind.head('budget-2'), { sequence: 2, held: null, skipped: [[2, 2]] });
});

test('a decision makes no stream begin: a record that is no event stays outside of it', async t => {
  const { behind, ahead } = await two();
  const eventOf = eventMaker('budget-2');
  const [first, bad] = [eventOf(CREATED), { ...eventOf(payee('a')), type: 7 }];
  const story = [{ subject: 'budget-2' }, first, bad];
  await behind.tell(...story);
  ahead.eventLog.add(...story);
  await skipHeld(behind.store, 'budget-2', { ...OPTIONS, missing: false });
  t.like(await ahead.head('budget-2'), { sequence: 0, held: { why: 'change', queued: 0 } });
  await ahead.project();
  t.like(await ahead.head('budget-2'), { sequence: 2, held: null });
  for (const { store } of [behind, ahead]) {
    t.is(await store.collections.quarantine.countDocuments(), 1);
  }
});

test('a generation that no projector feeds is left alone', async t => {
  const { behind, ahead, missing } = await two({ g1: 'rejected', g2: 'active' });
  await ahead.tell(missing);
  const before = await dump(ahead.store);
  t.like(await skip(behind), { sequence: 4, held: null });
  t.deepEqual(await dump(ahead.store), before);
});

test('a build that is requested while a decision is stored begins after it', async t => {
  const { behind } = await two();
  const { db, store } = behind;
  let build: Promise<unknown> | null = null;
  const session: CommitSession = {
    ...store.session,
    commit: writes =>
      store.session.commit({
        ...writes,
        async also(transaction) {
          await writes.also?.(transaction);
          if (build) return;
          build = changeRegistry(db, read => withNew(read, 2, new Date()));
          await Promise.race([build, sleep(500)]);
          t.is((await readRegistry(db)).generations.length, 2);
        },
      }),
  };
  await skipHeld({ ...store, session }, 'budget-1', OPTIONS);
  await build;
  t.is((await readRegistry(db)).generations.length, 3);
  t.is(await decisionsIn(behind), 1);
});
