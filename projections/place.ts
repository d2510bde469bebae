// The place of a row in its budget's list: date first, then entry, in one number that the store can order.
// rules/api.md#order: newest date first, within a date the one entered last first.

declare const place: unique symbol;

/** The place of a row; the brand keeps it apart from days, entries and offsets, which are numbers too. */
export type Place = number & { readonly [place]: true };

const ENTRIES = 2 ** 31;

/** Returns the days since 0001-01-01 in the proleptic Gregorian calendar, for a date that exists. */
export function dayNumber(date: string): number {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7));
  const day = Number(date.slice(8, 10));
  // Years are counted from March, so that the leap day is the last of its year.
  const shifted = month > 2 ? year : year - 1;
  const monthFromMarch = (month + 9) % 12;
  const days = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  return (
    shifted * 365 +
    Math.floor(shifted / 4) -
    Math.floor(shifted / 100) +
    Math.floor(shifted / 400) +
    days -
    306
  );
}

/** Returns the place of a row: day × 2^31 + entry, below 2^53. The oldest row has the lowest place. */
export function placeOf(date: string, entry: number): Place {
  return placeOn(dayNumber(date), entry);
}

/** Returns the same from the number of a day. No other function makes a place from a number. */
export function placeOn(day: number, entry: number): Place {
  return (day * ENTRIES + entry) as Place;
}

/** Returns the lowest place that a row of that date can have. */
export function firstPlaceOf(date: string): Place {
  return placeOn(dayNumber(date), 0);
}

/** Returns one above the highest place that a row of that date can have. */
export function endPlaceOf(date: string): Place {
  return placeOn(dayNumber(date) + 1, 0);
}

/** Returns the entry sequence in a place. */
export function entryOf(place: number): number {
  return place % ENTRIES;
}
