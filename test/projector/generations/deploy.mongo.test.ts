// Under a steady read load and a steady stream of events: a newer version is deployed, and rolled back from.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { GenerationsContext } from '../../../src/projector/generations/context.ts';
import { requestBuild, rollBack } from '../../../src/projector/generations/operate.ts';
import { withFailure } from '../../../src/projector/generations/plan.ts';
import { runGenerations } from '../../../src/projector/generations/supervisor.ts';
import { changeRegistry, type Registry } from '../../../src/read-store/registry.ts';
import { beforeScan } from '../../event-log/before-scan.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { begun, differences, opened, underLoad } from './steady-load.ts';
import type { Supervised } from './supervised.ts';

const mongo = useMongo(test);

test('a newer version takes over and is rolled back from: no error, no mix, no step back', async t => {
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

  const { from, to } = await rollBack(mongo.client, system.readModel, () => new Date());
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

test('rebuild builds the same version anew; several processes agree; a half-built one is taken up', async t => {
  const system = await begun(t, mongo);
  const first = system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  const { id } = await requestBuild(system.readModel, 1, new Date());
  t.is(id, 'g2');
  await t.throwsAsync(requestBuild(system.readModel, 1, new Date()), {
    message: /g2 is being built already/,
  });
  // The process that began it goes; another one takes it up.
  await first.stop();
  const second = system.deploy(1);
  await system.until(({ active }) => active === 'g2');
  t.is(await differences(system), 0);
  await t.throwsAsync(requestBuild(system.readModel, 1, new Date()), {
    message: /g1 has just retired/,
  });
  await second.stop();
});

test('a projector that is stopped while it verifies leaves a good generation to the next one', async t => {
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

test('a generation with a difference is not switched to', async t => {
  const system = await begun(t, mongo);
  const first = system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  await first.stop();
  // What was built is damaged before the projector comes back to verify it.
  const { id } = await requestBuild(system.readModel, 1, hourAgo());
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

test('a generation that could not be built says why for a while, however long it took', async t => {
  const system = await opened(t, mongo);
  const { id } = await requestBuild(system.readModel, 1, hourAgo());
  const checkpoint = { epoch: 1, next: 1, owner: 'tests', sessions: [], fingerprints: [] };
  await system.collectionsOf(id).checkpoints.insertOne({ _id: 7, ...checkpoint });
  const projector = system.deploy(1);
  await system.until(({ generations }) => generations.some(({ state }) => state === 'failed'));
  await staysFailed(t, system, id);
  await projector.stop();
});

test('a generation that fails while it is verified is not switched to', async t => {
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

/** A projector's context in which a test acts just before a generation is verified: nothing else scans the log. */
function beforeVerification(system: Supervised, act: () => unknown): GenerationsContext {
  const context = system.contextOf(1);
  return { ...context, eventLog: beforeScan(context.eventLog, act) };
}

const hourAgo = () => new Date(Date.now() - 3_600_000);

/** Nothing else is built meanwhile, though a projector looks after it. */
async function staysFailed(t: ExecutionContext, system: Supervised, id: string): Promise<void> {
  const { made } = await system.registry();
  await sleep(2000);
  const registry = await system.registry();
  t.is(registry.made, made);
  t.like(registry.generations.at(-1), { id, state: 'failed' });
}
