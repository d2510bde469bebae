// How the documents of each kind are stored: indexes and codecs. The other half of the table of kinds is
// projections/document-kinds.ts; a kind without a row here does not compile.
import type { Document } from 'mongodb';
import type { AccountMonths } from '../../projections/aggregates/account-months.ts';
import type { Totals } from '../../projections/aggregates/month-sums.ts';
import type { DocumentKind, SetDocuments } from '../../projections/document-kinds.ts';
import type { Cell, MonthIncrements, RowSums, Year } from '../../projections/documents.ts';
import {
  type DocumentStorage,
  flatDocuments,
  recordDocuments,
  type StoredDocument,
} from './document-codec.ts';
import {
  BY_CHANGED,
  PLACE_INDEX,
  ROW_INDEXES,
  rowOf,
  type StoredRow,
  storedRow,
} from './row-codec.ts';
import { money, sorted } from './stored-form.ts';

/** The documents as the driver reads them: rows in a form of their own, others with an `_id`. */
export type StoredByKind = { rows: StoredRow } & {
  [K in Exclude<DocumentKind, 'rows'>]: SetDocuments[K] & { _id: string };
};

const BY_SET = [{ key: { set: 1 } }] as const;
const BY_NAME = [{ key: { set: 1, nameKey: 1, id: 1 } }, { key: BY_CHANGED }] as const;

export const DOCUMENT_STORAGE: {
  readonly [K in DocumentKind]: DocumentStorage<SetDocuments[K]>;
} = {
  accounts: flatDocuments(BY_SET, {
    position: 'number',
    count: 'number',
    cleared: 'money',
    uncleared: 'money',
    native: 'money',
    nativeAbsolute: 'money',
    entry: 'number',
    changed: 'number',
  }),
  groups: flatDocuments(BY_SET, { position: 'number', size: 'number', changed: 'number' }),
  categories: flatDocuments(BY_SET, { position: 'number', entry: 'number', changed: 'number' }),
  payees: flatDocuments(BY_NAME, { entry: 'number', changed: 'number' }),
  labels: flatDocuments(BY_NAME, { entry: 'number', changed: 'number' }),
  rows: {
    indexes: [PLACE_INDEX],
    lateIndexes: ROW_INDEXES.filter(index => index !== PLACE_INDEX),
    encode: storedRow,
    decode: stored => rowOf(stored as StoredRow),
    update: storedRow,
  },
  accountMonths: recordDocuments(BY_SET, { months: encodeAccountMonth }, noRest),
  accountDays: recordDocuments(BY_SET, { months: days => sorted(days, encodeSums) }, noRest),
  categoryMonths: recordDocuments(BY_SET, { cells: encodeCell, carry: flag => flag }, noRest),
  years: recordDocuments([{ key: { set: 1, id: -1 } }], { months: encodeMonth }, encodeYearRest),
  monthSums: recordDocuments(
    BY_SET,
    {
      accounts: encodeTotals,
      categories: encodeTotals,
      payees: encodeTotals,
      labels: encodeTotals,
    },
    noRest,
  ),
  memoBlocks: flatDocuments(BY_SET, {}),
  tombstones: flatDocuments([{ key: BY_CHANGED }], { changed: 'number' }),
};

/** Returns the form in which a document is stored. */
export function storedDocument<K extends DocumentKind>(
  kind: K,
  document: SetDocuments[K],
): StoredDocument {
  return DOCUMENT_STORAGE[kind].encode(document);
}

/** Returns the document as the projections know it. The driver has turned 64-bit integers into safe integers. */
export function documentOf<K extends DocumentKind>(kind: K, stored: Document): SetDocuments[K] {
  return DOCUMENT_STORAGE[kind].decode(stored);
}

function noRest() {
  return {};
}

function encodeYearRest({ start, count }: Year) {
  return {
    count,
    start: {
      income: money(start.income),
      assigned: money(start.assigned),
      overspent: money(start.overspent),
      cash: money(start.cash),
      internal: money(start.internal),
      uncategorized: money(start.uncategorized),
    },
  };
}

function encodeMonth(month: MonthIncrements) {
  return {
    income: money(month.income),
    assigned: money(month.assigned),
    overspent: money(month.overspent),
    overspentCount: month.overspentCount,
    cash: money(month.cash),
    internal: money(month.internal),
    uncategorized: money(month.uncategorized),
    uncategorizedCount: month.uncategorizedCount,
    held: money(month.held),
    days: sorted(month.days, count => count),
  };
}

function encodeAccountMonth(month: AccountMonths['months'][string]) {
  return { ...encodeSums(month), last: month.last };
}

function encodeCell({ assigned, spent, count }: Cell) {
  return { assigned: money(assigned), spent: money(spent), count };
}

function encodeTotals({ count, inflow, outflow }: Totals) {
  return { count, inflow: money(inflow), outflow: money(outflow) };
}

function encodeSums({ count, cleared, uncleared, native }: RowSums) {
  return { count, cleared: money(cleared), uncleared: money(uncleared), native: money(native) };
}
