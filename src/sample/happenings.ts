// What changes in the sample's household over the years beyond its daily rows: one evening each.

import { dayOf, monthOf, monthsBetween } from '../process/calendar.ts';
import type { SampleBudget } from './budget.ts';
import {
  addCategory,
  carryOver,
  deleteCategory,
  idOf,
  labelOf,
  mergePayee,
  openAccount,
  payeeOf,
} from './catalogue.ts';
import { enterRow, enterTransfer } from './rows.ts';

interface Happening {
  /** Months after the start, then the day of that month. */
  readonly month: number;
  readonly day: number;
  readonly happen: (budget: SampleBudget) => void;
}

const HAPPENINGS: readonly Happening[] = [
  { month: 1, day: 9, happen: openStoreCard },
  { month: 2, day: 12, happen: addLaterCategories },
  { month: 4, day: 18, happen: tidyCategories },
  { month: 6, day: 7, happen: tidyPayees },
  { month: 8, day: 21, happen: closeStoreCard },
  { month: 11, day: 3, happen: tidyGroups },
  { month: 14, day: 16, happen: tidyLabels },
  { month: 17, day: 5, happen: quitSnacks },
  { month: 21, day: 13, happen: renameThings },
  { month: 26, day: 10, happen: receiveSofa },
];

const JOINT = 'account-joint';
const VISA = 'account-visa';
const STORE_CARD = 'account-store-card';

/** Runs every day; `start` is the first day of the history. */
export function happen(budget: SampleBudget, start: string): void {
  const { today } = budget;
  const months = monthsBetween(monthOf(start), monthOf(today));
  for (const { month, day, happen } of HAPPENINGS) {
    if (month === months && today === dayOf(monthOf(today), day)) happen(budget);
  }
}

function openStoreCard(budget: SampleBudget): void {
  const plan = { key: 'store-card', name: 'Store Card', type: 'creditCard', opening: 0 } as const;
  openAccount(budget, plan, null);
  const date = budget.today;
  const payeeId = payeeOf(budget, 'Kaufhaus Stern');
  const categoryId = idOf(budget, 'category', 'Clothing');
  enterRow(budget, { accountId: STORE_CARD, date, amount: -89_95, payeeId, categoryId });
  enterTransfer(budget, { date, from: JOINT, to: STORE_CARD, amount: 89_95 });
}

function addLaterCategories(budget: SampleBudget): void {
  for (const { name, categories } of budget.plan.groups) {
    for (const category of categories) {
      if (category.isLater) addCategory(budget, name, { ...category, position: null });
    }
  }
}

function tidyCategories(budget: SampleBudget): void {
  const id = (name: string) => idOf(budget, 'category', name);
  const group = (name: string) => idOf(budget, 'group', name);
  budget.emit('category.renamed', { categoryId: id('Household Goods'), name: 'House & Garden' });
  budget.emit('category.noted', { categoryId: id('Groceries'), note: 'Not more than 220 a week' });
  budget.emit('category.noted', { categoryId: id('Heating'), note: null });
  budget.emit('category.moved', { categoryId: id('Fuel'), groupId: group('Housing'), position: 9 });
  budget.emit('category.moved', { categoryId: id('Books'), groupId: group('Family') });
  budget.emit('category.hidden', { categoryId: id('New Sofa') });
}

function tidyPayees(budget: SampleBudget): void {
  budget.emit('payee.renamed', { payeeId: payeeOf(budget, 'Biomarkt'), name: 'Biomarkt Grün' });
  mergePayee(budget, 'Brotzeit', 'Bäckerei Weiß');
  mergePayee(budget, 'Shell', 'Freie Tankstelle');
  budget.emit('payee.deleted', { payeeId: payeeOf(budget, 'Vending Machine') });
}

/** The account is deleted in the end; the leg of its transfer in the joint account stays. */
function closeStoreCard(budget: SampleBudget): void {
  budget.emit('account.closed', { accountId: STORE_CARD });
  budget.emit('account.reopened', { accountId: STORE_CARD });
  budget.emit('account.closed', { accountId: STORE_CARD });
  budget.emit('account.deleted', { accountId: STORE_CARD });
}

function tidyGroups(budget: SampleBudget): void {
  const id = (name: string) => idOf(budget, 'group', name);
  const trial = { groupId: id('Trial'), name: 'Trial', budgetMode: 'envelope' } as const;
  budget.emit('category-group.added', { ...trial, position: 20 });
  budget.emit('category-group.moved', { groupId: trial.groupId, position: -1 });
  budget.emit('category-group.deleted', { groupId: trial.groupId });
  budget.emit('category-group.renamed', { groupId: id('Fun'), name: 'Joy' });
  budget.emit('category-group.hidden', { groupId: id('Family') });
  budget.emit('category-group.shown', { groupId: id('Family') });
  budget.emit('category-group.hidden', { groupId: id('Saving up') });
}

function tidyLabels(budget: SampleBudget): void {
  const labelId = labelOf(budget, 'With friends');
  budget.emit('label.renamed', { labelId, name: 'Friends & Family' });
  labelOf(budget, 'Christmas');
  budget.emit('label.deleted', { labelId: labelOf(budget, 'Work') });
}

/** The rows of one category go to another one; those of the other are left without any. */
function quitSnacks(budget: SampleBudget): void {
  deleteCategory(budget, 'Snacks', 'Eating Out');
  deleteCategory(budget, 'Parking', null);
}

function renameThings(budget: SampleBudget): void {
  budget.emit('budget.renamed', { name: 'Our Household' });
  budget.emit('account.renamed', { accountId: VISA, name: 'Visa Gold' });
  budget.emit('account.moved', { accountId: VISA, position: 12 });
  budget.emit('account.type-changed', { accountId: VISA, type: 'lineOfCredit' });
  budget.emit('account.type-changed', { accountId: VISA, type: 'creditCard' });
  budget.emit('account.renamed', { accountId: 'account-rainy-day', name: 'Rainy Day ☂' });
}

function receiveSofa(budget: SampleBudget): void {
  const categoryId = idOf(budget, 'category', 'New Sofa');
  budget.emit('category.shown', { categoryId });
  enterRow(budget, {
    accountId: JOINT,
    date: budget.today,
    amount: -1240_00,
    payeeId: payeeOf(budget, 'IKEA'),
    categoryId,
    memo: 'The green one, delivered',
  });
  carryOver(budget, 'Holidays');
}
