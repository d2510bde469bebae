// Valid events of accounts, categories, payees, labels, envelopes and the budget itself.
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import { randomName } from './awkward-text.ts';
import { freshId, type LiveBudget, randomMoney, randomMonth } from './live-budget.ts';
import type { Random } from './random.ts';
import type { Action, Draft } from './row-actions.ts';

const ACCOUNT_TYPES = ['checking', 'savings', 'creditCard', 'mortgage', 'otherAsset'] as const;
const MODES = ['envelope', 'envelope', 'envelope', 'income', 'unfunded'] as const;

function anyOf(random: Random, ids: Iterable<string>): string | null {
  return random.some(ids, 1)[0] ?? null;
}

function anyName(random: Random, live: LiveBudget): string {
  return randomName(random, live.isWild);
}

function maybePosition(random: Random): { position?: number | null } {
  if (random.chance(0.4)) return {};
  return { position: random.chance(0.2) ? null : random.between(-3, 6) };
}

/** Returns one draft about one of the ids, or none. */
function aboutOne(random: Random, ids: Iterable<string>, draft: (id: string) => Draft): Draft[] {
  const id = anyOf(random, ids);
  return id === null ? [] : [draft(id)];
}

export const openAccount: Action = (random, live) => {
  const accountId = freshId(random, live, 'account');
  const onBudget = random.chance(0.7);
  const currency = random.chance(0.25) ? random.pick(['USD', 'JPY', 'CHF', live.currency]) : null;
  live.accounts.set(accountId, { onBudget, currency });
  const name = anyName(random, live);
  const type = random.pick(ACCOUNT_TYPES);
  const data = { accountId, name, type, onBudget, currency, ...maybePosition(random) };
  return [{ type: 'account.opened', data }];
};

const changeAccount: Action = (random, live) =>
  aboutOne(random, live.accounts.keys(), accountId =>
    random.pick<() => Draft>([
      () => ({ type: 'account.renamed', data: { accountId, name: anyName(random, live) } }),
      () => ({
        type: 'account.type-changed',
        data: { accountId, type: random.pick(ACCOUNT_TYPES) },
      }),
      () => ({ type: 'account.moved', data: { accountId, position: random.between(-3, 6) } }),
      () => ({ type: 'account.closed', data: { accountId } }),
      () => ({ type: 'account.reopened', data: { accountId } }),
    ])(),
  );

const deleteAccount: Action = (random, live) => {
  if (live.accounts.size < 2) return [];
  return aboutOne(random, live.accounts.keys(), accountId => {
    live.accounts.delete(accountId);
    live.dead.account.add(accountId);
    for (const [id, row] of [...live.rows]) {
      if (row.accountId === accountId) {
        live.rows.delete(id);
        live.dead.transaction.add(id);
      } else if (row.transferAccountId === accountId) {
        live.rows.set(id, { ...row, transferAccountId: null, type: 'standard' });
      }
    }
    return { type: 'account.deleted', data: { accountId } };
  });
};

export const addGroup: Action = (random, live) => {
  const groupId = freshId(random, live, 'group');
  live.groups.add(groupId);
  const name = anyName(random, live);
  const budgetMode = random.pick(MODES);
  const data = { groupId, name, budgetMode, ...maybePosition(random) };
  return [{ type: 'category-group.added', data }];
};

const changeGroup: Action = (random, live) =>
  aboutOne(random, live.groups, groupId =>
    random.pick<() => Draft>([
      () => ({ type: 'category-group.renamed', data: { groupId, name: anyName(random, live) } }),
      () => ({ type: 'category-group.moved', data: { groupId, position: random.between(-3, 6) } }),
      () => ({ type: 'category-group.hidden', data: { groupId } }),
      () => ({ type: 'category-group.shown', data: { groupId } }),
    ])(),
  );

const deleteGroup: Action = (random, live) => {
  const full = new Set(live.categories.values());
  const empty = [...live.groups].filter(id => !full.has(id));
  return aboutOne(random, empty, groupId => {
    live.groups.delete(groupId);
    live.dead.group.add(groupId);
    return { type: 'category-group.deleted', data: { groupId } };
  });
};

export const addCategory: Action = (random, live) => {
  const groupId = anyOf(random, live.groups);
  if (groupId === null) return [];
  const categoryId = freshId(random, live, 'category');
  live.categories.set(categoryId, groupId);
  const note = random.chance(0.5) ? {} : { note: random.chance(0.3) ? null : 'a note \u2028' };
  const name = anyName(random, live);
  const data = { categoryId, groupId, name, ...note, ...maybePosition(random) };
  return [{ type: 'category.added', data }];
};

const changeCategory: Action = (random, live) =>
  aboutOne(random, live.categories.keys(), categoryId =>
    random.pick<() => Draft>([
      () => ({ type: 'category.renamed', data: { categoryId, name: anyName(random, live) } }),
      () => ({ type: 'category.noted', data: { categoryId, note: random.pick([null, '', 'x']) } }),
      () => ({ type: 'category.hidden', data: { categoryId } }),
      () => ({ type: 'category.shown', data: { categoryId } }),
      () => {
        const groupId = random.pick(live.groups);
        live.categories.set(categoryId, groupId);
        const data = { categoryId, groupId, ...maybePosition(random) };
        return { type: 'category.moved', data };
      },
    ])(),
  );

const deleteCategory: Action = (random, live) =>
  aboutOne(random, live.categories.keys(), categoryId => {
    live.categories.delete(categoryId);
    live.dead.category.add(categoryId);
    const isReplaced = random.chance(0.6);
    const replacementCategoryId = isReplaced ? anyOf(random, live.categories.keys()) : null;
    updateRows(live, row =>
      row.categoryId === categoryId ? { ...row, categoryId: replacementCategoryId } : row,
    );
    return { type: 'category.deleted', data: { categoryId, replacementCategoryId } };
  });

export const addPayee: Action = (random, live) => {
  const payeeId = freshId(random, live, 'payee');
  live.payees.add(payeeId);
  return [{ type: 'payee.added', data: { payeeId, name: anyName(random, live) } }];
};

const changePayee: Action = (random, live) =>
  aboutOne(random, live.payees, payeeId => ({
    type: 'payee.renamed',
    data: { payeeId, name: anyName(random, live) },
  }));

const endPayee: Action = (random, live) =>
  aboutOne(random, live.payees, payeeId => {
    live.payees.delete(payeeId);
    live.dead.payee.add(payeeId);
    const intoPayeeId = random.chance(0.6) ? anyOf(random, live.payees) : null;
    updateRows(live, row => (row.payeeId === payeeId ? { ...row, payeeId: intoPayeeId } : row));
    return intoPayeeId === null
      ? { type: 'payee.deleted', data: { payeeId } }
      : { type: 'payee.merged', data: { payeeId, intoPayeeId } };
  });

export const addLabel: Action = (random, live) => {
  const labelId = freshId(random, live, 'label');
  live.labels.add(labelId);
  return [{ type: 'label.added', data: { labelId, name: anyName(random, live) } }];
};

const changeLabel: Action = (random, live) =>
  aboutOne(random, live.labels, labelId => ({
    type: 'label.renamed',
    data: { labelId, name: anyName(random, live) },
  }));

const deleteLabel: Action = (random, live) =>
  aboutOne(random, live.labels, labelId => {
    live.labels.delete(labelId);
    live.dead.label.add(labelId);
    updateRows(live, row => ({
      ...row,
      labelIds: (row.labelIds ?? []).filter(id => id !== labelId),
    }));
    return { type: 'label.deleted', data: { labelId } };
  });

function updateRows(
  live: LiveBudget,
  update: (row: TransactionEntered) => TransactionEntered,
): void {
  for (const [id, row] of live.rows) live.rows.set(id, update(row));
}

const assign: Action = (random, live) =>
  aboutOne(random, live.categories.keys(), categoryId => {
    const month = randomMonth(random, live);
    const sign = random.chance(0.8) ? 'positive' : 'any';
    const amount = randomMoney(random, live, sign);
    return { type: 'envelope.assigned', data: { month, categoryId, amount } };
  });

const flipCarryover: Action = (random, live) =>
  aboutOne(random, live.categories.keys(), categoryId => ({
    type: 'envelope.carryover-set',
    data: { month: randomMonth(random, live), categoryId, carriesOver: random.chance(0.6) },
  }));

const hold: Action = (random, live) => [
  {
    type: 'month.held',
    data: { month: randomMonth(random, live), amount: randomMoney(random, live, 'positive') },
  },
];

const changeBudget: Action = (random, live) =>
  random.chance(0.8)
    ? [{ type: 'budget.renamed', data: { name: anyName(random, live) } }]
    : [{ type: 'budget.archived', data: { successorBudgetId: random.pick([null, 'budget-x']) } }];

/** The actions and their weights. */
export const BUDGET_ACTIONS: readonly (readonly [number, Action])[] = [
  [1.5, openAccount],
  [2, changeAccount],
  [0.4, deleteAccount],
  [0.7, addGroup],
  [1.2, changeGroup],
  [0.5, deleteGroup],
  [1.5, addCategory],
  [3, changeCategory],
  [0.8, deleteCategory],
  [2, addPayee],
  [1, changePayee],
  [0.8, endPayee],
  [1.2, addLabel],
  [0.6, changeLabel],
  [0.5, deleteLabel],
  [12, assign],
  [4, flipCarryover],
  [3, hold],
  [0.4, changeBudget],
];
