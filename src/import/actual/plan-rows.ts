// Reads the rows of an Actual Budget export, oldest first.
import { isCalendarDate } from '../../../schemas/formats.ts';
import type { ImportProblems } from '../import-problems.ts';
import type { PlannedRow } from '../plan.ts';
import { sortOrderOf, type TableEntry, type Tables } from './read-database.ts';

const RECONCILIATION = 'Reconciliation balance adjustment';
/** The column of a mapping that names the successor. */
type Mapping = 'targetId' | 'transferId';
/** A tag in the notes, by Actual's own rule. */
const TAG = /(?<![#\S])#([^#\s]+)/g;

interface PlannedRows {
  readonly rows: PlannedRow[];
  /** Number of rows whose category is deleted, which get none. */
  readonly unknownCategories: number;
  /** Number of rows left out because the file lacks their account. */
  readonly withoutAccount: number;
  /** Number of transfers with such an account, which become standard rows. */
  readonly lostTransfers: number;
}

/** @param categories has the ids of the categories that are not deleted as keys */
export function planRows(
  tables: Tables,
  categories: ReadonlyMap<string, unknown>,
  problems: ImportProblems,
): PlannedRows {
  const { transactions, accounts } = tables;
  const byId = new Map(transactions.map(one => [one.id, one]));
  const eventId = eventIds(transactions);
  const accountIds = new Set(accounts.map(({ id }) => id));
  const transferAccounts = new Map(tables.payees.map(one => [one.id, one.text('transfer_acct')]));
  const deletedPayees = new Set(
    tables.payees.filter(one => one.is('tombstone')).map(one => one.id),
  );
  const mergedPayee = mapped(tables.payee_mapping, 'targetId');
  const payeeOf = (entry: TableEntry | undefined): string | null => {
    const id = mergedPayee(entry?.text('description') ?? null);
    return id !== null && deletedPayees.has(id) ? null : id;
  };
  const categoryOf = mapped(tables.category_mapping, 'transferId');
  let unknownCategories = 0;
  let lostTransfers = 0;
  const planRow = (entry: TableEntry): PlannedRow => {
    const parent = entry.is('isChild') ? byId.get(parentIdOf(entry)) : undefined;
    const other = byId.get(entry.text('transferred_id') ?? '');
    // Actual shows a deleted payee as none.
    const payeeId = payeeOf(entry) ?? payeeOf(parent);
    const categoryId = categoryOf(entry.text('category'));
    const isKnown = categoryId !== null && categories.has(categoryId);
    if (categoryId !== null && !isKnown) unknownCategories += 1;
    const otherAccountId =
      entry.text('transferred_id') === null
        ? null
        : (transferAccounts.get(payeeId ?? '') ?? other?.text('acct') ?? null);
    const isLost = otherAccountId !== null && !accountIds.has(otherAccountId);
    if (isLost) lostTransfers += 1;
    const transferAccountId = isLost ? null : otherAccountId;
    const notes = entry.text('notes') ?? parent?.text('notes') ?? null;
    const reconciled = entry.is('reconciled');
    return {
      origin: entry.origin,
      id: eventId(entry.id),
      date: dateOf(entry, problems),
      accountId: entry.text('acct') ?? '',
      payeeId: transferAccountId === null ? payeeId : null,
      categoryId: isKnown ? categoryId : null,
      memo: notes,
      amount: entry.integer('amount'),
      type: entry.is('starting_balance_flag')
        ? 'startingBalance'
        : notes === RECONCILIATION
          ? 'reconciliation'
          : 'standard',
      transferAccountId,
      cleared: entry.is('cleared') || reconciled,
      reconciled,
      splitGroupId: parent ? eventId(parent.id) : null,
      labels: [...new Set([...(notes ?? '').matchAll(TAG)].map(([, tag = '']) => tag))],
    };
  };
  const alive = transactions.filter(entry => isRow(entry, byId));
  // Actual's envelopes and balances take rows from the accounts that it finds.
  const kept = alive.filter(entry => accountIds.has(entry.text('acct') ?? ''));
  const rows = kept.sort(byEntry).map(planRow);
  const withoutAccount = alive.length - kept.length;
  return { rows, unknownCategories, withoutAccount, lostTransfers };
}

/**
 * Returns a function that gives each transaction an id for its events. Legs from before December 2020 are called
 * `parent/leg`, which the catalogue does not allow; later exports repeat it, so it gives the same id again.
 */
function eventIds(transactions: readonly TableEntry[]): (id: string) => string {
  const taken = new Set(transactions.map(({ id }) => id));
  const replaced = new Map<string, string>();
  for (const { id } of transactions) {
    if (!id.includes('/')) continue;
    let allowed = id.replaceAll('/', ':');
    while (taken.has(allowed)) allowed += ':';
    taken.add(allowed);
    replaced.set(id, allowed);
  }
  return id => replaced.get(id) ?? id;
}

/** Files of Actual from before December 2020 name the parent in the leg's id only. */
function parentIdOf(leg: TableEntry): string {
  return leg.text('parent_id') ?? leg.id.slice(0, Math.max(leg.id.indexOf('/'), 0));
}

/** A split's parent is no row, but its legs are. */
function isRow(entry: TableEntry, byId: ReadonlyMap<string, TableEntry>): boolean {
  if (entry.is('tombstone') || entry.is('isParent')) return false;
  if (entry.text('date') === null || entry.text('acct') === null) return false;
  if (!entry.is('isChild')) return true;
  const parent = byId.get(parentIdOf(entry));
  return parent !== undefined && !parent.is('tombstone');
}

/** Compares by the reverse of the order in Actual's lists. */
function byEntry(one: TableEntry, other: TableEntry): number {
  return (
    one.integer('date') - other.integer('date') ||
    Number(other.is('starting_balance_flag')) - Number(one.is('starting_balance_flag')) ||
    sortOrderOf(one) - sortOrderOf(other) ||
    (one.id < other.id ? 1 : -1)
  );
}

/** Returns a function that maps the id of a merged or replaced entry to its successor, and other ids to themselves. */
function mapped(
  mapping: readonly TableEntry[],
  column: Mapping,
): (id: string | null) => string | null {
  const targets = successorsOf(mapping, column);
  return id => (id === null ? null : (targets.get(id) ?? id));
}

/** Returns the id that took over, by the id of each merged or replaced entry. */
export function successorsOf(mapping: readonly TableEntry[], column: Mapping): Map<string, string> {
  const successors = new Map<string, string>();
  for (const one of mapping) {
    const successor = one.text(column);
    if (successor !== null && successor !== one.id) successors.set(one.id, successor);
  }
  return successors;
}

function dateOf(entry: TableEntry, problems: ImportProblems): string {
  const number = entry.integer('date');
  const date = String(number).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  if (!isCalendarDate(date)) {
    problems.add(entry.origin, `Expected a date like 20260131, got ${number}`);
  }
  return date;
}
