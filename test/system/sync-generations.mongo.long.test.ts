// A client that follows /changes while generations are built, switched to and rolled back from keeps its cursor.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { requestBuild, rollBack } from '../../src/generations/operate.ts';
import { progressOf } from '../../src/projector/catch-up.ts';
import { type Supervised, supervised } from '../generations/supervised.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { HISTORY_TODAY } from '../histories/live-budget.ts';
import { createSyncClient, type Get, listedCopy, type SyncClient } from './sync-client.ts';

const mongo = useMongo(test);
const BUDGET = 'budget-1';
const clock = () => new Date(`${HISTORY_TODAY}T12:00:00Z`);

interface Scene {
  readonly system: Supervised;
  readonly get: Get;
  readonly client: SyncClient;
  /** Appends the next part of the history. */
  readonly goOn: () => Promise<void>;
}

async function begin(t: ExecutionContext, seed: number): Promise<Scene> {
  const system = await supervised(mongo, clock);
  t.teardown(() => system.stop());
  const history = randomHistory({ seed, events: 600, budgets: 1, spaces: 1, users: 1 });
  const left = eventsOf(history);
  const token = await system.token('user-1');
  const get: Get = (path, headers = {}) =>
    fetch(`${system.address}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  return {
    system,
    get,
    client: createSyncClient(get, BUDGET),
    goOn: async () => {
      await system.append(left.splice(0, 150));
    },
  };
}

async function caughtUp({ collectionsOf, eventLog, registry }: Supervised): Promise<void> {
  for (;;) {
    const { active } = await registry();
    const { applied, total } = await progressOf(collectionsOf(active ?? ''), eventLog);
    if (applied >= total) return;
    await sleep(20);
  }
}

/**
 * Follows by pages until nothing is left, and compares with the lists. Readers see a commit a moment later than
 * `caughtUp` does, and a database that is slow for a moment refuses a list: then both are asked again.
 */
async function follow(t: ExecutionContext, { system, get, client }: Scene, limit: number) {
  await caughtUp(system);
  for (;;) {
    const step = await client.step(limit);
    if (step === 'more') continue;
    const listed = await listedCopy(get, BUDGET);
    if (step === 'gone') {
      t.is(listed, null);
      return;
    }
    if (step === 'up to date' && listed?.position === client.position) {
      t.deepEqual(client.copy(), listed.copy);
      return;
    }
    await sleep(20);
  }
}

/** Asks for some pages, wherever that leads. */
async function someSteps({ client }: Scene, limit: number): Promise<void> {
  for (let steps = 0; steps < 4; steps += 1) await client.step(limit);
}

for (const seed of [301, 302, 303]) {
  test.serial(
    `a cursor goes on through a rebuild, a switch and a rollback, seed ${seed}`,
    async t => {
      const scene = await begin(t, seed);
      const { system } = scene;
      const deployed = system.deploy(3);
      await scene.goOn();
      await system.until(({ active }) => active === 'g1');
      await someSteps(scene, 5);
      await scene.goOn();
      const { id } = await requestBuild(system.readModel, 3);
      await someSteps(scene, 3);
      await system.until(({ active }) => active === id);
      await someSteps(scene, 2);
      await follow(t, scene, 7);
      await scene.goOn();
      await someSteps(scene, 3);
      const { to } = await rollBack(system.readModel);
      t.is(to.id, 'g1');
      await someSteps(scene, 3);
      await follow(t, scene, 7);
      await scene.goOn();
      await follow(t, scene, 1000);
      await deployed.stop();
    },
  );
}

test.serial(
  'an upgrade: 503 until the switch, and again after a rollback; the cursor stays',
  async t => {
    const scene = await begin(t, 304);
    const { system, client } = scene;
    const old = system.deploy(2);
    await scene.goOn();
    await system.until(({ active }) => active === 'g1');
    // An empty log may have made it active already.
    while ((await client.step(10)) === 'gone') await sleep(20);
    t.is(await client.step(10), 'away');
    const fresh = system.deploy(3);
    await scene.goOn();
    await system.until(({ active }) => active === 'g2');
    await someSteps(scene, 5);
    await follow(t, scene, 20);
    await rollBack(system.readModel);
    await scene.goOn();
    t.is(await client.step(10), 'away');
    await system.ahead(120_000);
    await system.until(({ generations }) => generations.length === 1);
    const { id } = await requestBuild(system.readModel, 3);
    await system.until(({ active }) => active === id);
    await follow(t, scene, 3);
    await Promise.all([old.stop(), fresh.stop()]);
  },
);
