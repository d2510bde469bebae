// The money that moves in a sample budget on a day: incomes, bills, transfers, purchases.

import { addDays, dayOf, monthOf, monthsBetween } from '../process/calendar.ts';
import { balanceOf, type SampleBudget } from './budget.ts';
import { findCategory, idOf, labelOf, payeeOf } from './catalogue.ts';
import type { Purchase, Regular, RegularTransfer } from './plan.ts';
import { enterRow, enterTransfer, type NewRow } from './rows.ts';

const DAYS_PER_MONTH = 30.4;
const EPOCH_MONTH = '2000-01';
const WALLET_MIN = 40_00;
const CARD_MIN = 20_00;

/** Enters what is due on a date, which may be later than today. */
export function enterRegulars(budget: SampleBudget, date: string): void {
  const { regulars, transfers } = budget.plan;
  for (const regular of regulars) if (isDue(regular, date)) enterRegular(budget, regular, date);
  for (const each of transfers) if (isDue(each, date)) enterRegularTransfer(budget, each, date);
}

/** Enters the purchases of today, and the cash that was drawn for them. */
export function goShopping(budget: SampleBudget): void {
  const { plan, random } = budget;
  fillWallet(budget);
  for (const purchase of plan.purchases) {
    const [, timesPerMonth] = purchase;
    const expected = timesPerMonth / DAYS_PER_MONTH;
    const times = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    for (let time = 0; time < times; time++) buy(budget, purchase);
  }
}

function isDue([day, everyMonths]: Regular | RegularTransfer, date: string): boolean {
  const month = monthOf(date);
  return date === dayOf(month, day) && monthsBetween(EPOCH_MONTH, month) % everyMonths === 0;
}

function enterRegular(budget: SampleBudget, regular: Regular, date: string): void {
  const { plan, random } = budget;
  const [, , payee, category, amount, more = {}] = regular;
  const { account = plan.mainAccount, memo = null, spreadPercent = 0 } = more;
  const percent = random.between(-spreadPercent, spreadPercent);
  enterRow(budget, {
    accountId: idOf(budget, 'account', account),
    date,
    amount: Math.round((amount * (100 + percent)) / 100),
    payeeId: payeeOf(budget, payee),
    categoryId: findCategory(budget, category),
    memo,
  });
}

function enterRegularTransfer(budget: SampleBudget, transfer: RegularTransfer, date: string): void {
  const [, , payer, receiver, fixed, category] = transfer;
  const from = idOf(budget, 'account', payer);
  const to = idOf(budget, 'account', receiver);
  const amount = fixed ?? -balanceOf(budget, to);
  if (amount < CARD_MIN) return;
  const categoryId = category === undefined ? null : findCategory(budget, category);
  enterTransfer(budget, { date, from, to, amount, categoryId });
}

function fillWallet(budget: SampleBudget): void {
  const { plan, random, today: date } = budget;
  const to = idOf(budget, 'account', plan.wallet);
  if (balanceOf(budget, to) >= WALLET_MIN) return;
  const from = idOf(budget, 'account', plan.mainAccount);
  enterTransfer(budget, { date, from, to, amount: random.between(5, 10) * 20_00 });
}

function buy(budget: SampleBudget, purchase: Purchase): void {
  const { plan, random, duplicates } = budget;
  const [category, , , , payees, { inCash, label } = {}] = purchase;
  const { [category]: memos } = plan.memos;
  const { [category]: splitWith } = plan.splits;
  const account = inCash
    ? random.pick([plan.wallet, plan.wallet, plan.mainAccount])
    : random.pick(plan.cards);
  const categoryId = findCategory(budget, category);
  // Without its category nobody has this habit, yet or any more.
  if (categoryId === null) return;
  const row: NewRow = {
    accountId: idOf(budget, 'account', account),
    date: dateOfPurchase(budget),
    amount: -costOf(budget, purchase),
    payeeId: payeeOf(budget, random.pick(payees.split(', '))),
    categoryId: random.chance(0.02) ? null : categoryId,
    memo: memos && random.chance(0.35) ? random.pick(memos) : null,
    labelIds: label && random.chance(0.3) ? [labelOf(budget, label)] : [],
    cleared: account === plan.wallet,
  };
  if (splitWith && random.chance(0.25)) enterSplit(budget, row, random.pick(splitWith));
  else enterRow(budget, row);
  if (random.chance(0.015)) duplicates.push(enterRow(budget, row));
}

/** Most receipts are small. */
function costOf({ random }: SampleBudget, [, , from, to]: Purchase): number {
  return random.between(from, random.chance(0.6) ? from + Math.floor((to - from) / 2) : to);
}

/** Mostly today; a receipt found later is at most four days old, and of this month. */
function dateOfPurchase({ today, random }: SampleBudget): string {
  if (!random.chance(0.06)) return today;
  const found = addDays(today, -random.between(1, 4));
  return monthOf(found) === monthOf(today) ? found : today;
}

function enterSplit(budget: SampleBudget, row: NewRow, otherCategory: string): void {
  const part = Math.round((row.amount * budget.random.between(20, 60)) / 100);
  const shared = { ...row, splitGroupId: budget.newId('split') };
  enterRow(budget, { ...shared, amount: row.amount - part });
  enterRow(budget, { ...shared, amount: part, categoryId: findCategory(budget, otherCategory) });
}
