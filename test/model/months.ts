// Months straight from rules 1 to 3 of months.md: one month after the other from the first with data.
import { lastDayOf, monthIndex, monthOfDate, monthText } from './calendar.ts';
import { sum } from './money-text.ts';
import { type Budget, isInnerTransfer, isOnBudget, isUncategorized, modeOf } from './state.ts';

/** The state that one month hands to the next. Amounts are hundredths; `available` is V(·,m). */
interface MonthStep {
  index: number;
  readyToAssign: bigint;
  held: bigint;
  overspent: bigint;
  overspentCount: number;
  available: ReadonlyMap<string, bigint>;
  carried: ReadonlyMap<string, bigint>;
}

export interface MonthFigures {
  month: string;
  readyToAssign: bigint;
  assigned: bigint;
  cash: bigint;
  overspent: bigint;
  overspentCount: number;
  uncategorizedCount: number;
  held: bigint;
  available: ReadonlyMap<string, bigint>;
}

/** Everything of a budget that happens in one month: the letters of months.md. */
interface MonthData {
  assigned: Map<string, bigint>;
  spent: Map<string, bigint>;
  income: bigint;
  held: bigint;
}

const LAST_MONTH = monthIndex('9999-12');

/** Prepares the months of a budget as it is now; the answer gives the figures of any month. */
export function monthsOf(budget: Budget): (month: string) => MonthFigures {
  const steps = allSteps(budget);
  return month => {
    const index = monthIndex(month);
    const step = steps.findLast(candidate => candidate.index <= index) ?? nothing(index);
    const data = dataOf(budget, month);
    const rows = [...budget.rows.values()].filter(row => isOnBudget(budget, row.accountId));
    const upToNow = rows.filter(row => row.date <= lastDayOf(month));
    return {
      month,
      readyToAssign: step.readyToAssign,
      assigned: sum(data.assigned.values()),
      cash: sum(upToNow.map(row => row.amount)),
      overspent: step.overspent,
      overspentCount: step.overspentCount,
      uncategorizedCount: rows.filter(
        row => monthOfDate(row.date) === month && isUncategorized(budget, row),
      ).length,
      held: data.held,
      available: step.available,
    };
  };
}

/**
 * The law of months.md, rule 5, in every month with data and the two after it: a line for each
 * month that breaks it, none when all is well.
 */
export function lawViolations(budget: Budget): string[] {
  const months = monthsOf(budget);
  const indexes = new Set(busyMonths(budget).flatMap(index => [index, index + 1, index + 2]));
  const inRange = [...indexes].filter(index => index <= LAST_MONTH);
  return inRange.map(monthText).flatMap(month => {
    const figures = months(month);
    const rows = [...budget.rows.values()].filter(
      row => isOnBudget(budget, row.accountId) && row.date <= lastDayOf(month),
    );
    const uncategorized = rows.filter(row => isUncategorized(budget, row));
    const transfers = rows.filter(row => isInnerTransfer(budget, row));
    const parts =
      figures.readyToAssign +
      figures.held +
      sum(figures.available.values()) +
      sum(uncategorized.map(row => row.amount)) +
      sum(transfers.map(row => row.amount));
    return parts === figures.cash ? [] : [`${month}: cash is ${figures.cash}, the parts ${parts}`];
  });
}

/** Every month in which anything at all was said, in order. */
export function busyMonths(budget: Budget): number[] {
  const months = new Set(budget.held.keys());
  for (const row of budget.rows.values()) months.add(monthOfDate(row.date));
  for (const cells of [...budget.assigned.values(), ...budget.carriesOver.values()]) {
    for (const month of cells.keys()) months.add(month);
  }
  return [...months].map(monthIndex).sort((a, b) => a - b);
}

function allSteps(budget: Budget): MonthStep[] {
  const busy = busyMonths(budget);
  const steps: MonthStep[] = [];
  const first = busy[0];
  if (first === undefined) return steps;
  let before = nothing(first - 1);
  for (let index = first; index <= LAST_MONTH; index++) {
    const step = stepOf(budget, before, index);
    steps.push(step);
    // A month without data that repeats the one before repeats until the next month with data.
    if (!busy.includes(index) && isSame(before, step)) {
      const next = busy.find(other => other > index);
      if (next === undefined) return steps;
      index = next - 1;
    }
    before = step;
  }
  return steps;
}

function isSame(before: MonthStep, step: MonthStep): boolean {
  return (
    before.readyToAssign === step.readyToAssign &&
    before.held === step.held &&
    before.overspent === step.overspent &&
    [...step.carried].every(([categoryId, amount]) => before.carried.get(categoryId) === amount)
  );
}

function nothing(index: number): MonthStep {
  return {
    index,
    readyToAssign: 0n,
    held: 0n,
    overspent: 0n,
    overspentCount: 0,
    available: new Map(),
    carried: new Map(),
  };
}

/** Rules 1 to 3 for one month. */
function stepOf(budget: Budget, before: MonthStep, index: number): MonthStep {
  const month = monthText(index);
  const data = dataOf(budget, month);
  const available = new Map<string, bigint>();
  const carried = new Map<string, bigint>();
  const short: bigint[] = [];
  for (const categoryId of envelopesOf(budget)) {
    const value =
      (data.assigned.get(categoryId) ?? 0n) +
      (data.spent.get(categoryId) ?? 0n) +
      (before.carried.get(categoryId) ?? 0n);
    const carriesOver = carriesOverIn(budget, categoryId, month);
    if (value < 0n && !carriesOver) short.push(value);
    available.set(categoryId, value);
    carried.set(categoryId, carriesOver || value > 0n ? value : 0n);
  }
  return {
    index,
    readyToAssign:
      before.readyToAssign +
      before.held +
      data.income -
      before.overspent -
      sum(data.assigned.values()) -
      data.held,
    held: data.held,
    overspent: -sum(short),
    overspentCount: short.length,
    available,
    carried,
  };
}

function envelopesOf(budget: Budget): string[] {
  return [...budget.categories.keys()].filter(id => modeOf(budget, id) === 'envelope');
}

/** F: what the latest month said, up to this one; later months do not matter. */
function carriesOverIn(budget: Budget, categoryId: string, month: string): boolean {
  const told = [...(budget.carriesOver.get(categoryId) ?? [])].filter(([from]) => from <= month);
  const latest = told.sort(([a], [b]) => (a < b ? -1 : 1)).at(-1);
  return latest?.[1] ?? false;
}

/** A(c,m), S(c,m) and F(c,m) of one envelope. */
export function envelopeIn(budget: Budget, categoryId: string, month: string) {
  const { assigned, spent } = dataOf(budget, month);
  return {
    assigned: assigned.get(categoryId) ?? 0n,
    spent: spent.get(categoryId) ?? 0n,
    carriesOver: carriesOverIn(budget, categoryId, month),
  };
}

function dataOf(budget: Budget, month: string): MonthData {
  const data: MonthData = {
    assigned: new Map(),
    spent: new Map(),
    income: 0n,
    held: budget.held.get(month) ?? 0n,
  };
  for (const categoryId of envelopesOf(budget)) {
    const amount = budget.assigned.get(categoryId)?.get(month);
    if (amount !== undefined) data.assigned.set(categoryId, amount);
  }
  for (const row of budget.rows.values()) {
    const { categoryId } = row;
    if (categoryId === null || monthOfDate(row.date) !== month) continue;
    if (!isOnBudget(budget, row.accountId)) continue;
    if (modeOf(budget, categoryId) !== 'envelope') data.income += row.amount;
    else data.spent.set(categoryId, (data.spent.get(categoryId) ?? 0n) + row.amount);
  }
  return data;
}
