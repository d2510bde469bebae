// A budget made from a YNAB export, brought up to date with a later one, has the figures of the later one alone.
import test from 'ava';
import { importEvents } from '../../../src/import/import-events.ts';
import type { CurrentBudget } from '../../../src/import/into/changes.ts';
import { matchPlan } from '../../../src/import/into/match-plan.ts';
import { updateEvents } from '../../../src/import/into/update-budget.ts';
import type { BudgetPlan } from '../../../src/import/plan.ts';
import { planYnab } from '../../../src/import/ynab/plan-ynab.ts';
import { readYnab } from '../../../src/import/ynab/read-ynab.ts';
import { UserError } from '../../../src/process/errors.ts';
import { createRandom, type Random } from '../../histories/random.ts';
import { TARGET } from '../imported.ts';
import { type PlanCells, planFile, type RegisterCells, registerFile } from '../ynab-files.ts';
import { projected, STAMP, served } from './served.ts';

const ACCOUNTS = ['Giro', 'Cash', 'House'];
const CATEGORIES = ['Food', 'Rent', 'Fun', 'Car'];
const PAYEES = ['Market', 'Shop', 'Bus', ''];

interface Row {
  readonly account: string;
  readonly date: string;
  readonly payee: string;
  readonly category: string;
  readonly memo: string;
  readonly cents: number;
  readonly cleared: string;
  readonly flag: string;
}

function randomRow(random: Random): Row {
  return {
    account: random.pick(ACCOUNTS),
    date: `0${random.between(1, 4)}/${random.between(10, 28)}/2026`,
    payee: random.pick(PAYEES),
    category: random.pick(CATEGORIES),
    memo: random.pick(['', '', 'lunch', 'x']),
    cents: random.between(1, 9) * 100,
    cleared: random.pick(['Uncleared', 'Cleared', 'Reconciled']),
    flag: random.pick(['', '', 'Red']),
  };
}

function changedRow(random: Random, row: Row): Row {
  const other = randomRow(random);
  const fields = ['date', 'payee', 'category', 'memo', 'cents', 'cleared', 'flag'] as const;
  const field = random.pick(fields);
  return { ...row, [field]: other[field] };
}

type Assigned = ReadonlyMap<string, number>;

function randomAssigned(random: Random): Assigned {
  const cells = ['Jan', 'Feb', 'Mar'].flatMap(month =>
    CATEGORIES.map(category => `${month} 2026/${category}`),
  );
  return new Map(random.some(cells, 6).map(cell => [cell, random.between(0, 20) * 100]));
}

function planOf(rows: readonly Row[], assigned: Assigned): BudgetPlan {
  const newestFirst = [...rows].sort((one, other) => (one.date < other.date ? 1 : -1));
  const money = (cents: number) => `$${(cents / 100).toFixed(2)}`;
  const register = newestFirst.map(
    ({ account, flag, date, payee, category, memo, cents, cleared }): RegisterCells => [
      account,
      flag,
      date,
      payee,
      'Living',
      category,
      memo,
      money(cents),
      '$0.00',
      cleared,
    ],
  );
  const lines = [...assigned].map(([cell, cents]): PlanCells => {
    const [month = '', category = ''] = cell.split('/');
    return [month, 'Living', category, money(cents), '$0.00', '$0.00'];
  });
  const tables = readYnab(registerFile(register), planFile(lines), 'MDY');
  return planYnab(tables, 'Home', []);
}

/** Returns what is served, without ids: those of a second import of the same file may differ. */
function figures(events: Parameters<typeof served>[0]) {
  const text = JSON.stringify(served(events), (key, value) =>
    /id$/i.test(key) || key === 'position' ? undefined : value,
  );
  const { accounts, transactions, payees, ...rest } = JSON.parse(text);
  const sorted = (items: object[]) => items.map(item => JSON.stringify(item)).sort();
  return {
    ...rest,
    accounts: sorted(accounts.accounts),
    transactions: sorted(transactions),
    payees: sorted(payees.payees),
  };
}

test('a later export, brought in, has its own figures', t => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const random = createRandom(seed);
    const rows = Array.from({ length: random.between(8, 30) }, () => randomRow(random));
    const kept = rows.filter(() => random.chance(0.95));
    const changed = kept.map(row => (random.chance(0.15) ? changedRow(random, row) : row));
    const added = Array.from({ length: random.below(5) }, () => randomRow(random));
    const assigned = randomAssigned(random);
    const before = planOf(rows, assigned);
    const after = planOf([...changed, ...added], randomAssigned(random));
    const fresh = importEvents(before, TARGET);
    const budget = projected(fresh);
    const update = updateEvents(matchPlan(after, budget), budget, STAMP);
    t.deepEqual(figures([...fresh, ...update]), figures(importEvents(after, TARGET)), `${seed}`);
    const now = projected([...fresh, ...update]);
    t.deepEqual(updateEvents(matchPlan(after, now), now, STAMP), [], `again, ${seed}`);
  }
});

/** Few values, so that many rows are alike. */
function randomAlikeRow(random: Random): Row {
  return {
    ...BASE,
    account: random.pick(['Giro', 'Cash']),
    date: random.pick(['01/15/2026', '01/16/2026', '02/20/2026']),
    payee: random.pick(['Market', 'Shop']),
    category: random.pick(['Food', 'Rent']),
    cents: random.between(1, 2) * 100,
  };
}

test('a second run appends nothing, also where rows are alike', t => {
  for (let seed = 1; seed <= 400; seed += 1) {
    const random = createRandom(seed);
    const rows = Array.from({ length: random.between(2, 8) }, () => randomAlikeRow(random));
    const kept = rows.filter(() => random.chance(0.8));
    const changed = kept.map(row => (random.chance(0.4) ? randomAlikeRow(random) : row));
    const added = Array.from({ length: random.below(3) }, () => randomAlikeRow(random));
    const after = planOf([...changed, ...added], new Map());
    const fresh = importEvents(planOf(rows, new Map()), TARGET);
    const budget = projected(fresh);
    const matched = matchedUnlessForeign(after, budget);
    if (matched === null) continue;
    const all = [...fresh, ...updateEvents(matched, budget, STAMP)];
    t.deepEqual(figures(all), figures(importEvents(after, TARGET)), `${seed}`);
    const now = projected(all);
    t.deepEqual(updateEvents(matchPlan(after, now), now, STAMP), [], `again, ${seed}`);
  }
});

/** Returns null for a file that has too little of the budget. */
function matchedUnlessForeign(plan: BudgetPlan, budget: CurrentBudget): BudgetPlan | null {
  try {
    return matchPlan(plan, budget);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

const BASE: Row = {
  account: 'Giro',
  date: '01/15/2026',
  payee: 'Market',
  category: 'Food',
  memo: '',
  cents: 1000,
  cleared: 'Cleared',
  flag: '',
};
const ROWS = Array.from({ length: 10 }, (_, index) => ({ ...BASE, cents: 1000 + index }));

function updated(rows: readonly Row[]) {
  const budget = projected(importEvents(planOf(ROWS, new Map()), TARGET));
  const plan = matchPlan(planOf(rows, new Map()), budget);
  const events = updateEvents(plan, budget, STAMP).map(({ event }) => event);
  return { types: events.map(({ type }) => type), notes: plan.notes };
}

test('renamed accounts, categories and payees keep their ids', t => {
  t.deepEqual(updated(ROWS.map(row => ({ ...row, account: 'Bank' }))).types, ['account.renamed']);
  t.deepEqual(updated(ROWS.map(row => ({ ...row, category: 'Eat' }))).types, ['category.renamed']);
  const payees = ROWS.map((row, index) => (index < 4 ? { ...row, payee: 'Kiosk' } : row));
  t.deepEqual(updated(payees).types, ['payee.added', ...Array(4).fill('transaction.changed')]);
});

test('a transaction that is similar is taken for changed, and said so', t => {
  const { types, notes } = updated(ROWS.with(3, { ...BASE, cents: 1003, memo: 'new' }));
  t.deepEqual(types, ['transaction.changed']);
  t.is(
    notes.at(-1),
    '1 transaction taken for changed ones; the first: 2026-01-15 in "Giro" "Market" -10.03',
  );
});

test('equal transactions are paired in their order: one more is entered, one less deleted', t => {
  t.deepEqual(updated([...ROWS, BASE, BASE]).types, ['transaction.entered', 'transaction.entered']);
  t.deepEqual(updated(ROWS.slice(1)).types, ['transaction.deleted']);
});

test('an export of another budget is refused', t => {
  const other = ROWS.map((row, index) => (index < 5 ? row : { ...row, date: '03/01/2026' }));
  t.notThrows(() => updated(other));
  const most = ROWS.map((row, index) => (index < 4 ? row : { ...row, memo: 'x' }));
  t.throws(() => updated(most), {
    message:
      'Expected an export of budget budget-1, with at least 50 % of its 10 transactions unchanged, got a file with 4 of them, and 6 that are similar; nothing was appended',
  });
});
