// Declares the documents that an event reads, so that a chunk loads all of them at once before it folds. Which documents
// hold the sums of a row follows from the aggregates.
import type { BudgetEvent } from '../schemas/generated/events.ts';
import type { RowKeys } from './aggregates/aggregate.ts';
import { type Cascade, cascadesOf, isCascade, type RowField } from './cascades.ts';
import { AGGREGATES, type DocumentKind } from './document-kinds.ts';
import type { Row } from './documents.ts';
import type { TransactionState } from './events/transactions.ts';

/** Receives the declarations; ids are those within the budget's document set. */
export interface ReadCollector {
  /** An id that is null or absent declares nothing. A year declares what may change with it, as `isReadyFrom` says. */
  document(kind: DocumentKind, id: string | null | undefined): void;
  /** The group of a category, which only the loaded category names. */
  groupOf(categoryId: string): void;
  /** A row as the event writes it. `entry` is null where the row exists already: the stored row has it. */
  row(row: RowKeys, entry: number | null): void;
  /** A row of which only `MARKS` change (projections/row.ts). */
  marked(rowId: string): void;
  /** The rows that a cascade finds, as they are before and after it. */
  cascade(cascade: Cascade): void;
  /** A thing that an event of this sequence makes: a later event may put it into rows of any month. */
  made(entry: number): void;
}

/** Declares every year of a budget. */
const FIRST_YEAR = '';

/** Declares the documents that an event names, and the rows that it changes. */
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
      for (const id of event.data.transactionIds) reads.marked(id);
      return;
    case 'payee.merged':
      reads.document('payees', event.data.intoPayeeId);
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
      reads.groupOf(event.data.categoryId);
      break;
    case 'category.deleted':
      reads.document('years', FIRST_YEAR);
      reads.groupOf(event.data.categoryId);
      reads.document('categories', event.data.replacementCategoryId);
      reads.document('categoryMonths', event.data.replacementCategoryId);
      break;
    default:
  }
  declareIds(event.data, reads);
  if (isCascade(event)) for (const cascade of cascadesOf(event)) reads.cascade(cascade);
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

const NO_LABELS: RowKeys['labels'] = [];

function declareState(data: TransactionState, entry: number | null, reads: ReadCollector): void {
  reads.document('rows', data.transactionId);
  reads.document('accounts', data.transferAccountId);
  const row: RowKeys = {
    date: data.date,
    accountId: data.accountId,
    categoryId: data.categoryId ?? null,
    payeeId: data.payeeId ?? null,
    transferAccountId: data.transferAccountId ?? null,
    labels: data.labelIds?.map(id => ({ id })) ?? NO_LABELS,
  };
  reads.row(row, entry);
}

/** Which document of an aggregate has the sums of a row. */
interface Sum {
  readonly kind: DocumentKind;
  readonly fields: readonly (keyof Row)[];
  readonly id: (row: RowKeys, entry: number | null) => string | null;
  readonly idOnPage: ((row: RowKeys, page: number) => string) | null;
}

/** Some of the sums of a row. */
export interface Sums {
  readonly all: readonly Sum[];
  /** Some are kept on pages of the things that a row names. */
  readonly havePages: boolean;
}

function sums(all: readonly Sum[]): Sums {
  return { all, havePages: all.some(({ idOnPage }) => idOnPage !== null) };
}

const OF_AGGREGATES = AGGREGATES.map((aggregate): Sum => {
  const { kind, fields } = aggregate;
  const sum = { kind, fields, idOnPage: null };
  if ('idOf' in aggregate) return { ...sum, id: aggregate.idOf };
  if ('idOfEntry' in aggregate) {
    return { ...sum, id: (_, entry) => (entry === null ? null : aggregate.idOfEntry(entry)) };
  }
  // Nearly all budgets have no other page.
  const { idOnPage } = aggregate;
  return { ...sum, id: row => idOnPage(row, 0), idOnPage };
});

export const ALL_SUMS = sums(OF_AGGREGATES);

/** The fields by which cascades find rows, and those that hold the names. */
const FIELDS: { readonly [F in RowField]: readonly [id: keyof Row, name: keyof Row] } = {
  account: ['accountId', 'accountName'],
  category: ['categoryId', 'categoryName'],
  payee: ['payeeId', 'payeeName'],
  transfer: ['transferAccountId', 'internal'],
  labels: ['labels', 'labels'],
};

/** Returns which fields of its rows a cascade changes, null for all: it deletes them. */
export function fieldsOf({ by, id, to }: Cascade): readonly (keyof Row)[] | null {
  if (by === 'account' && to === null) return null;
  const [key, name] = FIELDS[by];
  return to === id ? [name] : [key, name];
}

/** Returns the sums that change with some fields of a row. */
export function sumsWith(changed: ReadonlySet<keyof Row>): Sums {
  return sums(OF_AGGREGATES.filter(({ fields }) => fields.some(field => changed.has(field))));
}

/** A row, and those of its sums that change. */
export interface RowWithSums {
  readonly row: RowKeys;
  readonly sums: Sums;
}

/** Declares sums that include a row, on first pages, and the things that it names: when loaded, they name the pages. */
export function declareSums(
  { row, sums }: RowWithSums,
  entry: number | null,
  reads: Pick<ReadCollector, 'document'>,
): void {
  // The mode of the category also decides how its sums count in the months of the budget.
  if (sums.all.length > 0) reads.document('categories', row.categoryId);
  if (sums.havePages) {
    reads.document('accounts', row.accountId);
    reads.document('payees', row.payeeId);
    for (const { id } of row.labels) reads.document('labels', id);
  }
  for (const { kind, id } of sums.all) reads.document(kind, id(row, entry));
}

/** Declares sums that include a row on some pages. */
export function declarePages(
  { row, sums }: RowWithSums,
  pages: Iterable<number>,
  reads: Pick<ReadCollector, 'document'>,
): void {
  for (const page of pages) {
    for (const { kind, idOnPage } of sums.all) {
      if (idOnPage) reads.document(kind, idOnPage(row, page));
    }
  }
}

function yearOf(date: string): string {
  return date.slice(0, 4);
}
