// The contributions of one category to the months of its budget (rules/months.md#carry, rules/months.md#overspent),
// over sparse cells.
import type { CategoryMonths, Cell, Hundredths } from './documents.ts';

/** Added to a month's increments. Months to which a category adds nothing are left out. */
export interface Contribution {
  readonly income: Hundredths;
  readonly assigned: Hundredths;
  readonly overspent: Hundredths;
  readonly overspentCount: number;
}

/** The cells and carry-over marks of a category, now or before a change. */
export interface Envelope {
  /** Every month that has a cell or a mark, in order. Other months may be listed too: they add nothing. */
  readonly months: readonly string[];
  cell(month: string): Cell | undefined;
  mark(month: string): boolean | undefined;
}

/** @param others further months to list */
export function envelopeOf(
  { cells, carry }: Pick<CategoryMonths, 'cells' | 'carry'>,
  others: Iterable<string> = [],
): Envelope {
  const months = new Set(Object.keys(cells));
  for (const month in carry) months.add(month);
  for (const month of others) months.add(month);
  return {
    months: [...months].sort(),
    cell: month => cells[month],
    mark: month => carry[month],
  };
}

/**
 * Returns the contributions of a category by month (`YYYY-MM`), under the mode of its group. An envelope takes assigned
 * money and may be overspent; the rows of a category of another mode only count as income for Ready to Assign.
 *
 * @param from the first month to return
 */
export function contributions(
  category: Envelope | null,
  budgetMode: string | null,
  from = '',
): Map<string, Contribution> {
  if (!category || budgetMode === null) return new Map();
  return budgetMode === 'envelope' ? envelope(category, from) : income(category, from);
}

function income({ months, cell }: Envelope, from: string): Map<string, Contribution> {
  const found = new Map<string, Contribution>();
  for (const month of months) {
    const spent = cell(month)?.spent ?? 0;
    if (month < from || spent === 0) continue;
    found.set(month, { income: spent, assigned: 0, overspent: 0, overspentCount: 0 });
  }
  return found;
}

// Only months with a cell or a carry-over mark are visited. Between them nothing changes: the carried amount is not
// negative, or it stays negative without counting as overspent.
function envelope({ months, cell, mark }: Envelope, from: string): Map<string, Contribution> {
  const found = new Map<string, Contribution>();
  const state = startOfChain();
  for (const month of months) {
    const { assigned = 0, spent = 0 } = cell(month) ?? {};
    advance(state, assigned + spent, mark(month));
    const short = isShort(state);
    if (month >= from && (assigned !== 0 || short)) {
      const overspent = short ? state.available : 0;
      found.set(month, { income: 0, assigned, overspent, overspentCount: short ? 1 : 0 });
    }
  }
  return found;
}

/** The chain of an envelope at one month: V(c,m) and F(c,m). */
export interface ChainState {
  available: Hundredths;
  carriesOver: boolean;
}

export function startOfChain(): ChainState {
  return { available: 0, carriesOver: false };
}

/**
 * Moves the state to a later month, in place (rules/months.md#available). `moved` is A(c,m) + S(c,m). The months between
 * may be left out if they have neither a cell nor a mark.
 */
export function advance(state: ChainState, moved: Hundredths, mark: boolean | undefined): void {
  const carried = isShort(state) ? 0 : state.available;
  state.carriesOver = mark ?? state.carriesOver;
  state.available = moved + carried;
}

function isShort({ available, carriesOver }: ChainState): boolean {
  return available < 0 && !carriesOver;
}
