// Reads a page of transactions: the stored JSON texts, without decoding them (rules/projecting.md#rows-as-served-text).
import type { Document, Filter } from 'mongodb';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type { TransactionsQuery } from '../../../../schemas/generated/queries.ts';
import { createBatches } from '../../../process/batches.ts';
import { BY_PLACE, type StoredRow } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import { budgetCounts } from './count-sources.ts';
import { type Few, fewRows } from './few-rows.ts';
import type { PageRange } from './named.ts';
import { rawBatches } from './raw-batches.ts';
import { type CountSource, type PageStart, pageStartOf } from './seek.ts';
import { filtersOf, type RowFilter, rowFilter, rowIndex } from './transaction-filter.ts';

/** Below this offset, in rows, skipping rows costs less than reading the counts. */
const SEEK_OFFSET_MIN = 500;
const LAST_DATE = '9999-12-31';

/** Returns the rows of the page, with their field `json` alone, as the store sent them. */
export async function readTransactions(
  reading: Reading,
  set: string,
  query: TransactionsQuery,
): Promise<Buffer[]> {
  const filters = filtersOf(query);
  const few = await fewRows(reading, set, { filters, page: query });
  if (few !== null) return await readFew(reading, set, { page: query, few });
  const start = await pageStart(countSource(reading, set, filters), query);
  if (start === null) return [];
  const filter = rowFilter(set, filters, start.endPlace);
  return await readRows(reading, query, { filter, hint: rowIndex(filters), skip: start.skip });
}

async function readFew(
  reading: Reading,
  set: string,
  { page, few: { places, others } }: { readonly page: PageRange; readonly few: Few },
): Promise<Buffer[]> {
  const { offset, limit } = page;
  // Without further filters the places are the list, so that only those of the page are looked up.
  const isList = others.length === 0;
  const wanted = isList ? places.toSorted((a, b) => b - a).slice(offset, offset + limit) : places;
  if (wanted.length === 0) return [];
  const filter = { ...rowFilter(set, others), place: { $in: wanted } };
  return await readRows(reading, page, { filter, hint: BY_PLACE, skip: isList ? 0 : offset });
}

interface Find {
  readonly filter: Filter<StoredRow>;
  readonly hint: Document | undefined;
  readonly skip: number;
}

async function readRows(
  reading: Reading,
  page: PageRange,
  { filter, hint, skip }: Find,
): Promise<Buffer[]> {
  return await rawBatches(reading, {
    find: reading.collections.rows.collectionName,
    filter,
    projection: { _id: 0, json: 1 },
    sort: { place: -1 },
    skip,
    limit: page.limit,
    batchSize: page.limit + 1,
    ...(hint && { hint }),
  });
}

/** Returns null when the offset is beyond the last row. */
async function pageStart(
  source: CountSource | null,
  { offset, end_date: end = LAST_DATE }: TransactionsQuery,
): Promise<PageStart | { endPlace: undefined; skip: number } | null> {
  if (source === null || offset < SEEK_OFFSET_MIN) return { endPlace: undefined, skip: offset };
  return await pageStartOf(source, end, offset);
}

/** Returns the counts that lead to an offset of this list; null where no stored counts match its filters. */
function countSource(
  reading: Reading,
  set: string,
  filters: readonly RowFilter[],
): CountSource | null {
  // Dates cut the list at its ends only, so the counts between them still hold.
  const [filter, ...more] = filters.filter(({ by }) => by !== 'date');
  if (filter === undefined) return budgetCounts(reading, set);
  if (filter.by !== 'field' || more.length > 0) return null;
  return filter.counts?.(reading, set) ?? null;
}

type AskText = (key: string) => Promise<string | null>;

const asking = new WeakMap<Reading, AskText>();

/**
 * Reads the JSON text of one transaction, as it is served; null if there is none. Requests of one snapshot share a query.
 */
export async function readTransaction(
  reading: Reading,
  set: string,
  id: string,
): Promise<string | null> {
  const shared = reading.shared ?? reading;
  const ask = asking.get(shared) ?? createBatches(keys => textsOf(shared, keys));
  asking.set(shared, ask);
  return await ask(keyOf(set, id));
}

/** Returns the texts in the order of their keys. */
async function textsOf(
  { collections, options }: Reading,
  keys: readonly string[],
): Promise<(string | null)[]> {
  const found = await collections.rows
    .find({ _id: { $in: [...keys] } }, { ...options, projection: { json: 1 } })
    .toArray();
  const texts = new Map(found.map(({ _id, json }) => [_id, json]));
  return keys.map(key => texts.get(key) ?? null);
}
