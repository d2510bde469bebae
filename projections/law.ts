// Checks that the documents of a budget agree with each other: the law of month arithmetic, and equal totals.
import { type MonthSums, ofTotalsKey } from './aggregates/month-sums.ts';
import { addMonth, NO_EARLIER_YEARS, STARTED_FROM } from './aggregates/year-months.ts';
import type {
  Account,
  Category,
  CategoryMonths,
  Hundredths,
  Year,
  YearStart,
} from './documents.ts';
import { contributions, envelopeOf } from './envelope-chain.ts';
import { formatMoney } from './money.ts';

export interface BudgetDocuments {
  readonly accounts: readonly Account[];
  readonly categories: readonly Category[];
  readonly categoryMonths: readonly CategoryMonths[];
  readonly years: readonly Year[];
  readonly monthSums: readonly MonthSums[];
}

/**
 * Returns a sentence for each rule that a budget's documents break. The rules: in every month
 * cash(m) = R(m) + H(m) + ΣV(·,m) + U(m) + X(m) (rules/months.md#law); each year begins with the sums of all earlier
 * years; rows and cash add up to the same totals by account and by month, and in each month by account, by category and
 * by payee.
 */
export function lawViolations(documents: BudgetDocuments): string[] {
  const years = [...documents.years].sort((a, b) => (a.id < b.id ? -1 : 1));
  const available = availableByMonth(documents);
  const violations: string[] = [];
  const start = { ...NO_EARLIER_YEARS };
  for (const year of years) {
    for (const field of STARTED_FROM) {
      if (year.start[field] !== start[field]) {
        violations.push(differs(`${field} before ${year.id}`, start[field], year.start[field]));
      }
    }
    for (const month of Object.keys(year.months).sort()) {
      const increments = year.months[month];
      if (!increments) continue;
      const overspentBefore = start.overspent;
      addMonth(start, increments);
      const ready = start.income - start.assigned + overspentBefore - increments.held;
      const envelopes = available(`${year.id}-${month}`);
      const parts = ready + increments.held + envelopes + start.uncategorized + start.internal;
      if (parts !== start.cash) {
        violations.push(differs(`cash of ${year.id}-${month} by its parts`, parts, start.cash));
      }
    }
  }
  return [...violations, ...totals(documents, start), ...monthTotals(documents)];
}

/** What sums add up to; labels are left out, because a row counts under each of its labels. */
const WHOLE = ['accounts', 'categories', 'payees'] as const;

function monthTotals({ years, monthSums }: BudgetDocuments): string[] {
  const stored = new Map<string, { rows: number; cash: Hundredths }>();
  for (const { id, months } of years) {
    for (const [month, { days, cash }] of Object.entries(months)) {
      const rows = sum(Object.values(days));
      if (rows > 0) stored.set(`${id}-${month}`, { rows, cash });
    }
  }
  const pages = new Map<string, MonthSums[]>();
  for (const page of monthSums) {
    const month = page.id.slice(0, 'YYYY-MM'.length);
    pages.set(month, [...(pages.get(month) ?? []), page]);
  }
  const all = new Set([...stored.keys(), ...pages.keys()]);
  return [...all].sort().flatMap(month => {
    const { rows, cash } = stored.get(month) ?? { rows: 0, cash: 0 };
    return WHOLE.flatMap(by => {
      const totals = (pages.get(month) ?? []).flatMap(page => Object.entries(page[by]));
      const counted = sum(totals.map(([, { count }]) => count));
      const onBudget = totals.filter(([key]) => ofTotalsKey(key).onBudget);
      const net = sum(onBudget.map(([, { inflow, outflow }]) => inflow + outflow));
      return [
        ...(counted === rows ? [] : [`rows of ${month} are ${rows}, by ${by} ${counted}`]),
        ...(net === cash ? [] : [differs(`cash of ${month} by ${by}`, cash, net)]),
      ];
    });
  });
}

function totals({ accounts, years }: BudgetDocuments, end: YearStart): string[] {
  const onBudget = accounts.filter(account => account.onBudget);
  const cash = sum(onBudget.map(({ cleared, uncleared }) => cleared + uncleared));
  const rows = sum(accounts.map(({ count }) => count));
  const rowsOfYears = sum(years.map(({ count }) => count));
  return [
    ...(cash === end.cash ? [] : [differs('cash by accounts', cash, end.cash)]),
    ...(rows === rowsOfYears ? [] : [`rows by accounts are ${rows}, by years ${rowsOfYears}`]),
  ];
}

/** ΣV(·,m) over all envelopes: all assigned and spent amounts up to month m, without overspending of earlier months. */
function availableByMonth(documents: BudgetDocuments): (month: string) => Hundredths {
  const moved = new Map<string, Hundredths>();
  const short = new Map<string, Hundredths>();
  const modes = new Map(documents.categories.map(({ id, budgetMode }) => [id, budgetMode]));
  for (const category of documents.categoryMonths) {
    if (modes.get(category.id) !== 'envelope') continue;
    for (const [month, { assigned, spent }] of Object.entries(category.cells)) {
      moved.set(month, (moved.get(month) ?? 0) + assigned + spent);
    }
    for (const [month, { overspent }] of contributions(envelopeOf(category), 'envelope')) {
      short.set(month, (short.get(month) ?? 0) + overspent);
    }
  }
  const before = (sums: ReadonlyMap<string, Hundredths>, isIn: (month: string) => boolean) =>
    sum([...sums].filter(([month]) => isIn(month)).map(([, amount]) => amount));
  return until => before(moved, month => month <= until) - before(short, month => month < until);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function differs(what: string, expected: Hundredths, stored: Hundredths): string {
  return `${what} should be ${formatMoney(expected)}, is ${formatMoney(stored)}`;
}
