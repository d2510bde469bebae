// What fails in one process fails no build that others can bring to its end, and none by a process that only stops.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { EventLog } from '../../src/event-log/event-log.ts';
import type { GenerationsContext } from '../../src/generations/generations-context.ts';
import { requestBuild } from '../../src/generations/operate.ts';
import { runGenerations } from '../../src/generations/supervisor.ts';
import { UserError } from '../../src/process/errors.ts';
import type { Registry } from '../../src/store/registry.ts';
import { test } from '../helpers/file-test.ts';
import { gate } from '../helpers/gate.ts';
import { useMongo } from '../helpers/mongo.ts';
import { payee } from '../model/scene.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { type Supervised, verifying, withActive } from './supervised.ts';

const mongo = useMongo(test);
const REFUSED = new UserError('Not allowed: group g2');

/** Generation g1 is active, and g2 is to be built; no process runs. */
async function withBuild(t: ExecutionContext): Promise<Supervised> {
  const system = await withActive(t, mongo, [CREATED, payee('a'), payee('b')]);
  await system.stopDeployed();
  await requestBuild(system.readModel, 1);
  return system;
}

/** Runs a process with these differences from others; `ended` resolves with the error that it ended with, if any. */
function runs(t: ExecutionContext, system: Supervised, changes: Partial<GenerationsContext>) {
  const stopping = new AbortController();
  const running = runGenerations({ ...system.contextOf(1), ...changes }, stopping.signal);
  const ended = running.then(
    () => null,
    (error: unknown) => error,
  );
  t.teardown(() => stopping.abort());
  return { ended, stop: () => stopping.abort() };
}

/** A log that delivers nothing for this group: its subscription fails, by an error that is given, or once `when` resolves. */
function refusing(
  eventLog: EventLog,
  group: string,
  when: Promise<unknown> | UserError | null,
): EventLog {
  return {
    ...eventLog,
    async subscribe(subscriber, options) {
      if (options.group !== group) return await eventLog.subscribe(subscriber, options);
      await when;
      throw when instanceof UserError ? when : REFUSED;
    },
  };
}

/** The parts of each generation; before the rows of g2 get their late indexes, the test acts. */
function indexing(system: Supervised, act: () => Promise<void>): GenerationsContext['partsOf'] {
  return id => {
    const { collections, ...parts } = system.partsOf(id);
    if (id !== 'g2') return { ...parts, collections };
    const { db, collectionName } = collections.rows;
    const place = Object.create(db.collection(collectionName));
    place.createIndexes = () => act();
    const rows = Object.create(collections.rows, { db: { value: { collection: () => place } } });
    return { ...parts, collections: { ...collections, rows } };
  };
}

/** Runs a process until it fails to verify the build, by this error; it goes on. */
async function triesToVerify(t: ExecutionContext, system: Supervised, error: Error) {
  const tried = gate();
  const log = verifying(system.eventLog, () => {
    tried.open();
    throw error;
  });
  const running = runs(t, system, { eventLog: log });
  await tried.opened;
  return running;
}

const build = ({ generations }: Registry) => generations.find(({ id }) => id === 'g2');

test('a process that cannot feed a build leaves it to others, and ends once it is active', async t => {
  const system = await withBuild(t);
  const { ended } = runs(t, system, { eventLog: refusing(system.eventLog, 'g2', null) });
  system.deploy(1);
  t.like(build(await system.until(({ active }) => active === 'g2')), { state: 'active' });
  t.is(await ended, REFUSED);
});

test('a process that cannot feed a build does not switch to it, though others had read it whole', async t => {
  const system = await withBuild(t);
  // It reads everything, and is killed before the switch.
  const first = await triesToVerify(t, system, new Error('the test'));
  first.stop();
  await first.ended;
  const second = runs(t, system, {
    eventLog: refusing(system.eventLog, 'g2', null),
    stallMs: 500,
  });
  const waiting = await system.until(registry => build(registry)?.waitsFor != null);
  t.is(
    build(waiting)?.waitsFor,
    'No projector feeds it; one that tried could not: Not allowed: group g2',
  );
  t.is(waiting.active, 'g1');
  second.stop();
  t.is(await second.ended, null);
  const other = refusing(system.eventLog, 'g2', new UserError('Not allowed: topic e'));
  const third = runs(t, system, { eventLog: other, stallMs: 500 });
  await system.until(
    registry => build(registry)?.waitsFor?.endsWith('Not allowed: topic e') === true,
  );
  third.stop();
  t.is(await third.ended, null);
  system.deploy(1);
  await system.until(({ active }) => active === 'g2');
});

test('a process that lacks something to verify a build leaves that to others', async t => {
  const system = await withBuild(t);
  await triesToVerify(t, system, new UserError('The topic cannot be read on this machine'));
  system.deploy(1);
  t.like(build(await system.until(({ active }) => active === 'g2')), { state: 'active' });
});

test('a build that no process can feed fails, and the active generation is fed on', async t => {
  const system = await withBuild(t);
  const { ended, stop } = runs(t, system, {
    eventLog: refusing(system.eventLog, 'g2', null),
    stallMs: 100,
  });
  const after = await system.until(registry => build(registry)?.state === 'failed');
  t.like(build(after), { reason: REFUSED.message });
  await system.append([eventMaker('budget-2')(CREATED)]);
  const { heads } = system.collectionsOf('g1');
  while ((await heads.countDocuments()) < 2) await sleep(20);
  stop();
  t.is(await ended, null);
});

test('a process that ends, because it cannot feed another generation, does not fail the build that it verifies', async t => {
  const system = await withBuild(t);
  const verifies = gate();
  const isClosed = gate();
  const log = verifying(system.eventLog, async () => {
    verifies.open();
    await isClosed.opened;
    throw new UserError('The connection to the log was closed');
  });
  const { ended } = runs(t, system, { eventLog: refusing(log, 'g1', verifies.opened) });
  t.is(await ended, REFUSED);
  isClosed.open();
  const after = await system.until(registry => build(registry)?.state !== 'verifying');
  t.like(build(after), { state: 'building', brokenOff: 0 });
});

test('indexes that cannot be built are reported, and end no process', async t => {
  const system = await withBuild(t);
  const noRoom = Object.assign(new Error('no room on the disk'), { code: 14031 });
  const partsOf = indexing(system, () => Promise.reject(noRoom));
  const { ended, stop } = runs(t, system, { partsOf });
  const after = await system.until(registry => build(registry)?.waitsFor != null);
  t.regex(
    build(after)?.waitsFor ?? '',
    /^Its verification was broken off 2 times .*: no room on the disk$/,
  );
  stop();
  t.is(await ended, null);
});

test('a process stops while indexes are being built', async t => {
  const system = await withBuild(t);
  const builds = gate();
  const partsOf = indexing(system, () => {
    builds.open();
    return new Promise(() => {});
  });
  const { ended, stop } = runs(t, system, { partsOf });
  await builds.opened;
  stop();
  t.is(await ended, null);
  t.like(build(await system.registry()), { state: 'building', lease: null });
});
