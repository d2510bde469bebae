// Sums by month for each account, category, payee and label. They answer what was spent in any months without reading
// rows.
import { dictionary, isEmpty } from '../dictionary.ts';
import type { Account, Category, Hundredths, InSet, Label, Payee, Row } from '../documents.ts';
import type { EditableDocuments, Tracked } from '../editable-documents.ts';
import { overRows, type RowKeys, type RowPart, type Sign } from './aggregate.ts';

/** Totals of rows. A row of amount 0 counts in `count` alone. */
export interface Totals {
  readonly count: number;
  /** Sum of the positive amounts. */
  readonly inflow: Hundredths;
  /** Sum of the negative amounts, so never above 0. */
  readonly outflow: Hundredths;
}

/** What sums are kept by, and the fields of a month's document that contain them. */
export const SUMMED_BY = ['accounts', 'categories', 'payees', 'labels'] as const;

export type SummedBy = (typeof SUMMED_BY)[number];

/**
 * The totals of a month by the key of a thing (`totalsKey`). Rows without a category, payee or label have totals too,
 * so those by account, category or payee each add up to all rows. Its id is `YYYY-MM/page`: a page has the things that
 * were made by some thousand successive events, so no number of them makes a document too large to store.
 */
export interface MonthSums extends InSet, Readonly<Record<SummedBy, Record<string, Totals>>> {}

/** Successive events whose things share a page: a budget of an ordinary year has one, or a few. */
export const PAGE_ENTRIES = 8192;

/** The rows of a thing in four parts, which the first character of a key tells apart. */
export interface Part {
  readonly onBudget: boolean;
  readonly isTransfer: boolean;
}

const FIELDS = [
  'amount',
  'date',
  'accountId',
  'categoryId',
  'payeeId',
  'labels',
  'onBudget',
  'transferAccountId',
] as const satisfies readonly (keyof Row)[];

export const monthSums = overRows('monthSums', FIELDS, {
  idOnPage: ({ date }, page) => monthSumsId(date, page),
  take: takeRow,
});

export const NO_TOTALS: Totals = { count: 0, inflow: 0, outflow: 0 };

/**
 * Returns the key of a thing in a record; null stands for rows without one. A key is a field's name in the store, where
 * a dot would end it; ids contain no slash.
 */
export function totalsKey({ onBudget, isTransfer }: Part, id: string | null): string {
  const part = (onBudget ? 0 : 2) + (isTransfer ? 1 : 0);
  return `${part}${id === null ? '' : id.replaceAll('.', '/')}`;
}

/** Returns what a key was made of. */
export function ofTotalsKey(key: string): Part & { readonly id: string | null } {
  const part = Number(key[0]);
  const id = key.length === 1 ? null : key.slice(1).replaceAll('/', '.');
  return { onBudget: part < 2, isTransfer: part % 2 === 1, id };
}

/** Returns the id of the document with a page of the sums of a date's month. */
export function monthSumsId(date: string, page: number): string {
  return `${date.slice(0, 7)}/${page}`;
}

/** Returns the page with the sums of a thing that the event of this sequence makes. */
export function pageOf(entry: number): number {
  return Math.floor(entry / PAGE_ENTRIES);
}

type Documents = EditableDocuments<{
  accounts: Account;
  categories: Category;
  payees: Payee;
  labels: Label;
  monthSums: MonthSums;
}>;

/** Calls back with each thing that a row names, and with null for each kind of which it names none. */
function eachThing(row: RowKeys, visit: (by: SummedBy, id: string | null) => void): void {
  visit('accounts', row.accountId);
  visit('categories', row.categoryId);
  visit('payees', row.payeeId);
  if (row.labels.length === 0) visit('labels', null);
  for (const { id } of row.labels) visit('labels', id);
}

/** Returns the pages after the first with the sums of the things that a row names. Those must be loaded. */
export function laterPagesOf(
  documents: Pick<Documents, 'get'>,
  set: string,
  row: RowKeys,
): readonly number[] {
  const pages: number[] = [];
  eachThing(row, (by, id) => {
    const page = pageOfThing(documents, by, { set, id });
    if (page !== 0 && !pages.includes(page)) pages.push(page);
  });
  return pages;
}

/** Returns the page with the sums of a loaded thing; totals of rows without one, or of an unknown one, are on the first. */
function pageOfThing(
  documents: Pick<Documents, 'get'>,
  by: SummedBy,
  { set, id }: { readonly set: string; readonly id: string | null },
): number {
  const thing = id === null ? null : documents.get(by, set, id);
  return thing === null ? 0 : pageOf(thing.entry);
}

type SummedRow = RowPart<(typeof FIELDS)[number]>;

function takeRow(documents: Documents, row: SummedRow, sign: Sign): void {
  const { set, date, amount } = row;
  const part = { onBudget: row.onBudget, isTransfer: row.transferAccountId !== null };
  // Most things of a row share a page, which is looked up once.
  const pages = new Map<number, Tracked<MonthSums>>();
  eachThing(row, (by, id) => {
    const page = pageOfThing(documents, by, { set, id });
    const entry =
      pages.get(page) ?? documents.edit('monthSums', { set, id: monthSumsId(date, page) }, copy);
    pages.set(page, entry);
    const record = entry.document[by];
    const key = totalsKey(part, id);
    const known = record[key];
    // Only the key matters; the old value is never read.
    entry.was(by, key, known);
    const totals = withRow(known ?? NO_TOTALS, amount, sign);
    if (totals.count > 0) record[key] = totals;
    else delete record[key];
  });
  if (sign === 1) return;
  for (const { document } of pages.values()) {
    if (SUMMED_BY.every(by => isEmpty(document[by]))) {
      documents.remove('monthSums', set, document.id);
    }
  }
}

function withRow({ count, inflow, outflow }: Totals, amount: Hundredths, sign: Sign): Totals {
  return {
    count: count + sign,
    inflow: amount > 0 ? inflow + sign * amount : inflow,
    outflow: amount < 0 ? outflow + sign * amount : outflow,
  };
}

function copy(stored: MonthSums | null, { set, id }: InSet): MonthSums {
  return {
    set,
    id,
    accounts: dictionary(stored?.accounts),
    categories: dictionary(stored?.categories),
    payees: dictionary(stored?.payees),
    labels: dictionary(stored?.labels),
  };
}
