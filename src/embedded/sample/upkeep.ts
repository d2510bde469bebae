// Keeping the books of a sample budget right: clearing, statements, and the mending of slips.
import { addDays, dayOf, monthOf } from './calendar.ts';
import type { Life } from './life.ts';
import type { AccountState, Row } from './row-book.ts';

const STATEMENT_DAY = 4;
const MEMOS = [
  'See receipt',
  'Half of it is for the neighbours',
  'Refund follows',
  '“Sale”',
] as const;

export function keepBooks(life: Life): void {
  const { book, random } = life;
  for (const id of life.duplicates.splice(0)) book.rows.delete(id);
  const today = book.today();
  for (const account of book.accounts.values()) {
    if (random.chance(0.45)) book.rows.clear(account, addDays(today, -2));
  }
  if (today === dayOf(monthOf(today), STATEMENT_DAY)) {
    for (const account of book.accounts.values()) checkStatement(life, account);
  }
  if (random.chance(0.3)) mendSlip(life);
  if (random.chance(0.5)) categorize(life);
  if (random.chance(0.02)) doubtRow(life);
}

/** Everything up to the end of the last month is agreed with the bank. */
function checkStatement({ book, plan, random }: Life, account: AccountState): void {
  const today = book.today();
  const monthEnd = addDays(dayOf(monthOf(today), 1), -1);
  book.rows.clear(account, monthEnd);
  const difference = random.between(-5_00, 3_00);
  if (account.balance !== 0 && difference !== 0 && random.chance(0.2)) {
    const categoryId = book.categories.get(plan.differencesCategory) ?? null;
    book.rows.enter({
      account,
      date: today,
      amount: difference,
      type: 'reconciliation',
      categoryId: account.onBudget ? categoryId : null,
      memo: 'Found when reconciling',
      cleared: true,
    });
  }
  book.rows.reconcile(account, today);
}

function mendSlip({ book, random }: Life): void {
  const row = book.rows.find(each => isMendable(each, book.today()) && random.chance(0.2));
  if (row === undefined) return;
  if (random.chance(0.5)) {
    // Two digits swapped, say.
    book.rows.change(row.id, { amount: row.amount - random.between(1, 9) * 9 });
  } else {
    book.rows.change(row.id, { memo: random.pick(MEMOS) });
  }
}

function categorize({ book, plan, random }: Life): void {
  const row = book.rows.find(
    each => isMendable(each, book.today()) && each.account.onBudget && each.categoryId === null,
  );
  const category = book.categories.get(random.pick(plan.purchases).category);
  if (row === undefined || category === undefined || random.chance(0.2)) return;
  book.rows.change(row.id, { categoryId: category });
}

function doubtRow({ book, random }: Life): void {
  const row = book.rows.find(
    each => isMendable(each, book.today()) && each.cleared && random.chance(0.1),
  );
  if (row !== undefined) book.rows.unclear(row.id);
}

function isMendable(row: Row, today: string): boolean {
  return row.type === 'standard' && !row.reconciled && monthOf(row.date) === monthOf(today);
}
