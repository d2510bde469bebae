// A newer version is deployed, and rolled back from, under a steady load of reads and events.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { GenerationsContext } from '../../src/generations/generations-context.ts';
import { requestBuild, rollBack } from '../../src/generations/operate.ts';
import { runGenerations } from '../../src/generations/supervisor.ts';
import { withFailure } from '../../src/store/generation-plan.ts';
import { changeRegistry, type Registry } from '../../src/store/registry.ts';
import { beforeScan } from '../event-log/before-scan.ts';
import { useMongo } from '../helpers/mongo.ts';
import { begun, differences, opened, underLoad } from './steady-load.ts';
import type { Supervised } from './supervised.ts';

const mongo = useMongo(test);

test('a newer version takes over and is rolled back from without an error, a mixed answer or a step back', async t => {
  const system = await begun(t, mongo);
  const old = system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  const load = await underLoad(t, system);
  await sleep(300);

  const fresh = system.deploy(2);
  const after = await system.until(({ active }) => active === 'g2');
  t.deepEqual(
    after.generations.map(({ id, version, state }) => [id, version, state]),
    [
      ['g1', 1, 'retired'],
      ['g2', 2, 'active'],
    ],
  );
  await sleep(300);
  t.is(await differences(system), 0);

  const { from, to } = await rollBack(system.readModel);
  t.deepEqual([from.id, to.id], ['g2', 'g1']);
  const back = await system.registry();
  t.is(back.active, 'g1');
  t.deepEqual(back.rejectedVersions, [2]);
  await sleep(700);
  t.is((await system.registry()).generations.length, 2, 'version 2 does not build by itself');
  await load.answered(50);
  await load.stop();
  t.is(await differences(system), 0);
  await Promise.all([old.stop(), fresh.stop()]);
});

test('rebuild builds the same version again, several processes agree, and a half-built one is taken over', async t => {
  const system = await begun(t, mongo);
  const first = system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  const { id } = await requestBuild(system.readModel, 1);
  t.is(id, 'g2');
  await t.throwsAsync(requestBuild(system.readModel, 1), {
    message: /g2 is being built already/,
  });
  // The process that began the build stops, and another one continues it.
  await first.stop();
  const second = system.deploy(1);
  await system.until(({ active }) => active === 'g2');
  t.is(await differences(system), 0);
  await t.throwsAsync(requestBuild(system.readModel, 1), {
    message: /g1 has just retired/,
  });
  await second.stop();
});

test('a projector that is stopped during verification leaves a good generation to the next one', async t => {
  const system = await begun(t, mongo);
  const stopping = new AbortController();
  await runGenerations(
    beforeVerification(system, () => stopping.abort()),
    stopping.signal,
  );
  const { active, generations } = await system.registry();
  t.deepEqual([active, generations.map(({ state }) => state)], [null, ['building']]);
  const next = system.deploy(1);
  await system.until(registry => registry.active === 'g1');
  await next.stop();
});

test('a generation with a difference is not made active', async t => {
  const system = await begun(t, mongo);
  const first = system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  await first.stop();
  // The build is damaged before the projector returns to verify it.
  const { id } = await requestBuild(system.readModel, 1);
  await system.ahead(3_600_000);
  const copy = system.collectionsOf('g1');
  const built = system.collectionsOf(id);
  for (const name of [
    'heads',
    'accounts',
    'rows',
    'accountMonths',
    'accountDays',
    'years',
    'memoBlocks',
  ] as const) {
    const documents = await copy[name].find().toArray();
    if (documents.length === 0) continue;
    await (built[name] as unknown as typeof built.heads).insertMany(documents as never);
  }
  await built.checkpoints.insertMany(await copy.checkpoints.find().toArray());
  await built.accounts.updateMany({}, { $inc: { cleared: 100 } });
  const second = system.deploy(1);
  const registry = await system.until(({ generations }) =>
    generations.some(({ state }) => state === 'failed'),
  );
  t.is(registry.active, 'g1');
  t.regex(registry.generations[1]?.reason ?? '', /accounts\/a cleared: expected \d+, stored \d+/);
  await staysFailed(t, system, id);
  await second.stop();
});

test('a generation that failed to build reports the reason for a while, however long the build took', async t => {
  const system = await opened(t, mongo);
  const { id } = await requestBuild(system.readModel, 1);
  await system.ahead(3_600_000);
  const checkpoint = {
    ...{ epoch: 1, next: 1, owner: 'tests', sessions: [], fingerprints: [] },
    partitions: 8,
  };
  await system.collectionsOf(id).checkpoints.insertOne({ _id: 7, ...checkpoint });
  const projector = system.deploy(1);
  await system.until(({ generations }) => generations.some(({ state }) => state === 'failed'));
  await staysFailed(t, system, id);
  await projector.stop();
});

test('a generation that fails during its verification is not made active', async t => {
  const system = await begun(t, mongo);
  const stopping = new AbortController();
  const fail = (registry: Registry) =>
    withFailure(registry, 'g1', { reason: 'The test', now: new Date() });
  const context = beforeVerification(system, () => changeRegistry(system.readModel, fail));
  const running = runGenerations(context, stopping.signal);
  await system.until(({ generations }) => generations.some(({ state }) => state === 'failed'));
  await staysFailed(t, system, 'g1');
  t.is((await system.registry()).active, null);
  stopping.abort();
  await running;
});

/** Returns a context in which the test acts just before a generation is verified; nothing else scans the log. */
function beforeVerification(system: Supervised, act: () => unknown): GenerationsContext {
  const context = system.contextOf(1);
  return { ...context, eventLog: beforeScan(context.eventLog, act) };
}

/** Checks that a running projector builds nothing else. */
async function staysFailed(t: ExecutionContext, system: Supervised, id: string): Promise<void> {
  const { made } = await system.registry();
  await sleep(2000);
  const registry = await system.registry();
  t.is(registry.made, made);
  t.like(registry.generations.at(-1), { id, state: 'failed' });
}
