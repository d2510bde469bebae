// Reads a page of transactions: the stored JSON texts, without decoding them (rules/projecting.md#rows-as-served-text). Where
// a range of amounts or a search leaves few rows, they are found by their places.
import type { Document, Filter } from 'mongodb';
import type { Place } from '../../../../projections/place.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type { TransactionsQuery } from '../../../../schemas/generated/queries.ts';
import { createBatches } from '../../../process/batches.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import { BY_AMOUNT, BY_PLACE, type StoredRow } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import { eachField, numberAt } from './bson.ts';
import { budgetCounts } from './count-sources.ts';
import type { PageRange } from './named.ts';
import { rawBatches } from './raw-batches.ts';
import type { RoomySource } from './room.ts';
import { searchPlaces } from './search-places.ts';
import { type CountSource, type PageStart, pageStartOf } from './seek.ts';
import {
  type AmountRange,
  amountRange,
  filtersOf,
  placeRange,
  type RowFilter,
  rowFilter,
  rowIndex,
} from './transaction-filter.ts';

/** Below this offset, in rows, skipping rows costs less than reading the counts. */
const SEEK_OFFSET_MIN = 500;
const LAST_DATE = '9999-12-31';

/** For each byte of a page: its text, that of its line of CSV, and the body. */
const COPIES = 3;

/** Returns the rows of the page, with their field `json` alone, as the store sent them. */
export async function readTransactions(
  source: RoomySource,
  query: TransactionsQuery,
): Promise<Buffer[]> {
  const { reading, set } = source;
  const filters = filtersOf(query);
  const few = await fewRows(reading, set, { filters, page: query });
  if (few !== null) return await readFew(source, { page: query, few });
  const start = await pageStart(countSource(reading, set, filters), query);
  if (start === null) return [];
  const filter = rowFilter(set, filters, start.endPlace);
  return await readRows(source, query, { filter, hint: rowIndex(filters), skip: start.skip });
}

interface Few {
  /** Of all rows up to the end of the page, in no order; rows that the other filters leave out are among them. */
  readonly places: readonly Place[];
  /** The filters that still apply. */
  readonly others: readonly RowFilter[];
}

/** Returns null where reading the list row by row is faster: without such filters, or when they keep many rows. */
async function fewRows(
  reading: Reading,
  set: string,
  { filters, page }: { readonly filters: readonly RowFilter[]; readonly page: PageRange },
): Promise<Few | null> {
  const amount = amountRange(filters);
  if (amount !== null) {
    const places = await amountPlaces(reading, set, { amount, filters });
    if (places !== null) return { places, others: without(filters, 'amount') };
  }
  const text = filters.find(filter => filter.by === 'text');
  if (text === undefined) return null;
  const others = filters.filter(filter => filter !== text);
  const search = { reading, set, page, filters: others, normalized: text.normalized };
  const places = await searchPlaces(search);
  return places && { places, others: without(filters, 'text') };
}

/** The places lie between the dates already. */
function without(filters: readonly RowFilter[], used: RowFilter['by']): RowFilter[] {
  return filters.filter(({ by }) => by !== used && by !== 'date');
}

/** Beyond this many rows, reading the list row by row is mostly faster: then one row in 200 of a million matches. */
const PLACES_MAX = 5000;

/**
 * Returns the places of all rows of these amounts by their index, between the dates among the filters, in no order. Null
 * when more than `PLACES_MAX` rows of any date have such amounts.
 */
async function amountPlaces(
  reading: Reading,
  set: string,
  { amount, filters }: { readonly amount: AmountRange; readonly filters: readonly RowFilter[] },
): Promise<Place[] | null> {
  const find = async (part: { readonly skip: number; readonly limit: number }) => {
    const batches = await rawBatches(reading, {
      find: reading.collections.rows.collectionName,
      filter: { set, amount },
      projection: { _id: 0, place: 1 },
      hint: BY_AMOUNT,
      batchSize: PLACES_MAX + 1,
      ...part,
    });
    return batches.flatMap(placesIn);
  };
  // To pass over places costs half of reading them.
  if ((await find({ skip: PLACES_MAX, limit: 1 })).length > 0) return null;
  const places = await find({ skip: 0, limit: PLACES_MAX });
  const { $gte: from = 0, $lt: end = Number.POSITIVE_INFINITY } = placeRange(filters);
  return places.filter(place => place >= from && place < end);
}

function placesIn(batch: Buffer): Place[] {
  const places: Place[] = [];
  eachField(batch, 0, (_index, row) => {
    eachField(batch, row, (_name, value, type) => {
      places.push(numberAt(batch, value, type) as Place);
    });
  });
  return places;
}

async function readFew(
  source: RoomySource,
  { page, few: { places, others } }: { readonly page: PageRange; readonly few: Few },
): Promise<Buffer[]> {
  const { offset, limit } = page;
  // Without further filters the places are the list, so that only those of the page are looked up.
  const isList = others.length === 0;
  const wanted = isList ? places.toSorted((a, b) => b - a).slice(offset, offset + limit) : places;
  if (wanted.length === 0) return [];
  const filter = { ...rowFilter(source.set, others), place: { $in: wanted } };
  return await readRows(source, page, { filter, hint: BY_PLACE, skip: isList ? 0 : offset });
}

interface Find {
  readonly filter: Filter<StoredRow>;
  readonly hint: Document | undefined;
  readonly skip: number;
}

async function readRows(
  { reading, takeRoom }: RoomySource,
  page: PageRange,
  { filter, hint, skip }: Find,
): Promise<Buffer[]> {
  const command = {
    find: reading.collections.rows.collectionName,
    filter,
    projection: { _id: 0, json: 1 },
    sort: { place: -1 },
    skip,
    limit: page.limit,
    batchSize: page.limit + 1,
    ...(hint && { hint }),
  };
  return await rawBatches(reading, command, bytes => takeRoom(bytes * COPIES));
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
    .find({ _id: { $in: [...keys] } }, { ...options, ...ONE_REPLY, projection: { json: 1 } })
    .toArray();
  const texts = new Map(found.map(({ _id, json }) => [_id, json]));
  return keys.map(key => texts.get(key) ?? null);
}
