// Sums and counts over rows, added up row by row.
import type { MemoBlock } from '../../projections/aggregates/memo-blocks.ts';
import type {
  Cell,
  MonthIncrements,
  Row,
  RowSums,
  Year,
  YearStart,
} from '../../projections/documents.ts';
import { normalizeText } from '../../projections/normalize-text.ts';

export function rowsOf(rows: readonly Row[], accountId: string, month = ''): Row[] {
  return rows.filter(row => row.accountId === accountId && row.date.startsWith(month));
}

export function lastDateOf(rows: readonly Row[]): string | null {
  return (
    rows
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? null
  );
}

export function sumsOf(rows: readonly Row[]): RowSums {
  const add = (some: readonly Row[]) => some.reduce((sum, { amount }) => sum + amount, 0);
  return {
    count: rows.length,
    cleared: add(rows.filter(({ cleared }) => cleared)),
    uncleared: add(rows.filter(({ cleared }) => !cleared)),
    native: rows.reduce((sum, { amountNative }) => sum + (amountNative ?? 0), 0),
  };
}

/** The cells of a category by month. */
export function cellsOf(
  rows: readonly Row[],
  assigned: Readonly<Record<string, number>>,
): Record<string, Cell> {
  const months = new Set([...rows.map(({ date }) => date.slice(0, 7)), ...Object.keys(assigned)]);
  const cellOf = (month: string): Cell => {
    const own = rows.filter(({ date }) => date.startsWith(month));
    const spent = own.filter(row => row.onBudget).reduce((sum, { amount }) => sum + amount, 0);
    return { assigned: assigned[month] ?? 0, spent, count: own.length };
  };
  return Object.fromEntries([...months].map(month => [month, cellOf(month)]));
}

export function grouped<T>(
  rows: readonly Row[],
  key: (row: Row) => string,
  fold: (rows: readonly Row[]) => T,
): Record<string, T> {
  const keys = [...new Set(rows.map(key))];
  return Object.fromEntries(keys.map(one => [one, fold(rows.filter(row => key(row) === one))]));
}

const NO_START: YearStart = {
  income: 0,
  assigned: 0,
  overspent: 0,
  cash: 0,
  internal: 0,
  uncategorized: 0,
};

export function yearsOf(
  set: string,
  rows: readonly Row[],
  given: Readonly<Record<string, Partial<MonthIncrements>>>,
): Year[] {
  const months = [...new Set([...rows.map(({ date }) => date.slice(0, 7)), ...Object.keys(given)])];
  const ids = [...new Set(months.map(month => month.slice(0, 4)))].sort();
  let start = NO_START;
  return ids.map(id => {
    const own = months.filter(month => month.startsWith(id));
    const increments = own.map(
      month => [month.slice(5), { ...incrementsOf(rows, month), ...given[month] }] as const,
    );
    const count = rows.filter(({ date }) => date.startsWith(id)).length;
    const year: Year = { set, id, start, months: Object.fromEntries(increments), count };
    start = increments.reduce((sum, [, month]) => addTo(sum, month), start);
    return year;
  });
}

function incrementsOf(rows: readonly Row[], month: string): MonthIncrements {
  const own = rows.filter(({ date }) => date.startsWith(month));
  const onBudget = own.filter(row => row.onBudget);
  const uncategorized = onBudget.filter(row => row.categoryId === null && !row.internal);
  const add = (some: readonly Row[]) => some.reduce((sum, { amount }) => sum + amount, 0);
  return {
    income: 0,
    assigned: 0,
    overspent: 0,
    overspentCount: 0,
    cash: add(onBudget),
    internal: add(onBudget.filter(({ internal }) => internal)),
    uncategorized: add(uncategorized),
    uncategorizedCount: uncategorized.length,
    held: 0,
    days: grouped(
      own,
      ({ date }) => date.slice(8),
      some => some.length,
    ),
  };
}

function addTo(start: YearStart, month: MonthIncrements): YearStart {
  return {
    income: start.income + month.income,
    assigned: start.assigned + month.assigned,
    overspent: start.overspent + month.overspent,
    cash: start.cash + month.cash,
    internal: start.internal + month.internal,
    uncategorized: start.uncategorized + month.uncategorized,
  };
}

/** Memos by 128 entries, each behind its entry and its day in capital letters. */
export function memoBlocksOf(set: string, rows: readonly Row[]): MemoBlock[] {
  const noted = rows.filter(({ memo }) => memo !== '').sort((a, b) => a.entry - b.entry);
  const texts = grouped(
    noted,
    ({ entry }) => String(Math.floor(entry / 128)),
    inBlock => inBlock.map(row => keyOf(row) + normalizeText(row.memo)).join(''),
  );
  return Object.entries(texts).map(([id, text]) => ({ set, id, text }));
}

function keyOf({ entry, date }: Row): string {
  const days = (Date.parse(date) - Date.parse('0001-01-01')) / 86_400_000;
  return letters(entry % 128).padStart(2, 'A') + letters(days).padStart(5, 'A');
}

function letters(value: number): string {
  const digits = [...value.toString(26)];
  return digits.map(digit => String.fromCharCode(65 + Number.parseInt(digit, 26))).join('');
}
