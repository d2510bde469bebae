// Chunks are bounded (rules/projecting.md#chunks): one that would change too many documents is cut smaller, and the
// documents stay
// the same. Stored amounts are exact.
import { Long } from 'mongodb';
import { createWorkingSet } from '../../projections/working-set.ts';
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { loadDocuments, TooManyRowsError } from '../../src/store/writing/load-documents.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import type { Draft } from '../histories/row-actions.ts';
import { account, category, group, label, payee, row } from '../model/scene.ts';
import type { LogEvent } from '../model/stream.ts';
import { CREATED, eventMaker } from '../projections/story.ts';
import { committing } from './committing.ts';
import { createPartitionScene, type PartitionScene } from './partition-scene.ts';
import { dump } from './test-store.ts';

const mongo = useMongo(test);

const FURNITURE: readonly Draft[] = [
  CREATED,
  account('home', true),
  group('needs', 'envelope'),
  category('food', 'needs'),
  ...['shop', 'mall'].map(id => payee(id)),
  label('red'),
];
/** Each payee has half of them. */
const ROWS = Array.from({ length: 30 }, (_, index) =>
  row(`row-${index}`, {
    payeeId: index % 2 === 0 ? 'shop' : 'mall',
    categoryId: 'food',
    labelIds: ['red'],
  }),
);
const CASCADES: readonly Draft[] = [
  { type: 'payee.renamed', data: { payeeId: 'shop', name: 'One' } },
  { type: 'label.renamed', data: { labelId: 'red', name: 'Two' } },
  { type: 'category.renamed', data: { categoryId: 'food', name: 'Three' } },
  { type: 'account.renamed', data: { accountId: 'home', name: 'Four' } },
  { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'mall' } },
  { type: 'payee.renamed', data: { payeeId: 'mall', name: 'Five' } },
  { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: null } },
];

function story(subject: string, drafts: readonly Draft[]): LogEvent[] {
  const eventOf = eventMaker(subject);
  return drafts.map(draft => eventOf(draft));
}

/** Projects the cascades in one batch over stored rows; returns the number of records of each commit. */
async function projectCascades(
  rowsMax: number,
  drafts = CASCADES,
): Promise<{ scene: PartitionScene; sizes: number[] }> {
  const scene = await createPartitionScene(mongo.database('chunks'), { rowsMax });
  const events = story('budget-1', [...FURNITURE, ...ROWS, ...drafts]);
  const stored = FURNITURE.length + ROWS.length;
  await scene.tell(...events.slice(0, stored));
  scene.eventLog.add(...events.slice(stored));
  const sizes: number[] = [];
  const store = committing(scene.store, async (writes, pass) => {
    for (const { from, to } of writes.checkpoints) sizes.push(to - from);
    await pass();
  });
  const claimed = await scene.claim();
  await scene.apply(claimed, scene.eventLog.records, { context: { ...scene.context, store } });
  return { scene, sizes };
}

test('a chunk of too many documents is halved until it fits, with the same documents in the end', async t => {
  const renames = ['A', 'B', 'C'].flatMap(name =>
    ['shop', 'mall'].map((payeeId): Draft => ({ type: 'payee.renamed', data: { payeeId, name } })),
  );
  const wide = await projectCascades(30, renames);
  t.deepEqual(wide.sizes, [6]);
  const narrow = await projectCascades(29, renames);
  t.deepEqual(narrow.sizes, [1, 1, 1, 1, 1, 1]);
  t.deepEqual(await dump(narrow.scene.store), await dump(wide.scene.store));
});

test('cascades of one chunk build on one another', async t => {
  const { scene, sizes } = await projectCascades(20_000);
  t.deepEqual(sizes, [CASCADES.length]);
  const rows = await scene.store.collections.rows.find().toArray();
  t.is(rows.length, 30);
  for (const { json } of rows) {
    t.like(JSON.parse(json), {
      payeeName: 'Five',
      accountName: 'Four',
      categoryName: null,
      labels: [{ id: 'red', name: 'Two' }],
    });
  }
});

test('rows that an event names directly are never too many', async t => {
  const clear = (): Draft => ({
    type: 'transaction.cleared',
    data: { transactionIds: ROWS.map((_, index) => `row-${index}`) },
  });
  const { sizes } = await projectCascades(5, [clear(), clear()]);
  t.deepEqual(sizes, [2]);
});

test('loading stops before too many documents', async t => {
  const { scene } = await projectCascades(20_000, []);
  const rename = story('budget-1', CASCADES)[1] as unknown as BudgetEvent;
  const load = (rowsMax: number) =>
    loadDocuments(
      { collections: scene.store.collections, documents: createWorkingSet() },
      [{ set: '0-0', event: rename }],
      { rowsMax, declaredMax: 1000 },
    );
  await t.throwsAsync(load(29), {
    instanceOf: TooManyRowsError,
    message: /would change more than 29 rows$/,
  });
  await t.notThrowsAsync(load(30));
});

test('a queue whose events change too many documents is drained in smaller steps', async t => {
  const scene = await createPartitionScene(mongo.database('chunks'), { rowsMax: 29 });
  const renames = ['shop', 'mall'].map(
    (payeeId): Draft => ({ type: 'payee.renamed', data: { payeeId, name: `${payeeId}!` } }),
  );
  const events = story('budget-1', [...FURNITURE, ...ROWS, payee('late'), ...renames]);
  const stored = FURNITURE.length + ROWS.length;
  await scene.tell(...events.slice(0, stored), ...events.slice(stored + 1));
  t.like(await scene.head('budget-1'), { held: { why: 'gap', queued: 2 } });
  await scene.tell(events[stored] as LogEvent);
  t.like(await scene.head('budget-1'), { sequence: events.length, held: null, set: '0-0' });
  const rows = await scene.store.collections.rows.find().sort({ _id: 1 }).toArray();
  t.deepEqual(
    rows.slice(0, 2).map(({ json }) => JSON.parse(json).payeeName),
    ['shop!', 'mall!'],
  );
});

test('an event behind a gap waits for its turn, however much it would change', async t => {
  const scene = await createPartitionScene(mongo.database('chunks'), { rowsMax: 29 });
  const events = story('budget-1', [...FURNITURE, ...ROWS, payee('late'), ...CASCADES.slice(1, 2)]);
  await scene.tell(...events.slice(0, -2), ...events.slice(-1));
  const { shadowSets } = scene.store.collections;
  t.is(await shadowSets.countDocuments(), 0);
  t.like(await scene.head('budget-1'), {
    sequence: events.length - 2,
    held: { why: 'gap', queued: 1 },
    set: '0-0',
  });
});

const MOST = '22517998136852.48';

test('amounts near 2^51 are stored as 64-bit integers and read back exactly', async t => {
  const scene = await createPartitionScene(mongo.database('chunks'));
  const big = row('big', {
    accountId: 'dollars',
    categoryId: 'food',
    amount: '-22517998136852.45',
    amountNative: `-${MOST}`,
    exchangeRate: 1,
  });
  const assign: Draft = {
    type: 'envelope.assigned',
    data: { month: '2024-03', categoryId: 'food', amount: '0.01' },
  };
  const hold: Draft = { type: 'month.held', data: { month: '2024-03', amount: '0.02' } };
  await scene.tell(
    ...story('budget-1', [
      ...FURNITURE,
      account('dollars', true, { currency: 'USD' }),
      big,
      assign,
      hold,
    ]),
  );
  const { collections } = scene.store;
  const raw = { promoteLongs: false } as const;
  const MAX = Long.fromString('2251799813685248');
  const big45 = Long.fromString('-2251799813685245');
  const zero = Long.ZERO;
  const head = await collections.heads.findOne({}, raw);
  t.deepEqual(head?.budget?.absolute as unknown, MAX);
  const sums = { cleared: zero, uncleared: big45, native: MAX.negate() };
  const dollars = await collections.accounts.findOne({ id: 'dollars' }, raw);
  t.like(dollars, { ...sums, count: 1, nativeAbsolute: MAX });
  const months = await collections.accountMonths.findOne({}, raw);
  t.deepEqual(months?.months as unknown, { '2024-03': { count: 1, ...sums, last: 1 } });
  const days = await collections.accountDays.findOne({}, raw);
  t.deepEqual(days?.months as unknown, { '03': { '01': { count: 1, ...sums } } });
  const cells = await collections.categoryMonths.findOne({}, raw);
  t.deepEqual(cells?.cells as unknown, {
    '2024-03': { assigned: Long.fromNumber(1), spent: big45, count: 1 },
  });
  const year = await collections.years.findOne({}, raw);
  t.deepEqual(year?.months as unknown, {
    '03': {
      income: zero,
      assigned: Long.fromNumber(1),
      overspent: big45.add(1),
      overspentCount: 1,
      cash: big45,
      internal: zero,
      uncategorized: zero,
      uncategorizedCount: 0,
      held: Long.fromNumber(2),
      days: { '01': 1 },
    },
  });
  for (const amount of Object.values(year?.start ?? {})) t.true(Long.isLong(amount));
});

test('stored amounts fold exactly: one hundredth more, one less', async t => {
  const scene = await createPartitionScene(mongo.database('chunks'));
  const eventOf = eventMaker('budget-1');
  const say = (draft: Draft) => scene.tell(eventOf(draft));
  const big = (amount: string): Draft => row('big', { amount, categoryId: 'food' });
  for (const draft of FURNITURE) scene.eventLog.add(eventOf(draft));
  await say(big('-22517998136852.47'));
  await say(row('cent', { amount: '-0.01', categoryId: 'food' }));
  const findAccount = () => scene.store.collections.accounts.findOne({ id: 'home' });
  t.like(await findAccount(), { uncleared: -(2 ** 51), count: 2 });
  t.is((await scene.head('budget-1'))?.budget?.absolute, 2 ** 51);
  await say({ ...big(MOST), type: 'transaction.changed' } as Draft);
  t.like(await scene.head('budget-1'), { held: { why: 'parked' } });
  const rows = await scene.store.collections.rows.find().sort({ _id: 1 }).toArray();
  t.deepEqual(
    rows.map(({ json }) => JSON.parse(json).amount),
    ['-22517998136852.47', '-0.01'],
  );
});
