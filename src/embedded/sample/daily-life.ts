// The money that moves in a sample budget on a day: incomes, bills, transfers, purchases.
import { enterTransfer } from './budget-book.ts';
import { addDays, dayOf, monthOf, monthsBetween } from './calendar.ts';
import type { Life } from './life.ts';
import type { Purchase, Regular, RegularTransfer } from './plan.ts';
import type { NewRow } from './row-book.ts';

const DAYS_PER_MONTH = 30.4;
const EPOCH_MONTH = '2000-01';
const WALLET_MIN = 40_00;
const CARD_MIN = 20_00;

/** What comes on its own on that date, which may be a later day than the book's. */
export function enterRegulars(life: Life, date: string): void {
  const { plan } = life;
  for (const income of plan.incomes.filter(each => isDue(each, date))) {
    enterRegular(life, income, date, 1);
  }
  for (const bill of plan.bills.filter(each => isDue(each, date))) {
    enterRegular(life, bill, date, -1);
  }
  for (const transfer of plan.transfers.filter(each => isDue(each, date))) {
    enterRegularTransfer(life, transfer, date);
  }
}

/** The day's shopping, and cash for it. */
export function goShopping(life: Life): void {
  const { plan, random } = life;
  fillWallet(life);
  for (const purchase of plan.purchases) {
    const expected = purchase.timesPerMonth / DAYS_PER_MONTH;
    const times = Math.floor(expected) + (random.chance(expected % 1) ? 1 : 0);
    for (let time = 0; time < times; time++) buy(life, purchase);
  }
}

function isDue({ day, everyMonths = 1 }: Regular | RegularTransfer, date: string): boolean {
  const month = monthOf(date);
  return date === dayOf(month, day) && monthsBetween(EPOCH_MONTH, month) % everyMonths === 0;
}

function enterRegular(life: Life, regular: Regular, date: string, sign: 1 | -1): void {
  const { book, random } = life;
  const account = book.accounts.get(regular.account);
  const categoryId = book.categories.get(regular.category);
  if (account === undefined || categoryId === undefined) return;
  const percent = random.between(-(regular.spreadPercent ?? 0), regular.spreadPercent ?? 0);
  book.rows.enter({
    account,
    date,
    amount: sign * Math.round((regular.amount * (100 + percent)) / 100),
    payeeId: book.payees.idOf(regular.payee),
    categoryId,
    memo: regular.memo ?? null,
  });
}

function enterRegularTransfer(life: Life, transfer: RegularTransfer, date: string): void {
  const { book } = life;
  const from = book.accounts.get(transfer.from);
  const to = book.accounts.get(transfer.to);
  if (from === undefined || to === undefined) return;
  const amount = transfer.amount ?? -to.balance;
  if (amount < CARD_MIN) return;
  const categoryId = transfer.category && book.categories.get(transfer.category);
  enterTransfer(book, { date, from, to, amount, categoryId: categoryId || undefined });
}

function fillWallet({ book, plan, random }: Life): void {
  const to = book.accounts.get(plan.wallet.account);
  const from = book.accounts.get(plan.wallet.from);
  if (to === undefined || from === undefined || to.balance >= WALLET_MIN) return;
  const amount = random.between(5, 10) * 20_00;
  enterTransfer(book, { date: book.today(), from, to, amount });
}

function buy(life: Life, purchase: Purchase): void {
  const { book, random } = life;
  const account = book.accounts.get(random.pick(purchase.accounts));
  const categoryId = book.categories.get(purchase.category);
  // A category or account that has been given up takes the habit with it.
  if (account === undefined || categoryId === undefined) return;
  const row: NewRow = {
    account,
    date: dateOfPurchase(life),
    amount: -random.between(purchase.from, skewed(life, purchase)),
    payeeId: book.payees.idOf(random.pick(purchase.payees)),
    categoryId: random.chance(0.02) ? null : categoryId,
    memo: purchase.memos && random.chance(0.35) ? random.pick(purchase.memos) : null,
    labelIds: purchase.label && random.chance(0.3) ? [book.labels.idOf(purchase.label)] : [],
    cleared: account === book.accounts.get(life.plan.wallet.account),
  };
  if (purchase.splitWith && random.chance(0.25)) enterSplit(life, row, purchase.splitWith);
  else book.rows.enter(row);
  if (random.chance(0.015)) life.duplicates.push(book.rows.enter(row).id);
}

/** Most receipts are small. */
function skewed({ random }: Life, { from, to }: Purchase): number {
  return random.chance(0.6) ? from + Math.floor((to - from) / 2) : to;
}

/** Mostly today; sometimes a receipt is found in a pocket, but never one of an earlier month. */
function dateOfPurchase({ book, random }: Life): string {
  const today = book.today();
  const found = addDays(today, -random.between(1, 4));
  return random.chance(0.06) && monthOf(found) === monthOf(today) ? found : today;
}

function enterSplit(life: Life, row: NewRow, others: readonly [string, ...string[]]): void {
  const { book, random } = life;
  const other = book.categories.get(random.pick(others)) ?? null;
  const part = Math.round((row.amount * random.between(20, 60)) / 100);
  const splitGroupId = `split-${book.rows.entered() + 1}`;
  const leg = (amount: number, categoryId: string | null): void => {
    if (amount !== 0) book.rows.enter({ ...row, amount, categoryId, splitGroupId });
  };
  leg(row.amount - part, row.categoryId ?? null);
  leg(part, other);
}
