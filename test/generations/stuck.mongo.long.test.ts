// A build that cannot become active reports why, continues once it is repaired, and fails by itself if it cannot be.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { DamagedLogError } from '../../src/event-log/event-log.ts';
import { abandonBuild, requestBuild } from '../../src/generations/operate.ts';
import { runGenerations } from '../../src/generations/supervisor.ts';
import { UserError } from '../../src/process/errors.ts';
import { retryHeld, skipHeld } from '../../src/projector/operate/parked.ts';
import { changeRegistry, type Registry } from '../../src/store/registry.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import {
  CONTRADICTION,
  never,
  requestHeldBuild,
  type Supervised,
  verifying,
  withActive,
} from './supervised.ts';

const LIMITS = { rowsMax: 20_000 };
const HELD =
  'Stream budget-1 is held at sequence 2 in g2, but not in g1: budgeting parked list shows it';

const mongo = useMongo(test);

const active = (t: ExecutionContext) => withActive(t, mongo, CONTRADICTION);

/** A build holds a stream that the active generation does not hold. */
async function heldInBuild(t: ExecutionContext): Promise<Supervised> {
  const system = await active(t);
  await requestHeldBuild(system);
  return system;
}

const build = ({ generations }: Registry) => generations.at(-1);
const waits = (system: Supervised) => system.until(registry => build(registry)?.waitsFor != null);
const halted = { at: new Date(), reason: 'DATA_LOSS in folder x, partition 0: the test' };

test('a stream that is held only in the build is reported, and mending it suffices', async t => {
  const system = await heldInBuild(t);
  // It has no partition, and supervises the build too.
  const spare = system.deploy(1, { eventLog: never(system) });
  t.like(build(await waits(system)), { id: 'g2', state: 'building', waitsFor: HELD });
  await t.throwsAsync(requestBuild(system.readModel, 1), {
    instanceOf: UserError,
    message: `Generation g2 is being built already, by version 1; waits: ${HELD}; budgeting rebuild --abandon gives it up`,
  });
  await retryHeld(system.openStore('g2'), 'budget-1', LIMITS);
  await sleep(1500);
  await spare.stop();
  t.is(build(await system.registry())?.waitsFor, HELD, 'the retry had no effect');
  await skipHeld(system.openStore('g2'), 'budget-1', {
    missing: false,
    limits: LIMITS,
    now: new Date(),
  });
  const after = await system.until(({ active }) => active === 'g2');
  t.like(build(after), { state: 'active', waitsFor: null });
});

test('a stream that would step back keeps a build from becoming active', async t => {
  const system = await active(t);
  await requestBuild(system.readModel, 1);
  await system.until(({ active }) => active === 'g2');
  // Held in both, but further ahead in the active one.
  const { heads } = system.collectionsOf('g2');
  await heads.updateOne({ _id: 'budget-1' }, { $set: { sequence: 7 } });
  await system.ahead(60_000);
  await requestBuild(system.readModel, 1);
  t.is(
    build(await waits(system))?.waitsFor,
    'Stream budget-1 is at sequence 2 in g3, but at 7 in g2: budgeting parked list shows it',
  );
});

test('a build whose log is damaged fails by itself, and reports why', async t => {
  const system = await heldInBuild(t);
  await waits(system);
  const { checkpoints } = system.collectionsOf('g2');
  const { matchedCount } = await checkpoints.updateOne({}, { $set: { halted } });
  t.is(matchedCount, 1);
  const after = await system.until(registry => build(registry)?.state === 'failed');
  t.is(after.active, 'g1');
  t.like(build(after), { id: 'g2', reason: halted.reason, waitsFor: null });
  const { id } = await requestBuild(system.readModel, 1);
  t.is(id, 'g3', 'another build may be requested at once');
});

test('a build whose log is damaged during its verification fails before the switch', async t => {
  const system = await active(t);
  await system.stopDeployed();
  await requestBuild(system.readModel, 1);
  const { checkpoints } = system.collectionsOf('g2');
  const context = system.contextOf(1);
  const eventLog = verifying(context.eventLog, () =>
    checkpoints.updateMany({}, { $set: { halted } }),
  );
  system.deploy(1, { eventLog });
  const after = await system.until(registry => build(registry)?.state === 'failed');
  t.is(after.active, 'g1');
  t.is(build(after)?.reason, halted.reason);
});

test('an abandoned build stays abandoned, and another one may be requested at once', async t => {
  const system = await heldInBuild(t);
  await waits(system);
  const { build: given } = await abandonBuild(system.readModel);
  t.is(given.id, 'g2');
  t.like(build(await system.registry()), { state: 'failed', reason: 'Given up by an operator' });
  t.deepEqual((await system.registry()).rejectedVersions, []);
  await t.throwsAsync(abandonBuild(system.readModel), {
    instanceOf: UserError,
    message: 'There is no build to give up: g1 is active, g2 is failed',
  });
  await skipHeld(system.openStore('g2'), 'budget-1', {
    missing: false,
    limits: LIMITS,
    now: new Date(),
  });
  const { id } = await requestBuild(system.readModel, 1);
  t.is(id, 'g3');
  const after = await system.until(({ active }) => active === 'g3');
  t.deepEqual(
    after.generations.map(one => one.id),
    ['g1', 'g3'],
  );
  t.deepEqual(await leftOf(system, 'g2'), []);
});

test('a version whose build was abandoned does not build by itself', async t => {
  const system = await active(t);
  const second = system.deploy(2, { eventLog: never(system) });
  await system.until(registry => build(registry)?.version === 2);
  await abandonBuild(system.readModel);
  t.deepEqual((await system.registry()).rejectedVersions, [2]);
  await system.ahead(120_000);
  await system.until(({ generations }) => generations.length === 1);
  await sleep(1500);
  t.is((await system.registry()).generations.length, 1);
  await second.stop();
  system.deploy(2);
  await sleep(1500);
  t.is((await system.registry()).generations.length, 1);
  await requestBuild(system.readModel, 2);
  const after = await system.until(({ active }) => active !== 'g1');
  t.deepEqual(after.rejectedVersions, []);
});

test('a build that is abandoned during its verification is left alone at once', async t => {
  const system = await active(t);
  const begun = new AbortController();
  const ended = new AbortController();
  const stuck = verifying(system.eventLog, async () => {
    begun.abort();
    await sleep(2 ** 30, undefined, { signal: ended.signal }).catch(() => {});
  });
  await system.stopDeployed();
  await requestBuild(system.readModel, 1);
  system.deploy(1, { eventLog: stuck });
  while (!begun.signal.aborted) await sleep(20);
  await abandonBuild(system.readModel);
  await requestBuild(system.readModel, 1);
  // Records that are read until then have no effect.
  await sleep(1500);
  ended.abort();
  const after = await system.until(({ active }) => active === 'g3');
  t.deepEqual(
    after.generations.map(one => one.id),
    ['g1', 'g3'],
  );
  t.deepEqual(await leftOf(system, 'g2'), []);
});

test('a newer version replaces a stuck build, while the active generation stays up to date', async t => {
  const system = await active(t);
  system.deploy(2, { eventLog: never(system) });
  await system.until(registry => build(registry)?.version === 2);
  system.deploy(3);
  const replaced = await system.until(registry => build(registry)?.state === 'failed');
  t.like(build(replaced), { version: 2, reason: 'Version 3 takes its place', replacedBy: 3 });
  t.is(replaced.generations.length, 2);
  await sleep(1500);
  t.is(build(await system.registry())?.id, 'g2', 'its minute is not over');
  const eventOf = eventMaker('budget-2');
  await system.append([eventOf(CREATED)]);
  await awaitStream(system, 'g1', 'budget-2');
  await system.ahead(61_000);
  const after = await system.until(({ active }) => active !== 'g1');
  t.like(build(after), { id: 'g3', version: 3, state: 'active' });
  t.is(after.made, 3, 'version 2 did not build in between');
  t.deepEqual(await leftOf(system, 'g2'), []);
});

test('a build without a projector reports that, whichever version is active', async t => {
  const system = await active(t);
  await system.stopDeployed();
  await requestBuild(system.readModel, 2);
  const old = system.deploy(1, { stallMs: 100 });
  const nobody = 'No projector of version 2 has claimed partition';
  t.true(build(await waits(system))?.waitsFor?.startsWith(nobody));
  await old.stop();
  system.deploy(2, { stallMs: 60_000 });
  t.like(build(await system.until(({ active }) => active === 'g2')), { waitsFor: null });
});

test('a verification that is interrupted repeatedly reports that, and ends no process', async t => {
  const system = await active(t);
  await system.stopDeployed();
  await requestBuild(system.readModel, 1);
  const breaking = () => {
    throw new Error('the test');
  };
  const broken = system.deploy(1, { eventLog: verifying(system.eventLog, breaking) });
  t.regex(
    build(await waits(system))?.waitsFor ?? '',
    /^Its verification was broken off \d times in a row, the last time because: the test$/,
  );
  await broken.stop();
  system.deploy(1);
  const after = await system.until(({ active }) => active === 'g2');
  t.like(build(after), { waitsFor: null, brokenOff: 0 });
});

test('a log without the applied records fails the verification and the build', async t => {
  const system = await active(t);
  await system.stopDeployed();
  await requestBuild(system.readModel, 1);
  const damaged = () => {
    throw new DamagedLogError('Partition 0 of topic x does not hold offset 0');
  };
  system.deploy(1, { eventLog: verifying(system.eventLog, damaged) });
  const after = await system.until(registry => build(registry)?.state === 'failed');
  t.is(
    build(after)?.reason,
    'Verification found the log damaged: Partition 0 of topic x does not hold offset 0',
  );
});

test('a process that is killed during a verification leaves the build to another one', async t => {
  const system = await heldInBuild(t);
  await waits(system);
  await system.stopDeployed();
  const killed = { state: 'verifying', verifyingUntil: new Date(), waitsFor: null } as const;
  await changeRegistry(system.readModel, read => ({
    ...read,
    generations: read.generations.map(one => (one.id === 'g2' ? { ...one, ...killed } : one)),
  }));
  system.deploy(1);
  t.like(build(await waits(system)), { state: 'building', waitsFor: HELD });
});

test('the remains of a missing generation are dropped at the next start', async t => {
  const system = await active(t);
  await system.stopDeployed();
  await requestBuild(system.readModel, 1);
  await system.collectionsOf('g2').rows.createIndex({ set: 1 });
  await system.readModel.createCollection('g2_of_another_version');
  await system.collectionsOf('g3').rows.createIndex({ set: 1 });
  await changeRegistry(system.readModel, read => ({
    ...read,
    generations: read.generations.filter(({ id }) => id !== 'g2'),
  }));
  const stopping = new AbortController();
  const running = runGenerations(system.contextOf(1), stopping.signal);
  while ((await leftOf(system, 'g2')).length > 0) await sleep(50);
  t.deepEqual(await leftOf(system, 'g3'), ['g3_rows'], 'a later generation may be starting');
  t.true((await leftOf(system, 'g1')).length > 1);
  stopping.abort();
  await running;
});

async function awaitStream(system: Supervised, generation: string, stream: string): Promise<void> {
  const { heads } = system.collectionsOf(generation);
  while ((await heads.countDocuments({ _id: stream })) === 0) await sleep(50);
}

/** Returns the collections of a generation. */
async function leftOf({ readModel }: Supervised, id: string): Promise<string[]> {
  const found = await readModel.listCollections({}, { nameOnly: true }).toArray();
  return found.map(({ name }) => name).filter(name => name.startsWith(`${id}_`));
}
