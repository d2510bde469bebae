// Calculates a month's figures from the increments of its year and the sums of earlier years
// (rules/months.md#closed-form; pure).
import type { MonthIncrements, YearStart } from '../../../../projections/documents.ts';

/** The needed fields of the latest stored year that is not after the requested month. */
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

/** Amounts are in hundredths. */
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

/** Returns the figures of a month (`YYYY-MM`). `year` is null before the first data: then all figures are 0. */
export function monthFigures(year: YearFigures | null, month: string): MonthFigures {
  const monthInYear = year?.id === month.slice(0, 4) ? month.slice(5) : '';
  const own = year?.months[monthInYear] ?? NO_INCREMENTS;
  // R(m) = ΣI(j≤m) − ΣA(j≤m) + ΣO(j<m) − H(m). Later months of the year are left out; all months of an earlier year
  // count.
  const sums = { income: 0, assigned: 0, overspent: 0, cash: 0, ...year?.start };
  for (const [id, increments] of Object.entries(year?.months ?? {})) {
    if (monthInYear !== '' && id > monthInYear) continue;
    sums.income += increments.income;
    sums.assigned += increments.assigned;
    sums.cash += increments.cash;
    if (id !== monthInYear) sums.overspent += increments.overspent;
  }
  return {
    readyToAssign: sums.income - sums.assigned + sums.overspent - own.held,
    assigned: own.assigned,
    cashBalance: sums.cash,
    // Subtracted from 0, because a negated 0 would be -0, which is not money.
    overspentTotal: 0 - own.overspent,
    overspentCount: own.overspentCount,
    uncategorizedCount: own.uncategorizedCount,
    heldForNextMonth: own.held,
  };
}
