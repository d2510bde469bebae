// Documents of a set between memory and store: `_id` is added, money becomes 64-bit, keys are in one order.
import type { Document } from 'mongodb';
import type {
  AccountDays,
  AccountMonths,
  CategoryMonths,
  CollectionName,
  RowSums,
  SetDocuments,
  Year,
} from '../../projections/documents.ts';
import { money, type StoredRow } from './collections.ts';
import { rowOf, storedRow } from './row-codec.ts';

/** The form in which a document is stored. */
export function storedDocument<C extends CollectionName>(
  collection: C,
  document: SetDocuments[C],
): Document & { _id: string } {
  const fields = encode(collection, document as SetDocuments[CollectionName]);
  return { _id: `${document.set}/${document.id}`, ...fields };
}

/** The document as it was folded. The driver has made safe integers of 64-bit ones. */
export function documentOf<C extends CollectionName>(
  collection: C,
  stored: Document,
): SetDocuments[C] {
  if (collection === 'rows') return rowOf(stored as StoredRow) as SetDocuments[C];
  const { _id, ...document } = stored;
  return document as SetDocuments[C];
}

function encode(collection: CollectionName, document: SetDocuments[CollectionName]): Document {
  switch (collection) {
    case 'rows':
      return storedRow(document as SetDocuments['rows']);
    case 'accounts': {
      const account = document as SetDocuments['accounts'];
      return { ...account, ...sums(account), nativeAbsolute: money(account.nativeAbsolute) };
    }
    case 'accountMonths': {
      const { months, ...rest } = document as AccountMonths;
      return { ...rest, months: sorted(months, month => ({ ...sums(month), last: month.last })) };
    }
    case 'accountDays': {
      const { days, ...rest } = document as AccountDays;
      return { ...rest, days: sorted(days, sums) };
    }
    case 'categoryMonths': {
      const { cells, carry, ...rest } = document as CategoryMonths;
      const cell = (c: (typeof cells)[string]) => ({
        assigned: money(c.assigned),
        spent: money(c.spent),
        count: c.count,
      });
      return { ...rest, cells: sorted(cells, cell), carry: sorted(carry, flag => flag) };
    }
    case 'years':
      return encodeYear(document as Year);
    case 'groups':
    case 'categories':
    case 'payees':
    case 'labels':
      return { ...document };
  }
}

function encodeYear({ set, id, start, months, count }: Year): Document {
  return {
    set,
    id,
    count,
    start: {
      income: money(start.income),
      assigned: money(start.assigned),
      overspent: money(start.overspent),
      cash: money(start.cash),
      internal: money(start.internal),
      uncategorized: money(start.uncategorized),
    },
    months: sorted(months, month => ({
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
    })),
  };
}

function sums({ count, cleared, uncleared, native }: RowSums): Document {
  return { count, cleared: money(cleared), uncleared: money(uncleared), native: money(native) };
}

// In one order whatever the events' order was, so that equal documents are equal byte for byte.
// A Map keeps it: an object would put integer-like keys ('10' to '31') first.
function sorted<T>(
  record: Record<string, T>,
  encodeOne: (value: T) => unknown,
): Map<string, unknown> {
  const keys = Object.keys(record).sort();
  return new Map(keys.map(key => [key, encodeOne(record[key] as T)]));
}
