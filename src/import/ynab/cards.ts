// Credit cards of YNAB: ordinary accounts here, each with a category for its payments.
import type { Hundredths } from '../../../projections/documents.ts';
import { type BudgetPlan, count, type PlannedGroup, type PlannedRow } from '../plan.ts';

/**
 * A card's debt stays with its payment category until money is assigned to it, as in YNAB.
 *
 * @param payments ids of the payment categories, by the card as messages name it
 */
export function cardCarryOvers(
  payments: ReadonlyMap<string, string>,
  months: readonly string[],
  rows: readonly PlannedRow[],
): BudgetPlan['carryOvers'] {
  const [month] = [...months, ...rows.map(({ date }) => date.slice(0, 7))].sort();
  if (month === undefined) return [];
  return [...payments].map(([card, categoryId]) => ({
    origin: `the payment category of ${card}`,
    month,
    categoryId,
    carriesOver: true,
  }));
}

export function cardNotes(cards: number): string[] {
  if (cards === 0) return [];
  const what = count(
    cards,
    'credit card is an ordinary account',
    'credit cards are ordinary accounts',
  );
  return [`${what} here: overspending on credit lowers what is ready to assign in the next month`];
}

/**
 * Returns whether a card's starting balance belongs to its payment category, which pays it off: a debt takes nothing from
 * Ready to Assign. Only an envelope that the export names comes first.
 *
 * @param named mode of the category that the export names, if any
 */
export function isDebtOfPayment(named: PlannedGroup['mode'] | null, amount: Hundredths): boolean {
  return named === null || (named === 'income' && amount < 0);
}
