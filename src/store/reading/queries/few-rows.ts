// Finds the rows of a query by their places, where a range of amounts or a search leaves few of them.
import type { Place } from '../../../../projections/place.ts';
import { BY_AMOUNT } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import { eachField, numberAt } from './bson.ts';
import type { PageRange } from './named.ts';
import { rawBatches } from './raw-batches.ts';
import { searchPlaces } from './search-places.ts';
import { type AmountRange, amountRange, placeRange, type RowFilter } from './transaction-filter.ts';

export interface Few {
  /** Of all rows up to the end of the page, in no order; rows that the other filters leave out are among them. */
  readonly places: readonly Place[];
  /** The filters that still apply. */
  readonly others: readonly RowFilter[];
}

/** Returns null where reading the list row by row is faster: without such filters, or when they keep many rows. */
export async function fewRows(
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
