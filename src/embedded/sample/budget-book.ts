// One sample budget and what may be done with it; each deed is told as a valid event and remembered.
import type { Hundredths } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
import { monthOf } from './calendar.ts';
import { createEnvelopes, type Envelopes } from './envelopes.ts';
import { toBudgetCurrency, toNativeCurrency } from './exchange-rate.ts';
import { createNameBook, type NameBook } from './name-book.ts';
import type { AccountPlan, CategoryPlan, GroupPlan } from './plan.ts';
import { type AccountState, createRowBook, type Emit, type RowBook } from './row-book.ts';
import type { Timeline } from './timeline.ts';

export interface BudgetBook {
  readonly id: string;
  /** The day it is, `YYYY-MM-DD`. */
  readonly today: () => string;
  readonly emit: Emit;
  readonly envelopes: Envelopes;
  readonly rows: RowBook;
  readonly payees: NameBook;
  readonly labels: NameBook;
  /** By the plan's keys, those that are there now. */
  readonly accounts: Map<string, AccountState>;
  /** Ids by the plan's names, those that are there now; a replaced one means its replacement. */
  readonly categories: Map<string, string>;
}

export interface Transfer {
  readonly date: string;
  readonly from: AccountState;
  readonly to: AccountState;
  /** In the currency of the budget. */
  readonly amount: Hundredths;
  readonly categoryId?: string | null | undefined;
}

export function createBudgetBook(timeline: Timeline, id: string): BudgetBook {
  const emit: Emit = (type, data) => timeline.emit(id, type, data);
  const envelopes = createEnvelopes();
  return {
    id,
    today: () => timeline.date,
    emit,
    envelopes,
    rows: createRowBook(emit, envelopes.book),
    payees: createNameBook('payee', (payeeId, name) => emit('payee.added', { payeeId, name })),
    labels: createNameBook('label', (labelId, name) => emit('label.added', { labelId, name })),
    accounts: new Map(),
    categories: new Map(),
  };
}

export function openAccount(
  book: BudgetBook,
  plan: AccountPlan,
  position: number | null,
): AccountState {
  const { key, name, type, onBudget, currency = null } = plan;
  const id = `account-${key}`;
  book.emit('account.opened', { accountId: id, name, type, onBudget, currency, position });
  const account: AccountState = {
    id,
    currency,
    onBudget,
    balance: 0,
    uncleared: new Set(),
    unreconciled: new Set(),
  };
  book.accounts.set(key, account);
  return account;
}

export function groupId(name: string): string {
  return `group-${slug(name)}`;
}

export function addGroup(book: BudgetBook, plan: GroupPlan, position: number): void {
  const { name, mode: budgetMode } = plan;
  book.emit('category-group.added', { groupId: groupId(name), name, budgetMode, position });
  for (const [index, category] of plan.categories.entries()) {
    addCategory(book, plan, category, index);
  }
}

export function addCategory(
  book: BudgetBook,
  group: Pick<GroupPlan, 'name' | 'mode'>,
  { name, note = null, carriesOver = false }: CategoryPlan,
  position: number | null,
): void {
  const categoryId = `category-${slug(name)}`;
  book.categories.set(name, categoryId);
  book.envelopes.add(categoryId, group.mode === 'envelope');
  book.emit('category.added', { categoryId, groupId: groupId(group.name), name, note, position });
  if (carriesOver) setCarryOver(book, name, true);
}

/** From this month on. */
export function setCarryOver(book: BudgetBook, category: string, carriesOver: boolean): void {
  const categoryId = book.categories.get(category);
  if (categoryId === undefined) return;
  const month = monthOf(book.today());
  book.emit('envelope.carryover-set', { month, categoryId, carriesOver });
  book.envelopes.carryOver(categoryId, carriesOver);
}

/** The whole amount of this month. */
export function assign(book: BudgetBook, categoryId: string, amount: Hundredths): void {
  const month = monthOf(book.today());
  book.emit('envelope.assigned', { month, categoryId, amount: formatMoney(amount) });
  book.envelopes.assign(categoryId, amount);
}

/** Two legs with one amount in the budget's currency, whatever the currencies of the accounts. */
export function enterTransfer(book: BudgetBook, transfer: Transfer): void {
  const { date, from, to, amount, categoryId = null } = transfer;
  const native = toNativeCurrency(amount, date);
  const foreign = from.currency !== null || to.currency !== null;
  const budgetAmount = foreign ? toBudgetCurrency(native, date) : amount;
  const leg = (account: AccountState, other: AccountState, sign: 1 | -1): void => {
    book.rows.enter({
      account,
      date,
      amount: sign * (account.currency === null ? budgetAmount : native),
      type: 'transfer',
      transferAccountId: other.id,
      // Between two on-budget accounts no money leaves the budget, so it has no category.
      categoryId: account.onBudget && !other.onBudget ? categoryId : null,
    });
  };
  leg(from, to, -1);
  leg(to, from, 1);
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}
