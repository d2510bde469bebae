// Plans the import of an Actual Budget export; deleted and merged entries count as in Actual's own views.
import { groupBy } from '../../process/group-by.ts';
import { assumedType } from '../account-types.ts';
import { createImportProblems } from '../import-problems.ts';
import { normalizePlan } from '../normalize-plan.ts';
import { type BudgetPlan, count, type PlannedAccount, type PlannedGroup } from '../plan.ts';
import type { NamedFile } from '../read-files.ts';
import { planMonths } from './plan-months.ts';
import { planRows, successorsOf } from './plan-rows.ts';
import { readDatabase, sortOrderOf, type TableEntry, type Tables } from './read-database.ts';

const TRACKING = ['report', 'tracking'];

/** Actual shows these without decimals, and stores them on two scales: what templates assign is not in hundredths. */
const WITHOUT_DECIMALS: readonly string[] = ['JPY', 'KRW', 'IRR'];

interface BudgetFacts {
  readonly name: string | null;
  readonly currency: string | null;
  /** The amounts of a tracking budget are targets, not money in envelopes. */
  readonly isTracking: boolean;
}

/**
 * @param today date of the import, as Actual's months depend on its clock where no transaction is earlier
 * @throws UserError that lists all values that could not be read
 */
export async function planActual(
  database: NamedFile,
  metadata: NamedFile,
  today: string,
): Promise<BudgetPlan> {
  const problems = createImportProblems();
  const tables = await readDatabase(database, problems);
  const facts = budgetFacts(metadata, tables);
  const groups = planGroups(tables, facts.isTracking);
  const categories = new Map(
    groups.flatMap(group => group.categories.map(({ id }) => [id, group])),
  );
  const { rows, ...counts } = planRows(tables, categories, problems);
  const accounts = planAccounts(tables, rows);
  const payees = liveEntries(tables.payees).flatMap(payee => {
    const name = payee.text('name');
    const isTransfer = payee.text('transfer_acct') !== null;
    return name === null || isTransfer ? [] : [{ id: payee.id, name, origin: payee.origin }];
  });
  const known = new Set(payees.map(({ id }) => id));
  const { targets, negativeHolds, first, earlier, ...months } = planMonths(
    tables,
    { categories, rows, accounts, isTracking: facts.isTracking, today },
    problems,
  );
  problems.throwIfAny();
  return normalizePlan({
    name: facts.name,
    currency: facts.currency,
    accounts,
    groups,
    payees,
    successors: {
      payees: successorsOf(tables.payee_mapping, 'targetId'),
      categories: successorsOf(tables.category_mapping, 'transferId'),
    },
    rows: rows.map(row => ({
      ...row,
      payeeId: row.payeeId !== null && known.has(row.payeeId) ? row.payeeId : null,
    })),
    ...months,
    differences: [],
    notes: [
      ...(WITHOUT_DECIMALS.includes(facts.currency ?? '')
        ? [
            `Amounts in ${facts.currency} are read as hundredths, as Actual stores what is entered: those of its templates may come out a hundred times too small`,
          ]
        : []),
      ...note(counts.unknownCategories, 'row', {
        what: 'of deleted categories: entered without category',
      }),
      ...note(counts.withoutAccount, 'row', {
        what: "of an account that the file lacks: left out, as in Actual's envelopes and balances",
      }),
      ...note(counts.lostTransfers, 'transfer', {
        what: 'with an account that the file lacks: entered as standard rows',
      }),
      ...note(targets, 'budgeted amount', { what: 'of a tracking budget: left out' }),
      ...note(earlier, 'amount assigned or held', {
        what: `before ${first}: left out, as in Actual, whose months begin three before the earliest transaction or today`,
        many: 'amounts assigned or held',
      }),
      ...note(negativeHolds, 'month', { what: 'with a negative amount held: left out' }),
      ...leftOut(tables, categories),
    ],
  });
}

/** Returns the entries that are not deleted. */
export function liveEntries(entries: readonly TableEntry[]): TableEntry[] {
  return entries.filter(entry => !entry.is('tombstone'));
}

function budgetFacts(metadata: NamedFile, { preferences }: Tables): BudgetFacts {
  const values = parseMetadata(metadata.bytes);
  const preference = (id: string) => preferences.find(one => one.id === id)?.text('value') ?? null;
  const budgetType = preference('budgetType') ?? String(values.budgetType ?? '');
  return {
    name: typeof values.budgetName === 'string' ? values.budgetName : null,
    // The feature can be switched off again, and leaves the code behind.
    currency: preference('flags.currency') === 'false' ? null : preference('defaultCurrencyCode'),
    isTracking: TRACKING.includes(budgetType),
  };
}

/** Returns no values for unreadable metadata: only the budget's name and type would come from it. */
function parseMetadata(bytes: Buffer): Record<string, unknown> {
  try {
    // The decoder drops a byte order mark.
    return Object(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return {};
  }
}

function planGroups(tables: Tables, isTracking: boolean): PlannedGroup[] {
  const notes = new Map(tables.notes.map(note => [note.id, note.text('note')]));
  const inGroup = groupBy(inOrder(tables.categories, 'id'), category => category.text('cat_group'));
  const groups = inOrder(tables.category_groups, 'id');
  // Actual lists income last, whatever its position.
  const isIncome = (group: TableEntry) => group.is('is_income');
  const listed = [...groups.filter(group => !isIncome(group)), ...groups.filter(isIncome)];
  return listed.map(group => ({
    id: group.id,
    name: group.text('name') ?? '',
    mode: isIncome(group) ? 'income' : isTracking ? 'unfunded' : 'envelope',
    hidden: group.is('hidden'),
    origin: group.origin,
    categories: (inGroup.get(group.id) ?? []).map(category => ({
      id: category.id,
      name: category.text('name') ?? '',
      note: notes.get(category.id) ?? null,
      hidden: category.is('hidden'),
      origin: category.origin,
    })),
  }));
}

/** Imports a deleted account with rows as a closed one, because its rows count in their months. */
function planAccounts(tables: Tables, rows: BudgetPlan['rows']): PlannedAccount[] {
  const balances = new Map<string, number>();
  for (const { accountId, transferAccountId, amount } of rows) {
    balances.set(accountId, (balances.get(accountId) ?? 0) + amount);
    if (transferAccountId !== null) {
      balances.set(transferAccountId, balances.get(transferAccountId) ?? 0);
    }
  }
  const deleted = tables.accounts.filter(one => one.is('tombstone') && balances.has(one.id));
  return [...inOrder(tables.accounts, 'name'), ...deleted].map(account => {
    const onBudget = !account.is('offbudget');
    return {
      id: account.id,
      name: account.text('name') ?? '',
      type: assumedType(onBudget, balances.get(account.id) ?? 0),
      onBudget,
      closed: account.is('closed') || account.is('tombstone'),
      origin: account.origin,
    };
  });
}

/** Returns the entries that are not deleted, in their order in Actual's lists; `second` decides among equal positions. */
function inOrder(entries: readonly TableEntry[], second: 'id' | 'name'): TableEntry[] {
  const text = (entry: TableEntry) => (second === 'id' ? entry.id : (entry.text('name') ?? ''));
  return liveEntries(entries).sort(
    (one, other) =>
      sortOrderOf(one) - sortOrderOf(other) ||
      Number(text(one) > text(other)) - Number(text(one) < text(other)),
  );
}

function leftOut(tables: Tables, categories: ReadonlyMap<string, unknown>): string[] {
  const goals = liveEntries(tables.categories).filter(one => one.text('goal_def') !== null);
  const notes = tables.notes.filter(one => one.text('note') !== null && !categories.has(one.id));
  const what = 'without a counterpart here: left out';
  return [
    'Types of accounts are not kept by Actual: checking accounts, but for those off budget',
    ...note(liveEntries(tables.schedules).length, 'schedule', { what }),
    ...note(liveEntries(tables.rules).length, 'rule', { what }),
    ...note(goals.length, 'goal', { what }),
    ...note(notes.length, 'note on an account, a group or a month', {
      what,
      many: 'notes on accounts, groups and months',
    }),
  ];
}

interface NoteText {
  readonly what: string;
  readonly many?: string;
}

function note(number: number, one: string, { what, many }: NoteText): string[] {
  return number === 0 ? [] : [`${count(number, one, many)} ${what}`];
}
