// Documents of a set between memory and store: `_id` is added, money becomes 64-bit, keys are in one order.
import type { Document } from 'mongodb';
import type {
  AccountDays,
  AccountMonths,
  Cell,
  CollectionName,
  MonthIncrements,
  RowSums,
  SetDocuments,
  Year,
} from '../../projections/documents.ts';
import type { DocumentChange } from '../../projections/working-set.ts';
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

type Encode = (value: never) => unknown;

/** Fields that keep a value for each month or day, of which an event changes one or two: those alone are written. */
const RECORDS: { readonly [C in CollectionName]?: Readonly<Record<string, Encode>> } = {
  accountMonths: { months: (month: AccountMonths['months'][string]) => encodeAccountMonth(month) },
  accountDays: { months: (days: AccountDays['months'][string]) => sorted(days, sums) },
  categoryMonths: { cells: (cell: Cell) => encodeCell(cell), carry: (flag: boolean) => flag },
  years: { months: (month: MonthIncrements) => encodeMonth(month) },
};

/** The database's update for a document that was stored before: the places that were changed in it, or all of it. */
export function updateOf({ collection, now, before }: DocumentChange): Document | null {
  const records = RECORDS[collection];
  if (!now) return null;
  if (!records) return storedDocument(collection, now);
  const set = new Map(collection === 'years' ? Object.entries(encodeYearFields(now as Year)) : []);
  const unset = new Map<string, string>();
  const fields = now as unknown as Record<string, Record<string, never>>;
  for (const path of before.keys()) {
    const dot = path.indexOf('.');
    const field = path.slice(0, dot);
    const value = fields[field]?.[path.slice(dot + 1)];
    if (value === undefined) unset.set(path, '');
    else set.set(path, records[field]?.(value));
  }
  if (set.size + unset.size === 0) return null;
  return {
    ...(set.size > 0 ? { $set: set } : {}),
    ...(unset.size > 0 ? { $unset: unset } : {}),
  };
}

function encode(collection: CollectionName, document: SetDocuments[CollectionName]): Document {
  switch (collection) {
    case 'rows':
      return storedRow(document as SetDocuments['rows']);
    case 'accounts': {
      const account = document as SetDocuments['accounts'];
      return { ...account, ...sums(account), nativeAbsolute: money(account.nativeAbsolute) };
    }
    case 'years': {
      const year = document as Year;
      const { set, id, months } = year;
      return { set, id, ...encodeYearFields(year), months: sorted(months, encodeMonth) };
    }
    default: {
      const stored: Document = { ...document };
      for (const [field, encodeOne] of Object.entries(RECORDS[collection] ?? {})) {
        stored[field] = sorted(stored[field], encodeOne as (value: unknown) => unknown);
      }
      return stored;
    }
  }
}

function encodeYearFields({ start, count }: Year): Document {
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

function encodeMonth(month: MonthIncrements): Document {
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

function encodeAccountMonth(month: AccountMonths['months'][string]): Document {
  return { ...sums(month), last: month.last };
}

function encodeCell({ assigned, spent, count }: Cell): Document {
  return { assigned: money(assigned), spent: money(spent), count };
}

function sums({ count, cleared, uncleared, native }: RowSums): Document {
  return { count, cleared: money(cleared), uncleared: money(uncleared), native: money(native) };
}

// In one order whatever the events' order was; what is added later stands behind. A Map keeps it: an object would put integer-like keys ('10' to '31') first.
function sorted<T>(
  record: Record<string, T>,
  encodeOne: (value: T) => unknown,
): Map<string, unknown> {
  const keys = Object.keys(record).sort();
  return new Map(keys.map(key => [key, encodeOne(record[key] as T)]));
}
