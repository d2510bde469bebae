// Finds the rows of a range of amounts by the index of amounts, where they are few.
import type { Place } from '../../../../projections/place.ts';
import { BY_AMOUNT } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import { eachField, numberAt } from './bson.ts';
import { rawBatches } from './raw-batches.ts';
import { type AmountRange, placeRange, type RowFilter } from './transaction-filter.ts';

/** Beyond this many rows, reading the list row by row is mostly faster: then one row in 200 of a million matches. */
const PLACES_MAX = 5000;

/**
 * Returns the places of all rows of these amounts, between the dates among the filters, in no order. Null when more
 * than `PLACES_MAX` rows of any date have such amounts.
 */
export async function amountPlaces(
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
