// Months computed by rules/months.md#ready-to-assign step by step: one after the other, from the first with data.
import { lastDayOf, monthIndex, monthOfDate, monthText } from './calendar.ts';
import { sum } from './money-text.ts';
import { type Budget, isInnerTransfer, isOnBudget, isUncategorized, modeOf } from './state.ts';

/** The state that a month passes on to the next. Amounts are hundredths; `available` is V(·,m). */
interface MonthStep {
  index: number;
  readyToAssign: bigint;
  heldForNextMonth: bigint;
  overspent: bigint;
  overspentCount: number;
  available: ReadonlyMap<string, bigint>;
  remaining: ReadonlyMap<string, bigint>;
}

export interface MonthFigures {
  month: string;
  readyToAssign: bigint;
  assigned: bigint;
  cash: bigint;
  overspent: bigint;
  overspentCount: number;
  uncategorizedCount: number;
  heldForNextMonth: bigint;
  available: ReadonlyMap<string, bigint>;
}

/** The data of one month of a budget, with rules/months.md#the-letters. */
interface MonthData {
  assigned: Map<string, bigint>;
  spent: Map<string, bigint>;
  income: bigint;
  heldForNextMonth: bigint;
}

const LAST_MONTH = monthIndex('9999-12');

/** Prepares the months of a budget in its current state; the result returns the figures of any month. */
export function monthsOf(budget: Budget): (month: string) => MonthFigures {
  const steps = allSteps(budget);
  return month => {
    const index = monthIndex(month);
    const step = steps.findLast(candidate => candidate.index <= index) ?? emptyStep(index);
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
      heldForNextMonth: data.heldForNextMonth,
      available: step.available,
    };
  };
}

/**
 * Checks rules/months.md#law in every month with data and the two after it; returns a line for each month
 * that breaks it.
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
      figures.heldForNextMonth +
      sum(figures.available.values()) +
      sum(uncategorized.map(row => row.amount)) +
      sum(transfers.map(row => row.amount));
    return parts === figures.cash ? [] : [`${month}: cash is ${figures.cash}, the parts ${parts}`];
  });
}

/** Returns every month with any data, in order. */
export function busyMonths(budget: Budget): number[] {
  const months = new Set(budget.heldForNextMonth.keys());
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
  let before = emptyStep(first - 1);
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
    before.heldForNextMonth === step.heldForNextMonth &&
    before.overspent === step.overspent &&
    [...step.remaining].every(([categoryId, amount]) => before.remaining.get(categoryId) === amount)
  );
}

function emptyStep(index: number): MonthStep {
  return {
    index,
    readyToAssign: 0n,
    heldForNextMonth: 0n,
    overspent: 0n,
    overspentCount: 0,
    available: new Map(),
    remaining: new Map(),
  };
}

/** Rules 1 to 3 for one month. */
function stepOf(budget: Budget, before: MonthStep, index: number): MonthStep {
  const month = monthText(index);
  const data = dataOf(budget, month);
  const available = new Map<string, bigint>();
  const remaining = new Map<string, bigint>();
  const short: bigint[] = [];
  for (const categoryId of envelopesOf(budget)) {
    const value =
      (data.assigned.get(categoryId) ?? 0n) +
      (data.spent.get(categoryId) ?? 0n) +
      (before.remaining.get(categoryId) ?? 0n);
    const carriesOver = carriesOverIn(budget, categoryId, month);
    if (value < 0n && !carriesOver) short.push(value);
    available.set(categoryId, value);
    remaining.set(categoryId, carriesOver || value > 0n ? value : 0n);
  }
  return {
    index,
    readyToAssign:
      before.readyToAssign +
      before.heldForNextMonth +
      data.income -
      before.overspent -
      sum(data.assigned.values()) -
      data.heldForNextMonth,
    heldForNextMonth: data.heldForNextMonth,
    overspent: -sum(short),
    overspentCount: short.length,
    available,
    remaining,
  };
}

function envelopesOf(budget: Budget): string[] {
  return [...budget.categories.keys()].filter(id => modeOf(budget, id) === 'envelope');
}

/** F: the value of the latest month up to this one; later months do not matter. */
function carriesOverIn(budget: Budget, categoryId: string, month: string): boolean {
  const earlier = [...(budget.carriesOver.get(categoryId) ?? [])].filter(([from]) => from <= month);
  const latest = earlier.sort(([a], [b]) => (a < b ? -1 : 1)).at(-1);
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
    heldForNextMonth: budget.heldForNextMonth.get(month) ?? 0n,
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
