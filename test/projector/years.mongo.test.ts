// A chunk loads only the years that may change with its events; the documents are those of all years at once.
import { createRandom } from '../../src/process/random.ts';
import { createChunkCache } from '../../src/projector/fold/cache.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { row } from '../model/scene.ts';
import { eventMaker, FURNISHED, SET } from '../projections/story.ts';
import { applyChunk } from './apply-chunk.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

const mongo = useMongo(test);

const LIMITS = { rowsMax: 20_000 };
const FIRST_YEAR = 2015;
const YEARS = 9;

/** Returns random events over all years: money moves back and forth, and years become empty at either end. */
function story(seed: number): Draft[] {
  const random = createRandom(seed);
  const rows: string[] = [];
  const month = () =>
    `${FIRST_YEAR + random.below(YEARS)}-${String(1 + random.below(12)).padStart(2, '0')}`;
  const amount = () => `${random.below(2) === 0 ? '-' : ''}${1 + random.below(90)}.00`;
  const categoryId = () => ['food', 'rent'][random.below(2)] ?? '';
  const state = (id: string) =>
    row(id, { date: `${month()}-07`, amount: amount(), categoryId: categoryId() });
  const draft = (index: number): Draft => {
    const kind = random.below(12);
    if (kind < 4 || rows.length === 0) {
      rows.push(`new-${index}`);
      return state(`new-${index}`);
    }
    const [transactionId = ''] = rows.slice(random.below(rows.length));
    if (kind < 6) return { ...state(transactionId), type: 'transaction.changed' } as Draft;
    if (kind < 9) {
      rows.splice(rows.indexOf(transactionId), 1);
      return { type: 'transaction.deleted', data: { transactionId } };
    }
    const of = { month: month(), categoryId: categoryId() };
    if (kind === 9) return { type: 'envelope.assigned', data: { ...of, amount: amount() } };
    if (kind === 10) {
      return { type: 'envelope.carryover-set', data: { ...of, carriesOver: random.below(2) > 0 } };
    }
    const groupId = ['needs', 'wages'][random.below(2)] ?? '';
    return { type: 'category.moved', data: { categoryId: of.categoryId, groupId } };
  };
  return [
    ...FURNISHED,
    ...Array.from({ length: 70 }, (_, index) => draft(index)),
    { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'rent' } },
    ...rows.map(
      (transactionId): Draft => ({ type: 'transaction.deleted', data: { transactionId } }),
    ),
  ];
}

async function apply(
  { store, claim, eventLog }: PartitionScene,
  sizeOf: () => number,
  isKept: () => boolean,
): Promise<void> {
  const { length } = eventLog.records;
  let cache = createChunkCache();
  for (let current = await claim(); current.next < length; ) {
    const next = Math.min(length, current.next + sizeOf());
    const chunk = { records: eventLog.records.slice(current.next, next), next };
    const applied = await applyChunk(store, chunk, { claim: current, limits: LIMITS, cache });
    current = { ...current, next, fingerprints: applied.fingerprints };
    if (!isKept()) cache = createChunkCache();
  }
}

for (const seed of [1, 2]) {
  test(`chunks that load few years write the documents of one that loads all (seed ${seed})`, async t => {
    const eventOf = eventMaker('budget-1');
    const events = story(seed).map(draft => eventOf(draft));
    const scenes = await Promise.all(
      ['whole', 'cut'].map(name => createPartitionScene(mongo.database(name))),
    );
    const [whole, cut] = scenes as [PartitionScene, PartitionScene];
    for (const { eventLog } of scenes) eventLog.add(...events);
    await apply(
      whole,
      () => events.length,
      () => false,
    );
    const random = createRandom(seed);
    await apply(
      cut,
      () => 1 + random.below(4),
      () => random.below(3) > 0,
    );
    t.is((await cut.head('budget-1'))?.held, null);
    t.deepEqual(await dump(cut.store), await dump(whole.store));
  });
}

test('an event of this year loads the last year with rows before it, and none before that', async t => {
  const scene = await createPartitionScene(mongo.database('years'));
  const { store, eventLog, claim } = scene;
  const eventOf = eventMaker('budget-1');
  const years = [2015, 2016, 2019, 2020];
  const rows = years.map(year => row(`of-${year}`, { date: `${year}-05-05` }));
  const assigned: Draft = {
    type: 'envelope.assigned',
    data: { month: '2018-01', categoryId: 'food', amount: '1.00' },
  };
  await scene.tell(...[...FURNISHED.slice(0, -1), ...rows, assigned].map(draft => eventOf(draft)));
  const loaded = async (draft: Draft) => {
    const current = await claim();
    eventLog.add(eventOf(draft));
    const next = eventLog.records.length;
    const chunk = { records: eventLog.records.slice(current.next), next };
    const cache = createChunkCache();
    await applyChunk(store, chunk, { claim: current, limits: LIMITS, cache });
    return cache.documents.all('years', SET).map(({ id }) => id);
  };
  t.deepEqual(await loaded(row('now', { date: '2020-06-06' })), ['2020', '2019']);
  t.deepEqual(await loaded(row('between', { date: '2019-06-06' })), [
    '2020',
    '2019',
    '2018',
    '2016',
  ]);
  t.deepEqual(await loaded({ type: 'budget.renamed', data: { name: 'Other' } }), []);
});
