// The first evening in a sample budget: groups and categories are made, accounts are opened with what is in them.
import type { Hundredths } from '../../../projections/documents.ts';
import { addGroup, openAccount } from './budget-book.ts';
import type { Life } from './life.ts';

/** `openings` gives balances in place of the plan's, by account key. */
export function moveIn(life: Life, openings: ReadonlyMap<string, Hundredths> = new Map()): void {
  const { book, plan } = life;
  for (const [index, group] of plan.groups.entries()) addGroup(book, group, index);
  for (const [index, accountPlan] of plan.accounts.entries()) {
    const account = openAccount(book, accountPlan, index);
    const opening = openings.get(accountPlan.key) ?? accountPlan.opening;
    if (opening === 0) continue;
    book.rows.enter({
      account,
      date: book.today(),
      amount: opening,
      type: 'startingBalance',
      categoryId: account.onBudget ? (book.categories.get(plan.startingCategory) ?? null) : null,
      cleared: true,
    });
  }
}
