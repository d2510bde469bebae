// Credit cards of YNAB: ordinary accounts here, each with a category for its payments.
import { type BudgetPlan, count, type PlannedRow } from '../plan.ts';

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
