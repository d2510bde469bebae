// Streams that are held for work whose process is gone, or is no longer the owner: they go on with nobody's help.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { heldStatuses } from '../../src/projector/operate/held-status.ts';
import { listHeld, skipHeld } from '../../src/projector/operate/parked.ts';
import {
  adoptShadowSet,
  leasedSets,
  readShadowSet,
  renewLease,
  type ShadowSet,
} from '../../src/store/shadow-sets.ts';
import { claimPartition } from '../../src/store/writing/checkpoints.ts';
import { NO_WRITES, openCommitSession } from '../../src/store/writing/commit.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, payee, row } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { PARTITION } from './log-in-memory.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';

const mongo = useMongo(test);

const REBUILD = fileURLToPath(new URL('./rebuild-process.js', import.meta.url));
const RENAMED: Draft = { type: 'account.renamed', data: { accountId: 'home', name: 'House' } };
const ROWS = Array.from({ length: 10 }, (_, index) => row(`row-${index}`));
const INVALID = [payee('a'), payee('a')];
const BIG = [CREATED, account('home', true), ...ROWS, ...INVALID, RENAMED, payee('waits')];
const LIMITS = { rowsMax: 5 };

function eventsOf(drafts: readonly Draft[]): object[] {
  const eventOf = eventMaker('budget-1');
  return drafts.map(draft => eventOf(draft));
}

test('a budget whose rebuild is killed by SIGKILL becomes live again', async t => {
  const scene = await createPartitionScene(mongo.database('killed'));
  await scene.tell(...eventsOf(BIG.slice(0, 3)));
  const before = await scene.head('budget-1');
  const child = fork(REBUILD, [mongo.url, scene.db.databaseName, 'budget-1'], { stdio: 'inherit' });
  await eventually(t, async tt => {
    tt.is((await scene.head('budget-1'))?.held?.reason, 'An operator has it rebuilt');
  });
  const work = async () =>
    (await heldStatuses(scene.store.collections, await listHeld(scene.store)))[0]?.work;
  t.is(await work(), 'rebuild');
  child.kill('SIGKILL');
  await once(child, 'exit');
  await scene.tell(...eventsOf(BIG.slice(0, 4)).slice(3));
  t.deepEqual(await scene.queue('budget-1'), [4]);
  await eventually(t, async tt => {
    tt.like(await scene.head('budget-1'), { set: before?.set, sequence: 4, held: null });
  });
  t.is(await scene.store.collections.shadowSets.countDocuments(), 0);
});

/** Returns a scene whose stream is held for a rebuild, whose process is gone or is at work. */
async function heldForRebuild(name: string): Promise<[PartitionScene, ShadowSet]> {
  const scene = await createPartitionScene(mongo.database(name));
  await scene.tell(...eventsOf(BIG.slice(0, 3)));
  const head = await scene.head('budget-1');
  if (!head) throw new Error('Expected a budget');
  const shadowSet: ShadowSet = {
    ...{ subject: 'budget-1', kind: 'rebuild', partition: PARTITION, owner: 'rebuild x' },
    ...{ set: '0-0.x', begun: true, cursor: null, absolute: 0 },
  };
  const held = {
    since: '2026-01-01T00:00:00.000Z',
    why: 'change',
    reason: 'x',
    queued: 0,
  } as const;
  await scene.store.session.commit({
    ...NO_WRITES,
    heads: [{ loaded: head, now: { ...head, held } }],
    begunSets: [shadowSet],
    also: session => renewLease(scene.store.collections.shadowSets, shadowSet, session),
  });
  return [scene, shadowSet];
}

test('a rebuild under its lease is left alone, and a renewed lease keeps its end from being stored', async t => {
  const [scene, from] = await heldForRebuild('leased');
  await scene.claim();
  await scene.claim('another');
  t.is((await scene.head('budget-1'))?.held?.why, 'change');
  const { shadowSets } = scene.store.collections;
  t.not(await readShadowSet(shadowSets, 'budget-1'), null);
  const step = { from, to: null, ifLapsed: true } as const;
  const end = () => scene.store.session.commit({ ...NO_WRITES, shadowStep: step });
  await t.throwsAsync(end, { message: /is written by another process/ });
  scene.context.shadowSets.released(PARTITION);
  // Of a process that is gone; the database's clock was set back since then.
  const later = new Date(Date.now() + 3_600_000);
  await shadowSets.updateOne({ _id: 'budget-1' }, { $set: { leaseUntil: later } });
  t.is((await leasedSets(shadowSets, {}))[0]?.isLapsed, true);
  await shadowSets.updateOne({ _id: 'budget-1' }, { $set: { leaseUntil: new Date(0) } });
  await t.notThrowsAsync(end);
});

test('a stream that is held for work without a shadow set is drained', async t => {
  const [scene] = await heldForRebuild('alone');
  await scene.claim();
  await scene.store.collections.shadowSets.deleteMany();
  await eventually(t, async tt => {
    tt.like(await scene.head('budget-1'), { sequence: 3, held: null });
  });
});

/** Returns a scene where an operator's skip has met a big change, and no projector works on it. */
async function begunBySkip(name: string): Promise<PartitionScene> {
  const scene = await createPartitionScene(mongo.database(name), { rowsMax: 5 });
  await scene.tell(...eventsOf(BIG));
  scene.context.shadowSets.released(PARTITION);
  const session = openCommitSession(mongo.client, scene.store.collections);
  const options = { missing: false, limits: LIMITS, now: new Date() };
  const head = await skipHeld({ ...scene.store, session }, 'budget-1', options);
  if (head.held?.why !== 'change') throw new Error('Expected a big change');
  return scene;
}

test('a big change that an operator began is written by the owner, and a former owner takes it no more', async t => {
  const scene = await begunBySkip('adopted');
  const { shadowSets, accounts } = scene.store.collections;
  t.like(await readShadowSet(shadowSets, 'budget-1'), { owner: '', kind: 'event' });
  await adoptShadowSet(shadowSets, 'budget-1', { owner: 'new', epoch: 7 });
  await adoptShadowSet(shadowSets, 'budget-1', { owner: 'former', epoch: 6 });
  t.like(await readShadowSet(shadowSets, 'budget-1'), { owner: 'new' });
  await scene.store.collections.checkpoints.updateOne({ _id: PARTITION }, { $set: { epoch: 7 } });
  await scene.claim();
  t.like(await scene.head('budget-1'), { sequence: BIG.length, held: null });
  t.is((await accounts.findOne({ id: 'home' }))?.name, 'House');
});

test('a big change that begins under a former owner, after the next one has looked, is written', async t => {
  const scene = await createPartitionScene(mongo.database('late'), { rowsMax: 5 });
  await scene.tell(...eventsOf(BIG));
  // The skip of a process that never heard of the next owner.
  const session = openCommitSession(mongo.client, scene.store.collections);
  await skipHeld({ ...scene.store, session }, 'budget-1', {
    ...{ missing: false, limits: LIMITS, now: new Date() },
  });
  await eventually(t, async tt => {
    tt.like(await scene.head('budget-1'), { sequence: BIG.length, held: null });
  });
});

test('a record without a sequence that comes during a big change does not take its place', async t => {
  const scene = await begunBySkip('broken');
  scene.eventLog.add({ key: 'budget-1', raw: '{"sequence"' });
  const claim = await claimPartition(scene.store.collections.checkpoints, {
    ...{ partition: PARTITION, owner: 'silent', sessions: [], partitions: 1 },
  });
  await scene.apply(claim, scene.eventLog.records.slice(claim.next));
  t.deepEqual(await scene.queue('budget-1'), [0, BIG.length - 1, BIG.length]);
  await scene.claim();
  // It arrived last, so it holds the stream behind all others.
  t.like(await scene.head('budget-1'), { sequence: BIG.length, held: { why: 'parked' } });
  t.deepEqual(await scene.queue('budget-1'), [0]);
  t.is((await scene.store.collections.accounts.findOne({ id: 'home' }))?.name, 'House');
});

test('a big change that turns out to be invalid stays parked after an outdated look', async t => {
  const wrong: Draft = { type: 'account.deleted', data: { accountId: 'gone' } };
  const scene = await createPartitionScene(mongo.database('invalid'));
  await scene.tell(...eventsOf([CREATED, wrong]));
  const parked = await scene.head('budget-1');
  t.is(parked?.held?.why, 'parked');
  // As a look finds it that began before the stream was parked.
  scene.context.shadowSets.start('budget-1');
  await scene.context.shadowSets.idle();
  t.deepEqual(await scene.head('budget-1'), parked);
});
