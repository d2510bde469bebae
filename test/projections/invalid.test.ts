// Every way in which an event contradicts earlier ones (rules/events.md#contradictions) parks it with this reason and
// changes nothing.
import test from 'ava';
import type { Draft } from '../histories/row-actions.ts';
import { account, category, group, label, payee, row, transfer } from '../model/scene.ts';
import { CREATED, createStory, FURNISHED } from './story.ts';

type Case = readonly [reason: string, ...drafts: readonly Draft[]];

const month = '2024-03';
const unknown = (what: string) => `Unknown or deleted ${what} none`;

const CASES: readonly (readonly [row: string, cases: readonly Case[]])[] = [
  [
    'an unknown or deleted account',
    [
      [
        unknown('account'),
        { type: 'account.renamed', data: { accountId: 'none', name: 'x' } },
        { type: 'account.type-changed', data: { accountId: 'none', type: 'cash' } },
        { type: 'account.moved', data: { accountId: 'none', position: 1 } },
        { type: 'account.closed', data: { accountId: 'none' } },
        { type: 'account.reopened', data: { accountId: 'none' } },
        { type: 'account.deleted', data: { accountId: 'none' } },
        row('new', { accountId: 'none' }),
        transfer('new', ['home', 'none']),
      ],
    ],
  ],
  [
    'an unknown or deleted category',
    [
      [
        unknown('category'),
        { type: 'category.renamed', data: { categoryId: 'none', name: 'x' } },
        { type: 'category.noted', data: { categoryId: 'none', note: null } },
        { type: 'category.hidden', data: { categoryId: 'none' } },
        { type: 'category.shown', data: { categoryId: 'none' } },
        { type: 'category.moved', data: { categoryId: 'none', groupId: 'needs' } },
        { type: 'category.deleted', data: { categoryId: 'none', replacementCategoryId: null } },
        { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'none' } },
        { type: 'envelope.assigned', data: { month, categoryId: 'none', amount: '1.00' } },
        { type: 'envelope.carryover-set', data: { month, categoryId: 'none', carriesOver: true } },
        row('new', { categoryId: 'none' }),
      ],
    ],
  ],
  [
    'an unknown or deleted group',
    [
      [
        unknown('category group'),
        { type: 'category-group.renamed', data: { groupId: 'none', name: 'x' } },
        { type: 'category-group.moved', data: { groupId: 'none', position: 1 } },
        { type: 'category-group.hidden', data: { groupId: 'none' } },
        { type: 'category-group.shown', data: { groupId: 'none' } },
        { type: 'category-group.deleted', data: { groupId: 'none' } },
        category('new', 'none'),
        { type: 'category.moved', data: { categoryId: 'food', groupId: 'none' } },
      ],
    ],
  ],
  [
    'an unknown or deleted payee or label',
    [
      [
        unknown('payee'),
        { type: 'payee.renamed', data: { payeeId: 'none', name: 'x' } },
        { type: 'payee.merged', data: { payeeId: 'none', intoPayeeId: 'shop' } },
        { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'none' } },
        { type: 'payee.deleted', data: { payeeId: 'none' } },
        row('new', { payeeId: 'none' }),
      ],
      [
        unknown('label'),
        { type: 'label.renamed', data: { labelId: 'none', name: 'x' } },
        { type: 'label.deleted', data: { labelId: 'none' } },
        row('new', { labelIds: ['red', 'none'] }),
      ],
    ],
  ],
  [
    'an unknown or deleted transaction',
    [
      [
        unknown('transaction'),
        { ...row('none'), type: 'transaction.changed' } as Draft,
        { type: 'transaction.deleted', data: { transactionId: 'none' } },
        { type: 'transaction.cleared', data: { transactionIds: ['row-1', 'none'] } },
        { type: 'transaction.uncleared', data: { transactionIds: ['none'] } },
        { type: 'transaction.reconciled', data: { transactionIds: ['row-1', 'none'] } },
      ],
    ],
  ],
  [
    'an id that exists in its kind within the budget',
    [
      ['The account home is there already', account('home', false)],
      ['The category group needs is there already', group('needs', 'income')],
      ['The category food is there already', category('food', 'wages')],
      ['The payee shop is there already', payee('shop')],
      ['The label red is there already', label('red')],
      ['The transaction row-1 is there already', row('row-1')],
    ],
  ],
  ['budget.created twice', [['The budget is created already', CREATED]]],
  [
    'a space event in the stream of a budget',
    [
      ['The stream is that of a budget', { type: 'space.created', data: { name: 'x' } }],
      [
        'space.member-added came before space.created',
        { type: 'space.member-added', data: { userId: 'ann' } },
      ],
    ],
  ],
  [
    'a category on a transfer between two on-budget accounts',
    [
      [
        'A transfer between two on-budget accounts has no category',
        transfer('new', ['home', 'cash'], { categoryId: 'food' }),
        {
          ...transfer('row-1', ['home', 'cash'], { categoryId: 'food' }),
          type: 'transaction.changed',
        } as Draft,
      ],
    ],
  ],
  [
    '`type` transfer without `transferAccountId` or the reverse',
    [
      ['Type transfer does not fit transferAccountId null', row('new', { type: 'transfer' })],
      [
        'Type standard does not fit transferAccountId cash',
        row('new', { transferAccountId: 'cash' }),
      ],
      [
        'Type startingBalance does not fit transferAccountId cash',
        row('new', { type: 'startingBalance', transferAccountId: 'cash' }),
      ],
    ],
  ],
  [
    'native fields that do not fit the account',
    [
      [
        'Account home has no currency of its own, but native fields came',
        row('new', { amountNative: '1.00', exchangeRate: 1 }),
        row('new', { exchangeRate: 1 }),
        row('new', { amountNative: '1.00' }),
      ],
      [
        'Account dollars is in USD: expected amountNative and exchangeRate',
        row('new', { accountId: 'dollars' }),
        row('new', { accountId: 'dollars', amountNative: '1.00' }),
        row('new', { accountId: 'dollars', exchangeRate: 2 }),
      ],
    ],
  ],
  [
    'a group deleted with categories in it',
    [
      [
        'The category group needs still holds 2 categories',
        { type: 'category-group.deleted', data: { groupId: 'needs' } },
      ],
    ],
  ],
  [
    'a transfer to its own account, a category replaced by itself, a payee merged into itself',
    [
      ['Account home cannot transfer to itself', transfer('new', ['home', 'home'])],
      [
        'Category food cannot replace itself',
        { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'food' } },
      ],
      [
        'Payee shop cannot be merged into itself',
        { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'shop' } },
      ],
    ],
  ],
];

for (const [title, cases] of CASES) {
  test(`invalid: ${title}`, t => {
    for (const [reason, ...drafts] of cases) {
      for (const draft of drafts) {
        t.is(createStory(FURNISHED).refuse(draft), reason, draft.type);
      }
    }
  });
}

test('an event about deleted things is invalid', t => {
  const story = createStory([
    ...FURNISHED,
    { type: 'account.deleted', data: { accountId: 'cash' } },
    { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'mall' } },
  ]);
  t.is(story.refuse(transfer('new', ['home', 'cash'])), 'Unknown or deleted account cash');
  const merged = createStory([...FURNISHED, { type: 'payee.deleted', data: { payeeId: 'shop' } }]);
  t.is(merged.refuse(row('new', { payeeId: 'shop' })), 'Unknown or deleted payee shop');
});

test('any event before budget.created, and before space.created, is invalid', t => {
  const before = (draft: Draft) => createStory().refuse(draft);
  t.is(before(payee('shop')), 'payee.added came before budget.created');
  t.is(before({ type: 'budget.deleted', data: {} }), 'budget.deleted came before budget.created');
  const remove = { type: 'space.member-removed', data: { userId: 'ann' } } as const;
  t.is(before(remove), 'space.member-removed came before space.created');
});

test('a second space.created is invalid, and so is a budget event in the stream of a space', t => {
  const create = { type: 'space.created', data: { name: 'x' } } as const;
  t.is(createStory([create], 'space-1').refuse(create), 'The space is created already');
  t.is(createStory([create], 'space-1').refuse(CREATED), 'The stream is that of a space');
  const reason = createStory([create], 'space-1').refuse(payee('shop'));
  t.is(reason, 'payee.added came before budget.created');
});
