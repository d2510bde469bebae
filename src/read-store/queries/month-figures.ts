// The arithmetic of a month's answer from the increments of a year and the sums before it (months.md, pure).
import type { MonthIncrements, YearStart } from '../../../projections/documents.ts';

/** What is read of the greatest year at or before the asked one. */
export interface YearFigures {
  /** `YYYY` */
  readonly id: string;
  readonly start: Pick<YearStart, 'income' | 'assigned' | 'overspent' | 'cash'>;
  readonly months: Readonly<Record<string, FigureIncrements>>;
}

export type FigureIncrements = Pick<
  MonthIncrements,
  'income' | 'assigned' | 'overspent' | 'overspentCount' | 'cash' | 'uncategorizedCount' | 'held'
>;

/** In hundredths. */
export interface MonthFigures {
  readonly readyToAssign: number;
  readonly assigned: number;
  readonly cashBalance: number;
  readonly overspentTotal: number;
  readonly overspentCount: number;
  readonly uncategorizedCount: number;
  readonly heldForNextMonth: number;
}

const NO_INCREMENTS: FigureIncrements = {
  income: 0,
  assigned: 0,
  overspent: 0,
  overspentCount: 0,
  cash: 0,
  uncategorizedCount: 0,
  held: 0,
};

/** `year` is null before the first data: then all is 0. `month` is `YYYY-MM`. */
export function monthFigures(year: YearFigures | null, month: string): MonthFigures {
  const asked = year?.id === month.slice(0, 4) ? month.slice(5) : '';
  const own = year?.months[asked] ?? NO_INCREMENTS;
  // R(m) = ΣI(j≤m) − ΣA(j≤m) + ΣO(j<m) − H(m). Later months of the year are left out; a month of an
  // earlier year comes after all of them.
  const sums = { income: 0, assigned: 0, overspent: 0, cash: 0, ...year?.start };
  for (const [id, increments] of Object.entries(year?.months ?? {})) {
    if (asked !== '' && id > asked) continue;
    sums.income += increments.income;
    sums.assigned += increments.assigned;
    sums.cash += increments.cash;
    if (id !== asked) sums.overspent += increments.overspent;
  }
  return {
    readyToAssign: sums.income - sums.assigned + sums.overspent - own.held,
    assigned: own.assigned,
    cashBalance: sums.cash,
    // Not -0: it would not be spelled as money.
    overspentTotal: 0 - own.overspent,
    overspentCount: own.overspentCount,
    uncategorizedCount: own.uncategorizedCount,
    heldForNextMonth: own.held,
  };
}
