// Keeping the books of a sample budget right: clearing, statements, and the mending of slips.
import type { Account, Row } from '../../projections/documents.ts';
import { addDays, dayOf, monthOf } from '../process/calendar.ts';
import { balanceOf, type SampleBudget } from './budget.ts';
import { findCategory } from './catalogue.ts';
import { amendRow, enterRow, openRows } from './rows.ts';

const STATEMENT_DAY = 4;
/** An event names at most so many rows (rules/events.md#value-grammar). */
const IDS_MAX = 1000;
const MEMOS = ['See receipt', 'Half of it is for the neighbours', 'Refund follows', '“Sale”'];

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
