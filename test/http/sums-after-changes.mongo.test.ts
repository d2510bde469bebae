// GET /sums after each event that changes many rows or names at once: the answers of the independent model.
import { test } from '../helpers/file-test.ts';
import type { Draft } from '../histories/row-actions.ts';
import {
  account,
  category,
  createScene,
  group,
  label,
  payee,
  row,
  transfer,
} from '../model/scene.ts';
import type { SumsQuery } from '../model/sums.ts';
import { CREATED, FURNISHED } from '../projections/story.ts';
import { useServed } from './use-served.ts';

let token: string;

const NOW = new Date('2024-03-01T12:00:00Z');

const served = useServed(test, { name: 'http_sums_after_changes', clock: () => NOW }, async () => {
  token = await served.issue('user-1', {}, NOW);
});

const GIVEN: readonly Draft[] = [
  ...FURNISHED.filter(draft => draft !== CREATED),
  row('row-2', { date: '2024-01-31', payeeId: 'mall', categoryId: 'rent', labelIds: ['blue'] }),
  row('row-3', { date: '2023-12-31', payeeId: 'shop', categoryId: 'rent', amount: '3.00' }),
  row('row-4', { date: '2024-03-31', accountId: 'house', categoryId: 'tax' }),
  row('row-5', { date: '2024-03-02', accountId: 'cash', categoryId: 'wage', amount: '0.00' }),
  transfer('out', ['home', 'house'], { categoryId: 'food', payeeId: 'mall' }),
  transfer('in', ['house', 'home'], { amount: '1.00' }),
  transfer('from', ['home', 'cash'], { date: '2024-02-29' }),
  transfer('to', ['cash', 'home'], { date: '2024-02-29', amount: '1.00' }),
];

const CHANGES: readonly (readonly Draft[])[] = [
  [{ type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'mall' } }],
  [payee('shop', 'Again'), row('row-6', { payeeId: 'shop' })],
  [{ type: 'payee.renamed', data: { payeeId: 'mall', name: 'Zoo' } }],
  [{ type: 'payee.deleted', data: { payeeId: 'mall' } }],
  [{ type: 'category.moved', data: { categoryId: 'rent', groupId: 'empty' } }],
  [{ type: 'category.moved', data: { categoryId: 'food', groupId: 'wages' } }],
  [{ type: 'category-group.renamed', data: { groupId: 'empty', name: 'Home' } }],
  [{ type: 'category.deleted', data: { categoryId: 'rent', replacementCategoryId: 'tax' } }],
  [{ type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: null } }],
  [category('food', 'needs'), row('row-7', { categoryId: 'food', labelIds: ['red', 'blue'] })],
  [{ type: 'label.renamed', data: { labelId: 'red', name: 'Scarlet' } }],
  [{ type: 'label.deleted', data: { labelId: 'blue' } }],
  [label('blue', 'Navy')],
  [{ type: 'account.closed', data: { accountId: 'cash' } }],
  [{ type: 'account.deleted', data: { accountId: 'house' } }],
  [account('house', true), row('row-8', { accountId: 'house' })],
  [{ type: 'account.deleted', data: { accountId: 'cash' } }],
  [
    {
      ...row('row-8', { date: '2024-01-01', amount: '-9.00' }),
      type: 'transaction.changed',
    } as Draft,
  ],
  [{ type: 'transaction.deleted', data: { transactionId: 'row-8' } }],
  [row('row-8', { payeeId: 'shop' })],
  [group('needs-2'), { type: 'account.deleted', data: { accountId: 'home' } }],
];

const GROUPS = ['account', 'category', 'categoryGroup', 'payee', 'label', 'none'] as const;
const QUERIES = GROUPS.flatMap((group_by): SumsQuery[] => [
  { group_by, interval: 'month', transfers: 'include' },
  { group_by, interval: 'year', on_budget: true },
  { group_by, transfers: 'only', start_date: '2024-01-31', end_date: '2024-03-01' },
]);

test('sums after each change of many rows are those of the model', async t => {
  const scene = createScene();
  const { project } = served.model;
  await project(
    'space-1',
    { type: 'space.created', data: { name: 'Home' } },
    {
      type: 'space.member-added',
      data: { userId: 'user-1' },
    },
  );
  await project('budget-1', CREATED);
  for (const drafts of [GIVEN, ...CHANGES]) {
    scene.tellAll(...drafts);
    await project('budget-1', ...drafts);
    for (const query of QUERIES) {
      const parameters = Object.entries(query)
        .map(([name, value]) => `&${name}=${value}`)
        .join('');
      const { body } = await served.api(`/sums?budget_id=budget-1${parameters}`, { token });
      t.deepEqual(body, scene.answers.sums('budget-1', query), `${drafts[0]?.type} ${parameters}`);
    }
  }
  t.is(scene.answers.sums('budget-1', { group_by: 'none' })?.sums.length, 0);
});
