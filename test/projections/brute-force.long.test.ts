// Every aggregate equals sums over the live rows by brute force, and the law of month arithmetic holds.
import test, { type ExecutionContext } from 'ava';
import type { MemoBlock } from '../../projections/aggregates/memo-blocks.ts';
import type { CategoryMonths, Head, Row } from '../../projections/documents.ts';
import { contributions, envelopeOf } from '../../projections/envelope-chain.ts';
import { normalizeText } from '../../projections/normalize-text.ts';
import { isUncategorized } from '../../projections/row.ts';
import { eventsOf, randomHistory } from '../histories/history.ts';
import { applyToMemory, createMemoryStore, documentsOf, type MemoryStore } from './memory-store.ts';

const SEEDS = Array.from({ length: 12 }, (_, index) => index + 1);

function projected(seed: number): { store: MemoryStore; budgets: Head[] } {
  const store = createMemoryStore();
  const shares = seed % 4 === 0 ? { invalidShare: 0.01 } : {};
  const options = { seed, events: 700, budgets: 2, spaces: 1, users: 2, wildNames: true };
  applyToMemory(store, eventsOf(randomHistory({ ...options, ...shares })), 0);
  return { store, budgets: [...store.heads.values()].filter(head => head.budget !== null) };
}

test('sums of accounts, days and months are those of the live rows', t => {
  for (const seed of SEEDS) {
    const { store, budgets } = projected(seed);
    for (const { set } of budgets) checkAccounts(t, store, String(set));
  }
});

test('cells and months are those of the live rows', t => {
  for (const seed of SEEDS) {
    const { store, budgets } = projected(seed);
    for (const { set } of budgets) checkCells(t, store, String(set));
  }
});

test('the last date and the money guard are those of the live rows', t => {
  for (const seed of SEEDS) {
    const { store, budgets } = projected(seed);
    for (const { set, budget } of budgets) {
      const rows = documentsOf(store, 'rows', String(set));
      const assigned = documentsOf(store, 'categoryMonths', String(set)).flatMap(({ cells }) =>
        Object.values(cells).map(cell => cell.assigned),
      );
      const held = documentsOf(store, 'years', String(set)).flatMap(({ months }) =>
        Object.values(months).map(month => month.held),
      );
      const amounts = [...rows.map(row => row.amount), ...assigned, ...held];
      t.is(budget?.absolute, sum(amounts.map(Math.abs)), `seed ${seed}`);
      t.is(
        budget?.lastDate,
        rows
          .map(row => row.date)
          .sort()
          .at(-1) ?? null,
        `seed ${seed}`,
      );
    }
  }
});

test('blocks of memos are those of the live rows', t => {
  let blocks = 0;
  for (const seed of SEEDS) {
    const { store, budgets } = projected(seed);
    for (const { set } of budgets) {
      const rows = documentsOf(store, 'rows', String(set));
      const expected = memoBlocksOf(String(set), rows);
      const byId = (a: { id: string }, b: { id: string }) => Number(a.id) - Number(b.id);
      t.deepEqual(documentsOf(store, 'memoBlocks', String(set)).sort(byId), expected.sort(byId));
      blocks += expected.length;
    }
  }
  t.true(blocks > 50, `only ${blocks} blocks were checked`);
});

test('law of months: cash = R + H + ΣV + U + X in every month', t => {
  let months = 0;
  for (const seed of SEEDS) {
    const { store, budgets } = projected(seed);
    for (const { set } of budgets) months += checkLaw(t, store, String(set));
  }
  t.true(months > 500, `only ${months} months were checked`);
});

function checkAccounts(t: ExecutionContext, store: MemoryStore, set: string): void {
  const rows = documentsOf(store, 'rows', set);
  for (const account of documentsOf(store, 'accounts', set)) {
    const own = rows.filter(row => row.accountId === account.id);
    const { count, cleared, uncleared, native, nativeAbsolute, lastDate } = account;
    t.deepEqual({ count, cleared, uncleared, native }, sumsOf(own));
    t.is(nativeAbsolute, sum(own.map(row => Math.abs(row.amountNative ?? 0))));
    t.is(
      lastDate,
      own
        .map(row => row.date)
        .sort()
        .at(-1) ?? null,
    );
    const months = store.documents.get(`accountMonths ${set}/${account.id}`);
    const expected = grouped(own, row => row.date.slice(0, 7)).map(([month, inMonth]) => [
      month,
      { ...sumsOf(inMonth), last: Math.max(...inMonth.map(row => Number(row.date.slice(8)))) },
    ]);
    t.deepEqual(
      (months as { months?: object } | undefined)?.months ?? {},
      Object.fromEntries(expected),
    );
  }
  const days = documentsOf(store, 'accountDays', set);
  const expected = grouped(rows, row => `${row.accountId}/${row.date.slice(0, 4)}`);
  t.deepEqual(days.map(({ id }) => id).sort(), expected.map(([id]) => id).sort());
  for (const [id, inYear] of expected) {
    const byMonth = grouped(inYear, row => row.date.slice(5, 7)).map(([month, inMonth]) => {
      const byDay = grouped(inMonth, row => row.date.slice(8)).map(([day, of]) => [
        day,
        sumsOf(of),
      ]);
      return [month, Object.fromEntries(byDay)];
    });
    t.deepEqual(days.find(document => document.id === id)?.months, Object.fromEntries(byMonth));
  }
}

function checkCells(t: ExecutionContext, store: MemoryStore, set: string): void {
  const rows = documentsOf(store, 'rows', set);
  for (const { id, cells } of documentsOf(store, 'categoryMonths', set)) {
    for (const [month, cell] of Object.entries(cells)) {
      const own = rows.filter(row => row.categoryId === id && row.date.startsWith(month));
      t.is(cell.count, own.length);
      t.is(cell.spent, sum(own.filter(row => row.onBudget).map(row => row.amount)));
    }
  }
  for (const { id, months, count } of documentsOf(store, 'years', set)) {
    t.is(count, rows.filter(row => row.date.startsWith(id)).length);
    for (const [month, increments] of Object.entries(months)) {
      const own = rows.filter(row => row.date.startsWith(`${id}-${month}`));
      const onBudget = own.filter(row => row.onBudget);
      const free = own.filter(isUncategorized);
      t.is(increments.cash, sum(onBudget.map(row => row.amount)));
      t.is(increments.internal, sum(own.filter(row => row.internal).map(row => row.amount)));
      t.is(increments.uncategorized, sum(free.map(row => row.amount)));
      t.is(increments.uncategorizedCount, free.length);
      const days = grouped(own, row => row.date.slice(8)).map(([day, of]) => [day, of.length]);
      t.deepEqual(increments.days, Object.fromEntries(days));
    }
  }
}

// Computes V month by month from the cells, without the closed form that the documents use.
function checkLaw(t: ExecutionContext, store: MemoryStore, set: string): number {
  const years = documentsOf(store, 'years', set).sort((a, b) => (a.id < b.id ? -1 : 1));
  const months = years.flatMap(year =>
    Object.keys(year.months)
      .sort()
      .map(month => ({ year, month: `${year.id}-${month}` })),
  );
  const envelopes = documentsOf(store, 'categories', set).filter(c => c.budgetMode === 'envelope');
  const cellsOf = new Map(
    documentsOf(store, 'categoryMonths', set).map(found => [found.id, found]),
  );
  const running = { income: 0, assigned: 0, overspent: 0, cash: 0, internal: 0, uncategorized: 0 };
  for (const { year, month } of months) {
    const increments = year.months[month.slice(5)];
    if (!increments) throw new Error('A month of the document');
    if (month.slice(5) === Object.keys(year.months).sort()[0]) t.deepEqual(year.start, running);
    const overspentBefore = running.overspent;
    for (const field of Object.keys(running) as (keyof typeof running)[]) {
      running[field] += increments[field];
    }
    const ready = running.income - running.assigned + overspentBefore - increments.held;
    const available = sum(envelopes.map(({ id }) => availableAt(cellsOf.get(id), month)));
    const parts = ready + increments.held + available + running.uncategorized + running.internal;
    t.is(running.cash, parts, `${set} ${month}`);
  }
  return months.length;
}

function availableAt(document: CategoryMonths | undefined, until: string): number {
  if (!document) return 0;
  const { cells, carry } = document;
  const overspent = contributions(envelopeOf(document), 'envelope');
  let available = 0;
  for (const month of [...new Set([...Object.keys(cells), ...Object.keys(carry)])].sort()) {
    if (month > until) break;
    // Overspending of an earlier month is taken from Ready to Assign: the envelope starts again at zero.
    const { assigned, spent } = cells[month] ?? { assigned: 0, spent: 0 };
    available += assigned + spent;
    if (month < until) available -= overspent.get(month)?.overspent ?? 0;
  }
  return available;
}

/** Memos by 128 entries, each behind its entry and its day in capital letters. */
function memoBlocksOf(set: string, rows: readonly Row[]): MemoBlock[] {
  const noted = rows.filter(({ memo }) => memo !== '').sort((a, b) => a.entry - b.entry);
  return grouped(noted, ({ entry }) => String(Math.floor(entry / 128))).map(([id, inBlock]) => {
    const text = inBlock.map(row => memoKeyOf(row) + normalizeText(row.memo)).join('');
    return { set, id, text };
  });
}

function memoKeyOf({ entry, date }: Row): string {
  const days = (Date.parse(date) - Date.parse('0001-01-01')) / 86_400_000;
  return letters(entry % 128).padStart(2, 'A') + letters(days).padStart(5, 'A');
}

function letters(value: number): string {
  const digits = [...value.toString(26)];
  return digits.map(digit => String.fromCharCode(65 + Number.parseInt(digit, 26))).join('');
}

function sumsOf(rows: readonly Row[]) {
  return {
    count: rows.length,
    cleared: sum(rows.filter(row => row.cleared).map(row => row.amount)),
    uncleared: sum(rows.filter(row => !row.cleared).map(row => row.amount)),
    native: sum(rows.map(row => row.amountNative ?? 0)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function grouped(rows: readonly Row[], by: (row: Row) => string): [string, Row[]][] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(by(row), [...(groups.get(by(row)) ?? []), row]);
  return [...groups];
}
