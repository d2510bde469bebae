// An Actual Budget export as a plan; what lives and what was merged or deleted is read as Actual's own views read it.
import { type BudgetPlan, count, type PlannedAccount, type PlannedGroup } from '../plan.ts';
import { createProblems } from '../problems.ts';
import type { NamedFile } from '../read-files.ts';
import { settlePlan } from '../settle-plan.ts';
import { planMonths } from './plan-months.ts';
import { planRows } from './plan-rows.ts';
import { type Entry, readDatabase, sortOrderOf, type Tables } from './read-database.ts';

const TRACKING = ['report', 'tracking'];

interface About {
  readonly name: string | null;
  readonly currency: string | null;
  /** Amounts of a tracking budget are targets: money is not put into envelopes. */
  readonly isTracking: boolean;
}

/** @throws UserError that lists what could not be understood */
export async function planActual(database: NamedFile, metadata: NamedFile): Promise<BudgetPlan> {
  const problems = createProblems();
  const tables = await readDatabase(database, problems);
  const about = aboutBudget(metadata, tables);
  const groups = planGroups(tables, about.isTracking);
  const categories = new Map(
    groups.flatMap(group => group.categories.map(({ id }) => [id, group])),
  );
  const { rows, unknownCategories } = planRows(tables, categories, problems);
  const accounts = planAccounts(tables, rows);
  const payees = alive(tables.payees).flatMap(payee => {
    const name = payee.text('name');
    const isTransfer = payee.text('transfer_acct') !== null;
    return name === null || isTransfer ? [] : [{ id: payee.id, name, origin: payee.origin }];
  });
  const known = new Set(payees.map(({ id }) => id));
  const { targets, negativeHolds, ...months } = planMonths(
    tables,
    { categories, rows, accounts, ...about },
    problems,
  );
  problems.throwIfAny();
  return settlePlan({
    name: about.name,
    currency: about.currency,
    accounts,
    groups,
    payees,
    rows: rows.map(row => ({
      ...row,
      payeeId: row.payeeId !== null && known.has(row.payeeId) ? row.payeeId : null,
    })),
    ...months,
    notes: [
      ...counted(unknownCategories, 'row', 'of deleted categories: entered without category'),
      ...counted(targets, 'budgeted amount', 'of a tracking budget: left out'),
      ...counted(negativeHolds, 'month', 'with a negative amount held: left out'),
      ...leftOut(tables, categories),
    ],
  });
}

export function alive(entries: readonly Entry[]): Entry[] {
  return entries.filter(entry => !entry.is('tombstone'));
}

function aboutBudget(metadata: NamedFile, { preferences }: Tables): About {
  const said = parsed(metadata.bytes);
  const preference = (id: string) => preferences.find(one => one.id === id)?.text('value') ?? null;
  const budgetType = preference('budgetType') ?? String(said.budgetType ?? '');
  return {
    name: typeof said.budgetName === 'string' ? said.budgetName : null,
    currency: preference('defaultCurrencyCode'),
    isTracking: TRACKING.includes(budgetType),
  };
}

/** It only says how the budget is called: an unreadable one is as good as none. */
function parsed(bytes: Buffer): Record<string, unknown> {
  try {
    return Object(JSON.parse(bytes.toString()));
  } catch {
    return {};
  }
}

function planGroups(tables: Tables, isTracking: boolean): PlannedGroup[] {
  const notes = new Map(tables.notes.map(note => [note.id, note.text('note')]));
  const categories = inOrder(tables.categories);
  return inOrder(tables.category_groups).map(group => ({
    id: group.id,
    name: group.text('name') ?? '',
    mode: group.is('is_income') ? 'income' : isTracking ? 'unfunded' : 'envelope',
    hidden: group.is('hidden'),
    origin: group.origin,
    categories: categories
      .filter(category => category.text('cat_group') === group.id)
      .map(category => ({
        id: category.id,
        name: category.text('name') ?? '',
        note: notes.get(category.id) ?? null,
        hidden: category.is('hidden'),
        origin: category.origin,
      })),
  }));
}

/** A deleted account that still has rows is brought back closed: they count in its months. */
function planAccounts(tables: Tables, rows: BudgetPlan['rows']): PlannedAccount[] {
  const balances = new Map<string, number>();
  for (const { accountId, transferAccountId, amount } of rows) {
    balances.set(accountId, (balances.get(accountId) ?? 0) + amount);
    if (transferAccountId !== null) {
      balances.set(transferAccountId, balances.get(transferAccountId) ?? 0);
    }
  }
  const deleted = tables.accounts.filter(one => one.is('tombstone') && balances.has(one.id));
  return [...inOrder(tables.accounts), ...deleted].map(account => {
    const onBudget = !account.is('offbudget');
    const ofOthers = (balances.get(account.id) ?? 0) < 0 ? 'otherLiability' : 'otherAsset';
    return {
      id: account.id,
      name: account.text('name') ?? '',
      type: onBudget ? 'checking' : ofOthers,
      onBudget,
      closed: account.is('closed') || account.is('tombstone'),
      origin: account.origin,
    };
  });
}

/** Those that live, by their place in the list. */
function inOrder(entries: readonly Entry[]): Entry[] {
  return alive(entries).sort((one, other) => sortOrderOf(one) - sortOrderOf(other));
}

function leftOut(tables: Tables, categories: ReadonlyMap<string, unknown>): string[] {
  const goals = alive(tables.categories).filter(one => one.text('goal_def') !== null);
  const notes = tables.notes.filter(one => one.text('note') !== null && !categories.has(one.id));
  const without = 'without a counterpart here: left out';
  return [
    'Types of accounts are not kept by Actual: checking accounts, but for those off budget',
    ...counted(alive(tables.schedules).length, 'schedule', without),
    ...counted(alive(tables.rules).length, 'rule', without),
    ...counted(goals.length, 'goal', without),
    ...counted(
      notes.length,
      'note on an account, a group or a month',
      without,
      'notes on accounts, groups and months',
    ),
  ];
}

function counted(number: number, one: string, what: string, many = `${one}s`): string[] {
  return number === 0 ? [] : [`${count(number, one, many)} ${what}`];
}
