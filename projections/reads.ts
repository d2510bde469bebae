// Declares the documents that an event reads, so that a chunk loads all of them at once before it folds.
import type { BudgetEvent } from '../schemas/generated/events.ts';
import { accountDaysId } from './aggregates/account-days.ts';
import { memoBlockOf } from './aggregates/memo-blocks.ts';
import { monthSumsId, NO_THINGS, type Things } from './aggregates/month-sums.ts';
import type { DocumentKind, SummedKind } from './document-kinds.ts';
import type { Category, Row } from './documents.ts';
import type { TransactionState } from './events/transactions.ts';

/** A field of the stored rows by which a cascade finds them. */
export type RowField = 'account' | 'category' | 'payee' | 'transfer' | 'labels';

/** Receives the declarations; ids are those within the budget's document set. */
export interface ReadCollector {
  /** An id that is null or absent declares nothing. A year declares what may change with it, as `isReadyFrom` says. */
  document(kind: DocumentKind, id: string | null | undefined): void;
  rowsBy(field: RowField, id: string): void;
  /** The sums of things in the month of a date. The things are declared as well: when loaded, they name the pages. */
  monthSums(date: string, things: Things): void;
  /** Things that a cascade puts into rows of any month. They are declared as well. */
  replacements(things: Things): void;
  /** A thing that an event of this sequence makes: a later event may put it into rows of any month. */
  made(entry: number): void;
}

/** The fields that determine which sums include a row, whether it is stored or described by an event. */
type SummedFields = Pick<
  TransactionState,
  'accountId' | 'categoryId' | 'payeeId' | 'labelIds' | 'date'
>;

/** Returns the id of the sum that includes a row. `entry` is null where the event does not contain it. */
type SumId = (row: SummedFields, entry: number | null) => string | null | undefined;

const SUM_IDS: Readonly<Record<SummedKind, SumId>> = {
  accounts: row => row.accountId,
  accountMonths: row => row.accountId,
  accountDays: row => accountDaysId(row.accountId, row.date),
  categoryMonths: row => row.categoryId,
  years: row => yearOf(row.date),
  // Nearly all budgets have no other page.
  monthSums: row => monthSumsId(row.date, 0),
  memoBlocks: (_, entry) => (entry === null ? null : String(memoBlockOf(entry))),
};

/** Declares every year of a budget. */
const FIRST_YEAR = '';

const SUMS = Object.entries(SUM_IDS) as [keyof typeof SUM_IDS, SumId][];

/** Declares the documents that an event names, and the rows that its cascade has to find. */
export function declareReads(event: BudgetEvent, reads: ReadCollector): void {
  switch (event.type) {
    case 'transaction.entered':
      declareState(event.data, event.sequence, reads);
      return;
    case 'transaction.changed':
      declareState(event.data, null, reads);
      return;
    case 'transaction.deleted':
      reads.document('rows', event.data.transactionId);
      return;
    case 'transaction.cleared':
    case 'transaction.uncleared':
    case 'transaction.reconciled':
      for (const id of event.data.transactionIds) reads.document('rows', id);
      return;
    case 'payee.merged':
      reads.document('payees', event.data.intoPayeeId);
      reads.replacements({ ...NO_THINGS, payees: [event.data.intoPayeeId] });
      break;
    case 'account.opened':
    case 'category.added':
    case 'payee.added':
    case 'label.added':
      reads.made(event.sequence);
      break;
    // The months before a change of an envelope stay the same.
    case 'envelope.assigned':
    case 'envelope.carryover-set':
    case 'month.held':
      reads.document('years', yearOf(event.data.month));
      break;
    // In a group of another mode all months of a category count differently.
    case 'category.moved':
      reads.document('years', FIRST_YEAR);
      break;
    case 'category.deleted':
      reads.document('years', FIRST_YEAR);
      reads.document('categories', event.data.replacementCategoryId);
      reads.document('categoryMonths', event.data.replacementCategoryId);
      reads.replacements({ ...NO_THINGS, categories: present(event.data.replacementCategoryId) });
      break;
    default:
  }
  declareIds(event.data, reads);
  declareCascade(event, reads);
}

// All other events name their documents by one or two ids.
function declareIds(data: object, reads: ReadCollector): void {
  const ids = data as Record<
    'accountId' | 'groupId' | 'categoryId' | 'payeeId' | 'labelId',
    string
  >;
  reads.document('accounts', ids.accountId);
  reads.document('groups', ids.groupId);
  reads.document('categories', ids.categoryId);
  reads.document('categoryMonths', ids.categoryId);
  reads.document('payees', ids.payeeId);
  reads.document('labels', ids.labelId);
}

function declareState(data: TransactionState, entry: number | null, reads: ReadCollector): void {
  reads.document('rows', data.transactionId);
  reads.document('accounts', data.transferAccountId);
  declareSums(data, entry, reads);
}

function declareCascade(event: BudgetEvent, reads: ReadCollector): void {
  switch (event.type) {
    case 'account.deleted':
      reads.rowsBy('transfer', event.data.accountId);
      reads.rowsBy('account', event.data.accountId);
      return;
    case 'account.renamed':
      reads.rowsBy('account', event.data.accountId);
      return;
    case 'category.renamed':
    case 'category.deleted':
      reads.rowsBy('category', event.data.categoryId);
      return;
    case 'payee.renamed':
    case 'payee.merged':
    case 'payee.deleted':
      reads.rowsBy('payee', event.data.payeeId);
      return;
    case 'label.renamed':
    case 'label.deleted':
      reads.rowsBy('labels', event.data.labelId);
      return;
    default:
  }
}

/** Returns whether the event changes rows that it does not name, so that the store has to find them. */
export function isCascade(event: BudgetEvent): boolean {
  let searches = false;
  declareCascade(event, {
    document() {},
    rowsBy() {
      searches = true;
    },
    monthSums() {},
    replacements() {},
    made() {},
  });
  return searches;
}

/** Declares the sums that include a stored row: they change with it. */
export function declareRowReads(row: Row, reads: ReadCollector): void {
  const labelIds = row.labels.map(({ id }) => id);
  const { accountId, categoryId, payeeId, date } = row;
  declareSums({ accountId, categoryId, payeeId, labelIds, date }, row.entry, reads);
}

/** Declares the group of a stored category: the group's size may change. */
export function declareCategoryReads(category: Category, reads: ReadCollector): void {
  reads.document('groups', category.groupId);
}

function declareSums(row: SummedFields, entry: number | null, reads: ReadCollector): void {
  // The mode of the category decides how its sums count in the months of the budget.
  reads.document('categories', row.categoryId);
  reads.document('payees', row.payeeId);
  const labels = row.labelIds ?? [];
  for (const id of labels) reads.document('labels', id);
  for (const [kind, idOf] of SUMS) reads.document(kind, idOf(row, entry));
  reads.monthSums(row.date, {
    accounts: [row.accountId],
    categories: present(row.categoryId),
    payees: present(row.payeeId),
    labels,
  });
}

function present(id: string | null | undefined): string[] {
  return id === null || id === undefined ? [] : [id];
}

function yearOf(date: string): string {
  return date.slice(0, 4);
}
