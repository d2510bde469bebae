// Which documents an event reads: declared, so that a chunk loads everything once before it folds.
import type { BudgetEvent } from '../schemas/generated/events.ts';
import { accountDaysId } from './aggregates/account-days.ts';
import { memoBlockOf } from './aggregates/memo-blocks.ts';
import type { Category, CollectionName, Row } from './documents.ts';

/** A field of the stored rows by which a cascade finds them. */
export type RowField = 'account' | 'category' | 'payee' | 'transfer' | 'labels';

/** Takes the declarations; ids are those within the budget's document set. Years are always loaded whole. */
export interface Reader {
  document(collection: CollectionName, id: string | null | undefined): void;
  rowsBy(field: RowField, id: string): void;
}

/** What an event names by itself. */
export function declareReads(event: BudgetEvent, read: Reader): void {
  switch (event.type) {
    case 'transaction.entered':
      read.document('memoBlocks', String(memoBlockOf(event.sequence)));
      declareState(event.data, read);
      return;
    case 'transaction.changed':
      declareState(event.data, read);
      return;
    case 'transaction.deleted':
      read.document('rows', event.data.transactionId);
      return;
    case 'transaction.cleared':
    case 'transaction.uncleared':
    case 'transaction.reconciled':
      for (const id of event.data.transactionIds) read.document('rows', id);
      return;
    case 'payee.merged':
      read.document('payees', event.data.intoPayeeId);
      break;
    case 'category.deleted':
      read.document('categories', event.data.replacementCategoryId);
      read.document('categoryMonths', event.data.replacementCategoryId);
      break;
    default:
  }
  declareNamed(event.data, read);
  declareCascade(event, read);
}

// Every other event names what it is about, by one or two ids.
function declareNamed(data: object, read: Reader): void {
  const ids = data as Record<
    'accountId' | 'groupId' | 'categoryId' | 'payeeId' | 'labelId',
    string
  >;
  read.document('accounts', ids.accountId);
  read.document('groups', ids.groupId);
  read.document('categories', ids.categoryId);
  read.document('categoryMonths', ids.categoryId);
  read.document('payees', ids.payeeId);
  read.document('labels', ids.labelId);
}

function declareState(
  data: Extract<BudgetEvent, { type: 'transaction.entered' }>['data'],
  read: Reader,
): void {
  read.document('rows', data.transactionId);
  read.document('accounts', data.transferAccountId);
  read.document('payees', data.payeeId);
  for (const labelId of data.labelIds ?? []) read.document('labels', labelId);
  declareSums(data.accountId, data.categoryId, data.date, read);
}

function declareCascade(event: BudgetEvent, read: Reader): void {
  switch (event.type) {
    case 'account.deleted':
      read.rowsBy('transfer', event.data.accountId);
      read.rowsBy('account', event.data.accountId);
      return;
    case 'account.renamed':
      read.rowsBy('account', event.data.accountId);
      return;
    case 'category.renamed':
    case 'category.deleted':
      read.rowsBy('category', event.data.categoryId);
      return;
    case 'payee.renamed':
    case 'payee.merged':
    case 'payee.deleted':
      read.rowsBy('payee', event.data.payeeId);
      return;
    case 'label.renamed':
    case 'label.deleted':
      read.rowsBy('labels', event.data.labelId);
      return;
    default:
  }
}

/** Whether rows are to be searched for, beyond those that the event names. */
export function isCascade(event: BudgetEvent): boolean {
  let searches = false;
  declareCascade(event, {
    document() {},
    rowsBy() {
      searches = true;
    },
  });
  return searches;
}

/** What changes with a row that is there already: what it is part of. */
export function declareRowReads(row: Row, read: Reader): void {
  read.document('memoBlocks', String(memoBlockOf(row.entry)));
  declareSums(row.accountId, row.categoryId, row.date, read);
}

/** What changes with a category that is there already: its group, whose size may change. */
export function declareCategoryReads(category: Category, read: Reader): void {
  read.document('groups', category.groupId);
}

function declareSums(
  accountId: string,
  categoryId: string | null | undefined,
  date: string,
  read: Reader,
): void {
  read.document('accounts', accountId);
  read.document('accountMonths', accountId);
  read.document('accountDays', accountDaysId(accountId, date));
  read.document('categories', categoryId);
  read.document('categoryMonths', categoryId);
}
