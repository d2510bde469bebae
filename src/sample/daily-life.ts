// A day of a sample budget: the money that moves (incomes, bills, transfers, purchases), and the books that are kept.
import type { Account, Row } from '../../projections/documents.ts';
import { addDays, dayOf, monthOf, monthsBetween } from '../process/calendar.ts';
import { balanceOf, type SampleBudget } from './budget.ts';
import { findCategory, idOf, labelOf, payeeOf } from './catalogue.ts';
import type { Purchase, Regular, RegularTransfer } from './plan.ts';
import { amendRow, enterRow, enterTransfer, type NewRow, openRows } from './rows.ts';

const DAYS_PER_MONTH = 30.4;
const EPOCH_MONTH = '2000-01';
const WALLET_MIN = 40_00;
const CARD_MIN = 20_00;
const STATEMENT_DAY = 4;
/** An event names at most so many rows (rules/events.md#value-grammar). */
const IDS_MAX = 1000;
const MEMOS = ['See receipt', 'Half of it is for the neighbours', 'Refund follows', '“Sale”'];

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

/** Keeps the books right: clearing, statements, and the mending of slips. */
export function keepBooks(budget: SampleBudget): void {
  const { documents, random, today } = budget;
  for (const transactionId of budget.duplicates.splice(0)) {
    budget.emit('transaction.deleted', { transactionId });
  }
  const accounts = documents.all('accounts', budget.id);
  if (random.chance(0.07)) {
    const date = addDays(today, -2);
    const rows = [...openRows(budget)].filter(row => row.date <= date);
    for (const { id } of accounts) {
      const own = rows.filter(row => row.accountId === id);
      markCleared(budget, own);
    }
  }
  if (today === dayOf(monthOf(today), STATEMENT_DAY)) {
    for (const account of accounts) checkStatement(budget, account);
  }
  if (random.chance(0.06)) mendSlip(budget);
  if (random.chance(0.5)) categorize(budget);
  if (random.chance(0.02)) doubtRow(budget);
}

/** Agrees with the bank on everything up to the end of last month. */
function checkStatement(budget: SampleBudget, { id: accountId, onBudget }: Account): void {
  const { random, today } = budget;
  const rowsUpTo = (date: string): Row[] =>
    [...openRows(budget)].filter(row => row.accountId === accountId && row.date <= date);
  markCleared(budget, rowsUpTo(addDays(dayOf(monthOf(today), 1), -1)));
  const amount = random.between(-5_00, 3_00);
  if (balanceOf(budget, accountId) !== 0 && amount !== 0 && random.chance(0.2)) {
    enterRow(budget, {
      accountId,
      date: today,
      amount,
      type: 'reconciliation',
      categoryId: onBudget ? findCategory(budget, 'Differences') : null,
      memo: 'Found when reconciling',
      cleared: true,
    });
  }
  const agreed = rowsUpTo(today).filter(row => row.cleared);
  if (agreed.length > 0) budget.emit('transaction.reconciled', idsOf(agreed));
}

function markCleared(budget: SampleBudget, rows: readonly Row[]): void {
  const uncleared = rows.filter(row => !row.cleared);
  if (uncleared.length > 0) budget.emit('transaction.cleared', idsOf(uncleared));
}

function idsOf(rows: readonly Row[]): { transactionIds: string[] } {
  return { transactionIds: rows.slice(0, IDS_MAX).map(({ id }) => id) };
}

function mendSlip(budget: SampleBudget): void {
  const { random } = budget;
  const row = newestRow(budget, () => random.chance(0.2));
  if (row === undefined) return;
  if (random.chance(0.5)) {
    // Two swapped digits change an amount by a multiple of nine.
    const amount = (row.amountNative ?? row.amount) - random.between(1, 9) * 9;
    amendRow(budget, row, { amount });
  } else {
    amendRow(budget, row, { memo: random.pick(MEMOS) });
  }
}

function categorize(budget: SampleBudget): void {
  const { plan, random } = budget;
  const row = newestRow(budget, ({ onBudget, categoryId }) => onBudget && categoryId === null);
  const categoryId = findCategory(budget, random.pick(plan.purchases)[0]);
  if (row === undefined || categoryId === null || random.chance(0.2)) return;
  amendRow(budget, row, { categoryId });
}

function doubtRow(budget: SampleBudget): void {
  const row = newestRow(budget, ({ cleared }) => cleared && budget.random.chance(0.1));
  if (row) budget.emit('transaction.uncleared', { transactionIds: [row.id] });
}

/** Returns the newest row of this month that may still be changed, and that is wanted. */
function newestRow(budget: SampleBudget, isWanted: (row: Row) => boolean): Row | undefined {
  const month = monthOf(budget.today);
  for (const row of openRows(budget)) {
    if (row.type === 'standard' && monthOf(row.date) === month && isWanted(row)) return row;
  }
  return undefined;
}
