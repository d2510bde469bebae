// Every way in which an event contradicts earlier ones (rules/events.md#contradictions), for the model and for the product.
// Each draft is refused where it follows the furniture of scene.ts.
import type { Draft } from '../histories/row-actions.ts';
import type { Refusal } from './refusal.ts';
import { account, budget, category, group, label, payee, row, transfer } from './scene.ts';

/** The reason of the model, the reason that the product gives, and what is refused for it. */
type RefusalCase = readonly [refusal: Refusal, reason: string, ...drafts: readonly Draft[]];

/** 2^51 hundredths. */
const MONEY_MAX = '22517998136852.48';
const month = '2024-03';
const unknown = (what: string) => `Unknown or deleted ${what} none`;

/** Under the rows of rules/events.md#contradictions. */
export const REFUSAL_CASES: readonly (readonly [row: string, cases: readonly RefusalCase[]])[] = [
  [
    'an unknown or deleted account',
    [
      [
        'unknown-account',
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
        'unknown-category',
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
        'unknown-group',
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
        'unknown-payee',
        unknown('payee'),
        { type: 'payee.renamed', data: { payeeId: 'none', name: 'x' } },
        { type: 'payee.merged', data: { payeeId: 'none', intoPayeeId: 'shop' } },
        { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'none' } },
        { type: 'payee.deleted', data: { payeeId: 'none' } },
        row('new', { payeeId: 'none' }),
      ],
      [
        'unknown-label',
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
        'unknown-transaction',
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
      [
        'account-exists',
        'The account home is there already',
        account('home', false),
        account('home', true),
      ],
      ['group-exists', 'The category group needs is there already', group('needs', 'income')],
      [
        'category-exists',
        'The category food is there already',
        category('food', 'wages'),
        category('food', 'needs'),
      ],
      ['payee-exists', 'The payee shop is there already', payee('shop')],
      ['label-exists', 'The label red is there already', label('red')],
      ['transaction-exists', 'The transaction row-1 is there already', row('row-1')],
    ],
  ],
  [
    'budget.created twice',
    [
      [
        'created-twice',
        'The budget is created already',
        budget('space-1'),
        { type: 'budget.created', data: { spaceId: 'space-1', name: 'x', currency: 'EUR' } },
      ],
    ],
  ],
  [
    'a space event in the stream of a budget',
    [
      [
        'created-twice',
        'The stream is that of a budget',
        { type: 'space.created', data: { name: 'x' } },
      ],
      [
        'before-created',
        'space.member-added came before space.created',
        { type: 'space.member-added', data: { userId: 'ann' } },
      ],
      [
        'before-created',
        'space.renamed came before space.created',
        { type: 'space.renamed', data: { name: 'x' } },
      ],
    ],
  ],
  [
    'a category on a transfer between two on-budget accounts',
    [
      [
        'category-on-transfer',
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
      [
        'transfer-type-mismatch',
        'Type transfer does not fit transferAccountId null',
        row('new', { type: 'transfer' }),
      ],
      [
        'transfer-type-mismatch',
        'Type standard does not fit transferAccountId cash',
        row('new', { transferAccountId: 'cash' }),
      ],
      [
        'transfer-type-mismatch',
        'Type startingBalance does not fit transferAccountId cash',
        row('new', { type: 'startingBalance', transferAccountId: 'cash' }),
      ],
    ],
  ],
  [
    'native fields that do not fit the account',
    [
      [
        'native-fields-mismatch',
        'Account home has no currency of its own, but native fields came',
        row('new', { amountNative: '1.00', exchangeRate: 1 }),
        row('new', { exchangeRate: 1 }),
        row('new', { amountNative: '1.00' }),
      ],
      [
        'native-fields-mismatch',
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
        'group-not-empty',
        'The category group needs still holds 2 categories',
        { type: 'category-group.deleted', data: { groupId: 'needs' } },
      ],
    ],
  ],
  [
    'a transfer to its own account, a category replaced by itself, a payee merged into itself',
    [
      [
        'transfer-to-itself',
        'Account home cannot transfer to itself',
        transfer('new', ['home', 'home']),
      ],
      [
        'category-replaced-by-itself',
        'Category food cannot replace itself',
        { type: 'category.deleted', data: { categoryId: 'food', replacementCategoryId: 'food' } },
      ],
      [
        'payee-merged-into-itself',
        'Payee shop cannot be merged into itself',
        { type: 'payee.merged', data: { payeeId: 'shop', intoPayeeId: 'shop' } },
      ],
    ],
  ],
  [
    'an event after which the amounts of the budget would exceed the money guard',
    [
      [
        'beyond-money-guard',
        `The amounts of the budget would add up to ${2 ** 51 + 100} hundredths, more than 2^51`,
        row('new', { amount: `-${MONEY_MAX}` }),
        { type: 'month.held', data: { month, amount: MONEY_MAX } },
        { type: 'envelope.assigned', data: { month, categoryId: 'wage', amount: MONEY_MAX } },
      ],
    ],
  ],
];
