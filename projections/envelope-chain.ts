// What one category adds to the months of its budget: rules 1 and 2 of month arithmetic, over sparse cells.
import type { CategoryMonths, Hundredths } from './documents.ts';

/** Added to a month's increments. Months without any part of it are left out. */
export interface Contribution {
  readonly income: Hundredths;
  readonly assigned: Hundredths;
  readonly overspent: Hundredths;
  readonly overspentCount: number;
}

/**
 * The contributions of a category by month (`YYYY-MM`), under the mode of its group: an envelope takes what is
 * assigned and may be overspent; a category of another mode only feeds Ready to Assign with its rows.
 */
export function contributions(
  category: CategoryMonths | null,
  budgetMode: string | null,
): Map<string, Contribution> {
  if (!category || budgetMode === null) return new Map();
  return budgetMode === 'envelope' ? envelope(category) : income(category);
}

function income({ cells }: CategoryMonths): Map<string, Contribution> {
  const months = new Map<string, Contribution>();
  for (const [month, { spent }] of Object.entries(cells)) {
    if (spent !== 0) {
      months.set(month, { income: spent, assigned: 0, overspent: 0, overspentCount: 0 });
    }
  }
  return months;
}

// Between two months that have a cell or a change of carry-over nothing can move: what is carried is either
// not negative, or stays negative without being overspending. So only those months are visited.
function envelope({ cells, carry }: CategoryMonths): Map<string, Contribution> {
  const months = new Map<string, Contribution>();
  let carried = 0;
  let carriesOver = false;
  for (const month of visited(cells, carry)) {
    const cell = cells[month];
    carriesOver = carry[month] ?? carriesOver;
    const assigned = cell?.assigned ?? 0;
    const available = assigned + (cell?.spent ?? 0) + carried;
    const short = available < 0 && !carriesOver;
    if (assigned !== 0 || short) {
      months.set(month, {
        income: 0,
        assigned,
        overspent: short ? available : 0,
        overspentCount: short ? 1 : 0,
      });
    }
    carried = short ? 0 : available;
  }
  return months;
}

function visited(cells: object, carry: object): string[] {
  const months = new Set(Object.keys(cells));
  for (const month of Object.keys(carry)) months.add(month);
  return [...months].sort();
}
