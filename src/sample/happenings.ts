// What changes in the sample's household over the years beyond its daily rows: one evening each.

import { monthOf, monthsBetween } from '../process/calendar.ts';
import type { DataOf, EventType } from '../process/event-builder.ts';
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

type Act = (budget: SampleBudget) => void;

const JOINT = 'account-joint';
const VISA = 'account-visa';
const STORE_CARD = 'account-store-card';
const TRIAL = 'group-trial';
const SOFA = 'category-new-sofa';

/** What happens when, by months after the start and the day of that month. */
const HAPPENINGS: Readonly<Record<string, readonly Act[]>> = {
  '1/9': [openStoreCard],
  '2/12': [addLaterCategories],
  '4/18': [
    event('category.renamed', { categoryId: 'category-household-goods', name: 'House & Garden' }),
    event('category.noted', {
      categoryId: 'category-groceries',
      note: 'Not more than 220 a week',
    }),
    event('category.noted', { categoryId: 'category-heating', note: null }),
    event('category.moved', { categoryId: 'category-fuel', groupId: 'group-housing', position: 9 }),
    event('category.moved', { categoryId: 'category-books', groupId: 'group-family' }),
    event('category.hidden', { categoryId: SOFA }),
  ],
  '6/7': [
    budget =>
      budget.emit('payee.renamed', { payeeId: payeeOf(budget, 'Biomarkt'), name: 'Biomarkt Grün' }),
    budget => mergePayee(budget, 'Brotzeit', 'Bäckerei Weiß'),
    budget => mergePayee(budget, 'Shell', 'Freie Tankstelle'),
    budget => budget.emit('payee.deleted', { payeeId: payeeOf(budget, 'Vending Machine') }),
  ],
  // The account is deleted in the end; the leg of its transfer in the joint account stays.
  '8/21': [
    event('account.closed', { accountId: STORE_CARD }),
    event('account.reopened', { accountId: STORE_CARD }),
    event('account.closed', { accountId: STORE_CARD }),
    event('account.deleted', { accountId: STORE_CARD }),
  ],
  '11/3': [
    event('category-group.added', {
      groupId: TRIAL,
      name: 'Trial',
      budgetMode: 'envelope',
      position: 20,
    }),
    event('category-group.moved', { groupId: TRIAL, position: -1 }),
    event('category-group.deleted', { groupId: TRIAL }),
    event('category-group.renamed', { groupId: 'group-fun', name: 'Joy' }),
    event('category-group.hidden', { groupId: 'group-family' }),
    event('category-group.shown', { groupId: 'group-family' }),
    event('category-group.hidden', { groupId: 'group-saving-up' }),
  ],
  '14/16': [
    budget =>
      budget.emit('label.renamed', {
        labelId: labelOf(budget, 'With friends'),
        name: 'Friends & Family',
      }),
    budget => labelOf(budget, 'Christmas'),
    budget => budget.emit('label.deleted', { labelId: labelOf(budget, 'Work') }),
  ],
  // The rows of one category go to another one; those of the other are left without any.
  '17/5': [
    budget => deleteCategory(budget, 'Snacks', 'Eating Out'),
    budget => deleteCategory(budget, 'Parking', null),
  ],
  '21/13': [
    event('budget.renamed', { name: 'Our Household' }),
    event('account.renamed', { accountId: VISA, name: 'Visa Gold' }),
    event('account.moved', { accountId: VISA, position: 12 }),
    event('account.type-changed', { accountId: VISA, type: 'lineOfCredit' }),
    event('account.type-changed', { accountId: VISA, type: 'creditCard' }),
    event('account.renamed', { accountId: 'account-rainy-day', name: 'Rainy Day ☂' }),
  ],
  '26/10': [event('category.shown', { categoryId: SOFA }), receiveSofa],
};

/** Runs every day; `start` is the first day of the history. */
export function happen(budget: SampleBudget, start: string): void {
  const { today } = budget;
  const months = monthsBetween(monthOf(start), monthOf(today));
  for (const act of HAPPENINGS[`${months}/${Number(today.slice(8))}`] ?? []) act(budget);
}

function event<T extends EventType>(type: T, data: DataOf<T>): Act {
  return budget => budget.emit(type, data);
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

function receiveSofa(budget: SampleBudget): void {
  enterRow(budget, {
    accountId: JOINT,
    date: budget.today,
    amount: -1240_00,
    payeeId: payeeOf(budget, 'IKEA'),
    categoryId: SOFA,
    memo: 'The green one, delivered',
  });
  carryOver(budget, 'Holidays');
}
