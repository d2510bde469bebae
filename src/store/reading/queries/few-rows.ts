// Finds the rows of a query by their places, where a range of amounts or a search leaves few of them.
import type { Place } from '../../../../projections/place.ts';
import type { Reading } from '../../snapshot.ts';
import { amountPlaces } from './amount-places.ts';
import type { PageRange } from './named.ts';
import { searchPlaces } from './search-places.ts';
import { amountRange, type RowFilter } from './transaction-filter.ts';

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
  const search = { reading, set, page, filters: others, folded: text.folded };
  const places = await searchPlaces(search);
  return places && { places, others: without(filters, 'text') };
}

/** The places lie between the dates already. */
function without(filters: readonly RowFilter[], used: RowFilter['by']): RowFilter[] {
  return filters.filter(({ by }) => by !== used && by !== 'date');
}
