// Events that name things which are not live, or create things which are.
import { ghostId, type Kind, type LiveBudget, randomMonth } from './live-budget.ts';
import type { Draft } from './row-actions.ts';
import { invalidRow, oneOf, type Wrong } from './wrong-draft.ts';

const unknownAccount: Wrong = (random, live) => {
  const accountId = ghostId(random, live, 'account');
  return oneOf(random, 'unknown-account', [
    { type: 'account.renamed', data: { accountId, name: 'x' } },
    { type: 'account.type-changed', data: { accountId, type: 'cash' } },
    { type: 'account.moved', data: { accountId, position: 1 } },
    { type: 'account.closed', data: { accountId } },
    { type: 'account.reopened', data: { accountId } },
    { type: 'account.deleted', data: { accountId } },
    ...invalidRow(random, live, () => ({ accountId, amountNative: null, exchangeRate: null })),
    ...invalidRow(random, live, () => ({
      type: 'transfer',
      transferAccountId: accountId,
      categoryId: null,
    })),
  ]);
};

const unknownGroup: Wrong = (random, live) => {
  const groupId = ghostId(random, live, 'group');
  const categoryId = ghostId(random, live, 'category');
  return oneOf(random, 'unknown-group', [
    { type: 'category-group.renamed', data: { groupId, name: 'x' } },
    { type: 'category-group.moved', data: { groupId, position: 1 } },
    { type: 'category-group.hidden', data: { groupId } },
    { type: 'category-group.shown', data: { groupId } },
    { type: 'category-group.deleted', data: { groupId } },
    { type: 'category.added', data: { categoryId, groupId, name: 'x' } },
    ...random
      .some(live.categories.keys(), 1)
      .map((id): Draft => ({ type: 'category.moved', data: { categoryId: id, groupId } })),
  ]);
};

const unknownCategory: Wrong = (random, live) => {
  const categoryId = ghostId(random, live, 'category');
  const month = randomMonth(random, live);
  const known = random.some(live.categories.keys(), 1);
  return oneOf(random, 'unknown-category', [
    { type: 'category.renamed', data: { categoryId, name: 'x' } },
    { type: 'category.noted', data: { categoryId, note: null } },
    { type: 'category.hidden', data: { categoryId } },
    { type: 'category.shown', data: { categoryId } },
    { type: 'category.deleted', data: { categoryId, replacementCategoryId: null } },
    { type: 'envelope.assigned', data: { month, categoryId, amount: '1.00' } },
    { type: 'envelope.carryover-set', data: { month, categoryId, carriesOver: true } },
    ...random
      .some(live.groups, 1)
      .map((groupId): Draft => ({ type: 'category.moved', data: { categoryId, groupId } })),
    ...known.map(
      (id): Draft => ({
        type: 'category.deleted',
        data: { categoryId: id, replacementCategoryId: categoryId },
      }),
    ),
    ...invalidRow(random, live, () => ({ categoryId })),
  ]);
};

const unknownPayee: Wrong = (random, live) => {
  const payeeId = ghostId(random, live, 'payee');
  return oneOf(random, 'unknown-payee', [
    { type: 'payee.renamed', data: { payeeId, name: 'x' } },
    { type: 'payee.deleted', data: { payeeId } },
    ...random.some(live.payees, 1).flatMap((known): Draft[] => [
      { type: 'payee.merged', data: { payeeId, intoPayeeId: known } },
      { type: 'payee.merged', data: { payeeId: known, intoPayeeId: payeeId } },
    ]),
    ...invalidRow(random, live, () => ({ payeeId })),
  ]);
};

const unknownLabel: Wrong = (random, live) => {
  const labelId = ghostId(random, live, 'label');
  const labelIds = [...random.some(live.labels, 2), labelId];
  return oneOf(random, 'unknown-label', [
    { type: 'label.renamed', data: { labelId, name: 'x' } },
    { type: 'label.deleted', data: { labelId } },
    ...invalidRow(random, live, () => ({ labelIds })),
  ]);
};

const unknownTransaction: Wrong = (random, live) => {
  const transactionId = ghostId(random, live, 'transaction');
  const transactionIds = [...random.some(live.rows.keys(), 5), transactionId];
  return oneOf(random, 'unknown-transaction', [
    { type: 'transaction.deleted', data: { transactionId } },
    { type: 'transaction.cleared', data: { transactionIds } },
    { type: 'transaction.uncleared', data: { transactionIds } },
    { type: 'transaction.reconciled', data: { transactionIds } },
    ...invalidRow(random, live, () => ({ transactionId })).map(
      (draft): Draft => ({ ...draft, type: 'transaction.changed' }) as Draft,
    ),
  ]);
};

function createdTwice(kind: Kind, ids: (live: LiveBudget) => Iterable<string>): Wrong {
  return (random, live) => {
    const id = random.some(ids(live), 1)[0];
    const groupId = random.some(live.groups, 1)[0];
    if (id === undefined || groupId === undefined) return null;
    const name = 'again';
    const drafts: Record<Kind, () => Draft[]> = {
      account: () => [
        {
          type: 'account.opened',
          data: { accountId: id, name, type: 'cash', onBudget: true, currency: null },
        },
      ],
      group: () => [
        { type: 'category-group.added', data: { groupId: id, name, budgetMode: 'income' } },
      ],
      category: () => [{ type: 'category.added', data: { categoryId: id, groupId, name } }],
      payee: () => [{ type: 'payee.added', data: { payeeId: id, name } }],
      label: () => [{ type: 'label.added', data: { labelId: id, name } }],
      transaction: () => invalidRow(random, live, () => ({ transactionId: id })),
    };
    return oneOf(random, `${kind}-exists`, drafts[kind]());
  };
}

export const WRONG_REFERENCES: readonly Wrong[] = [
  unknownAccount,
  unknownGroup,
  unknownCategory,
  unknownPayee,
  unknownLabel,
  unknownTransaction,
  createdTwice('account', live => live.accounts.keys()),
  createdTwice('group', live => live.groups),
  createdTwice('category', live => live.categories.keys()),
  createdTwice('payee', live => live.payees),
  createdTwice('label', live => live.labels),
  createdTwice('transaction', live => live.rows.keys()),
];
