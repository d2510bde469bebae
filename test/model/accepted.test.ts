// Events that the specification accepts although one might expect a refusal (rules/events.md#accepted): the projections do, and
// so does the model.
import test from 'ava';
import type { Draft } from '../histories/row-actions.ts';
import { createStory, FURNISHED } from '../projections/story.ts';
import { category, createScene, furnish, label, payee, row, transfer } from './scene.ts';

const ACCEPTED: readonly (readonly [title: string, ...drafts: Draft[]])[] = [
  [
    'a row on a closed account',
    { type: 'account.closed', data: { accountId: 'home' } },
    row('new'),
  ],
  [
    'a category on a row of an off-budget account',
    row('new', { accountId: 'house', categoryId: 'food' }),
  ],
  [
    'a replacement category in a group of another mode',
    { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'wage' } },
  ],
  [
    'two legs of a transfer that disagree',
    transfer('a', ['home', 'cash'], { amount: '-5.00' }),
    transfer('b', ['cash', 'home'], { amount: '7.00', date: '2023-01-01' }),
  ],
  ['a lone leg of a transfer', transfer('a', ['home', 'cash'])],
  [
    'a category on a transfer from on-budget to off-budget',
    transfer('a', ['home', 'house'], { categoryId: 'food' }),
    transfer('b', ['house', 'home']),
  ],
  [
    'closing a closed account',
    { type: 'account.closed', data: { accountId: 'home' } },
    { type: 'account.closed', data: { accountId: 'home' } },
  ],
  ['reopening what is open', { type: 'account.reopened', data: { accountId: 'home' } }],
  [
    'hiding a hidden category',
    { type: 'category.hidden', data: { categoryId: 'food' } },
    { type: 'category.hidden', data: { categoryId: 'food' } },
  ],
  ['showing what is shown', { type: 'category-group.shown', data: { groupId: 'needs' } }],
  [
    'clearing a cleared row',
    { type: 'transaction.cleared', data: { transactionIds: ['row-1'] } },
    { type: 'transaction.cleared', data: { transactionIds: ['row-1'] } },
  ],
  [
    'assigning to an income category',
    { type: 'envelope.assigned', data: { month: '2024-01', categoryId: 'wage', amount: '-5.00' } },
  ],
  [
    'carry-over of an unfunded category',
    {
      type: 'envelope.carryover-set',
      data: { month: '2024-01', categoryId: 'tax', carriesOver: true },
    },
  ],
  [
    'holding more than is ready to assign',
    { type: 'month.held', data: { month: '2024-01', amount: '999999.00' } },
  ],
  [
    'an id that exists again after its deletion',
    { type: 'payee.deleted', data: { payeeId: 'shop' } },
    payee('shop'),
  ],
  ['the id of another kind', payee('food'), label('home'), category('needs', 'needs')],
  [
    'fields that are null instead of absent',
    row('new', {
      payeeId: null,
      categoryId: null,
      memo: null,
      amountNative: null,
      exchangeRate: null,
      transferAccountId: null,
      splitGroupId: null,
      labelIds: null,
    }),
  ],
  ['the empty group deleted', { type: 'category-group.deleted', data: { groupId: 'empty' } }],
  [
    'archiving twice',
    { type: 'budget.archived', data: { successorBudgetId: null } },
    { type: 'budget.archived', data: { successorBudgetId: 'b' } },
  ],
  ['a negative position', { type: 'account.moved', data: { accountId: 'home', position: -7 } }],
];

for (const [title, ...drafts] of ACCEPTED) {
  test(`accepted: ${title}`, t => {
    t.is(createStory([...FURNISHED, ...drafts]).head().sequence, 18 + drafts.length);
    const scene = furnish(createScene());
    for (const draft of drafts) t.is(scene.tell(draft), 'applied');
    t.deepEqual(scene.model.held(), []);
    t.is(scene.answers.position('budget-1'), 18 + drafts.length);
    t.deepEqual(scene.model.lawViolations('budget-1'), []);
  });
}
