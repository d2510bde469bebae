// A build begins with one index of its rows. The others stand before it becomes active, and searches do without them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { skipHeld } from '../../src/projector/operate/parked.ts';
import {
  completeIndexes,
  createCollections,
  type GenerationCollections,
  generationCollections,
} from '../../src/store/collections.ts';
import { BY_PLACE, ROW_INDEXES } from '../../src/store/row-codec.ts';
import { createRowSearches } from '../../src/store/writing/row-searches.ts';
import { verify } from '../../src/verify/verify.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { createPartitionScene } from '../projector/partition-scene.ts';
import { dump } from '../projector/test-store.ts';
import { CONTRADICTION, requestHeldBuild, supervised, withActive } from './supervised.ts';

const HINT = 'a running projector builds it within a minute';
const LIMITS = { rowsMax: 20_000 };

const mongo = useMongo(test);

/** Returns the keys of the indexes of rows, without the one by `_id`. */
async function keysOf({ rows }: GenerationCollections): Promise<object[]> {
  return (await rows.indexes()).map(({ key }) => key).filter(key => Object.keys(key)[0] !== '_id');
}

async function withoutLate(t: ExecutionContext): Promise<GenerationCollections> {
  const db = mongo.database('late');
  await createCollections(db, 'g1');
  const collections = generationCollections(db, 'g1');
  t.deepEqual(await keysOf(collections), [BY_PLACE]);
  return collections;
}

test('a build has one index of its rows until nothing is in its way, and all of them once it is active', async t => {
  const system = await withActive(t, mongo, CONTRADICTION);
  t.is((await keysOf(system.collectionsOf('g1'))).length, ROW_INDEXES.length);
  await requestHeldBuild(system);
  await system.until(({ generations }) => generations.at(-1)?.waitsFor != null);
  t.deepEqual(await keysOf(system.collectionsOf('g2')), [BY_PLACE]);
  await skipHeld(system.openStore('g2'), 'budget-1', {
    missing: false,
    limits: LIMITS,
    now: new Date(),
  });
  await system.until(({ active }) => active === 'g2');
  t.is((await keysOf(system.collectionsOf('g2'))).length, ROW_INDEXES.length);
});

test('a missing index of the generation that answers is a difference, and is built again', async t => {
  const system = await supervised(mongo);
  t.teardown(() => system.stop());
  await system.append([eventMaker('budget-1')(CREATED)]);
  const first = system.deploy(1);
  await system.until(({ active }) => active === 'g1');
  await first.stop();
  const { heads, rows } = system.collectionsOf('g1');
  await rows.dropIndex('set_1_account_1_place_-1');
  await heads.dropIndex('space.members_1');
  const source = { database: system.readModel, generation: 'g1', store: system.partsOf('g1') };
  const differences = async () => {
    const { signal } = new AbortController();
    const request = { stream: null, sample: null };
    const report = await verify({ ...source, eventLog: system.eventLog }, request, { signal });
    return report.named.map(({ what }) => what);
  };
  t.deepEqual(await differences(), [
    `index of heads {"space.members":1} is missing; ${HINT}`,
    `index of rows {"set":1,"account":1,"place":-1} is missing; ${HINT}`,
  ]);
  system.deploy(1, { indexCheckMs: 50 });
  await eventually(t, async tt => void tt.deepEqual(await differences(), []));
  await rows.dropIndex('set_1_account_1_place_-1');
  await eventually(t, async tt => void tt.deepEqual(await differences(), []));
});

test('searches for rows find the same without the late indexes', async t => {
  const options = { seed: 7, events: 1500, budgets: 3, spaces: 1, users: 1 };
  const trouble = { disorderShare: 0, duplicateShare: 0, invalidShare: 0 };
  const events = eventsOf(randomHistory({ ...options, ...trouble }));
  t.true(events.some(({ type }) => type === 'payee.renamed'));
  const indexed = await createPartitionScene(mongo.database('late'));
  await completeIndexes(indexed.store.collections);
  await indexed.tell(...events);
  const without = await createPartitionScene(mongo.database('late'));
  t.deepEqual(await keysOf(without.store.collections), [BY_PLACE]);
  await without.tell(...events);
  t.deepEqual(await keysOf(without.store.collections), [BY_PLACE]);
  t.deepEqual(await dump(without.store), await dump(indexed.store));
});

test('searches that have taken long together make the indexes be built', async t => {
  const collections = await withoutLate(t);
  const searches = createRowSearches(collections, 1000);
  t.is(await searches.run(async () => 'found'), 'found');
  t.deepEqual(await keysOf(collections), [BY_PLACE], 'a fast search is no reason');
  for (const _ of [1, 2]) t.is(await searches.run(() => sleep(600, 'slow')), 'slow');
  while ((await keysOf(collections)).length < ROW_INDEXES.length) await sleep(20);
  t.pass();
});

test('a search whose indexes cannot be built finds its rows all the same', async t => {
  const collections = await withoutLate(t);
  const broken = {
    ...collections,
    get rows(): GenerationCollections['rows'] {
      throw new Error('The database is away');
    },
  };
  const searches = createRowSearches(broken, 5);
  t.is(await searches.run(() => sleep(20, 'slow')), 'slow');
  t.is(await searches.run(() => sleep(20, 'slow again')), 'slow again');
});
