// Reads the months of an Actual Budget export: assigned amounts, carry-over flags, and amounts held for next month.
import type { Hundredths } from '../../../projections/documents.ts';
import { isCalendarMonth } from '../../../schemas/formats.ts';
import { addMonths, monthOf as monthOfDate } from '../../process/calendar.ts';
import { groupBy } from '../../process/group-by.ts';
import { shown } from '../../process/printable.ts';
import type { ImportProblems } from '../import-problems.ts';
import type { BudgetPlan, PlannedAccount, PlannedGroup, PlannedRow } from '../plan.ts';
import type { TableEntry, Tables } from './read-database.ts';

/** Actual's months begin so many before its earliest transaction. */
const MONTHS_BEFORE = 3;

interface PlannedSoFar {
  /** The group of each category that is not deleted. */
  readonly categories: ReadonlyMap<string, PlannedGroup>;
  readonly rows: readonly PlannedRow[];
  readonly accounts: readonly PlannedAccount[];
  readonly isTracking: boolean;
  /** Date of the import: without an earlier transaction, Actual counts its months from the current one. */
  readonly today: string;
}

interface Months extends Pick<BudgetPlan, 'assigned' | 'carryOvers' | 'holds'> {
  /** Number of budgeted amounts of a tracking budget, which are left out. */
  readonly targets: number;
  /** Number of negative amounts held, which the catalogue does not allow and which are left out. */
  readonly negativeHolds: number;
  /** The first month that Actual computes. */
  readonly first: string;
  /** Number of amounts of earlier months, which no figure of Actual contains and which are left out. */
  readonly earlier: number;
}

export function planMonths(tables: Tables, known: PlannedSoFar, problems: ImportProblems): Months {
  const { categories, isTracking } = known;
  const first = firstMonth(tables.transactions, known.today);
  if (isTracking) {
    const targets = tables.reflect_budgets.filter(one => one.integer('amount') !== 0).length;
    const none = { assigned: [], carryOvers: [], holds: [] };
    return { ...none, targets, negativeHolds: 0, first, earlier: 0 };
  }
  const isComputed = ({ month }: { readonly month: string }) => month >= first;
  const cells = tables.zero_budgets
    .map(entry => ({ entry, ...cellOf(entry, problems) }))
    .filter(({ categoryId }) => categories.has(categoryId))
    .sort((one, other) => (one.month < other.month ? -1 : 1));
  const isIncome = (id: string) => categories.get(id)?.mode === 'income';
  const envelopeCells = cells.filter(({ categoryId }) => !isIncome(categoryId));
  const automatic = new Set(
    cells
      .filter(({ categoryId, carriesOver }) => carriesOver && isIncome(categoryId))
      .map(({ month, categoryId }) => `${month} ${categoryId}`),
  );
  const allAssigned = envelopeCells.filter(({ amount }) => amount !== 0);
  const allHeld = holds(tables, automaticHolds(known, automatic), problems);
  const held = allHeld.filter(isComputed);
  return {
    assigned: allAssigned
      .filter(isComputed)
      .map(({ origin, month, categoryId, amount }) => ({ origin, month, categoryId, amount })),
    carryOvers: [
      ...groupBy(envelopeCells.filter(isComputed), one => one.categoryId).values(),
    ].flatMap(carryOverChanges),
    holds: held.filter(({ amount }) => amount > 0),
    targets: 0,
    negativeHolds: held.filter(({ amount }) => amount < 0).length,
    first,
    earlier: [...allAssigned, ...allHeld].filter(one => !isComputed(one)).length,
  };
}

/** Follows Actual, which counts deleted transactions, and no legs. */
function firstMonth(transactions: readonly TableEntry[], today: string): string {
  let earliest = monthOfDate(today);
  for (const entry of transactions) {
    if (entry.text('isChild') !== '0') continue;
    const month = (entry.text('date') ?? '').replace(/^(\d{4})(\d\d)\d\d$/, '$1-$2');
    if (isCalendarMonth(month) && month < earliest) earliest = month;
  }
  return addMonths(earliest, -MONTHS_BEFORE);
}

interface Cell {
  readonly origin: string;
  readonly month: string;
  readonly categoryId: string;
  readonly amount: Hundredths;
  readonly carriesOver: boolean;
}

function cellOf(entry: TableEntry, problems: ImportProblems): Cell {
  const month = monthOf(String(entry.integer('month')), entry, problems);
  const categoryId = entry.text('category') ?? '';
  const { origin } = entry;
  return {
    origin,
    month,
    categoryId,
    amount: entry.integer('amount'),
    carriesOver: entry.is('carryover'),
  };
}

/** Returns the changes of the carry-over flag. Actual stores the flag per cell; months without a cell count as off. */
function carryOverChanges(cells: readonly Cell[]): BudgetPlan['carryOvers'] {
  const changes: BudgetPlan['carryOvers'][number][] = [];
  let last: Cell | undefined;
  const addChange = ({ origin, categoryId }: Cell, month: string, carriesOver: boolean) => {
    if ((changes.at(-1)?.carriesOver ?? false) === carriesOver) return;
    changes.push({ origin, categoryId, month, carriesOver });
  };
  for (const cell of cells) {
    const gap = last && addMonths(last.month, 1);
    if (last && gap && gap < cell.month) addChange(last, gap, false);
    addChange(cell, cell.month, cell.carriesOver);
    last = cell;
  }
  return changes;
}

/** Returns the income, by month, of categories with the flag on: Actual holds it unless an amount is held by hand. */
function automaticHolds(
  { rows, accounts }: PlannedSoFar,
  categories: ReadonlySet<string>,
): Map<string, Hundredths> {
  const onBudget = new Set(accounts.filter(one => one.onBudget).map(({ id }) => id));
  const sums = new Map<string, Hundredths>();
  for (const { date, categoryId, accountId, amount } of rows) {
    const month = date.slice(0, 7);
    if (!categories.has(`${month} ${categoryId}`) || !onBudget.has(accountId)) continue;
    sums.set(month, (sums.get(month) ?? 0) + amount);
  }
  return sums;
}

function holds(
  tables: Tables,
  automatic: ReadonlyMap<string, Hundredths>,
  problems: ImportProblems,
): BudgetPlan['holds'] {
  const held = new Map(
    [...automatic].map(([month, amount]) => [month, { amount, origin: `income of ${month}` }]),
  );
  for (const entry of tables.zero_budget_months) {
    const amount = entry.integer('buffered');
    if (amount === 0) continue;
    held.set(monthOf(entry.id.replace('-', ''), entry, problems), { amount, origin: entry.origin });
  }
  return [...held].map(([month, rest]) => ({ month, ...rest }));
}

function monthOf(digits: string, entry: TableEntry, problems: ImportProblems): string {
  const month = digits.replace(/^(\d{4})(\d\d)$/, '$1-$2');
  if (!isCalendarMonth(month))
    problems.add(entry.origin, `Expected a month like 202601, got ${shown(digits)}`);
  return month;
}
