import test from 'ava';
import fc from 'fast-check';
import { dayNumber, endPlaceOf, entryOf, firstPlaceOf, placeOf } from '../../projections/place.ts';

const DAY_MS = 86_400_000;

test('days are numbered by the calendar, years 0001 to 9999', t => {
  t.is(dayNumber('0001-01-01'), 0);
  const origin = Date.parse('0001-01-01T00:00:00Z');
  for (let day = 0; day < 3_652_059; day += 97) {
    const date = new Date(origin + day * DAY_MS).toISOString().slice(0, 10);
    t.is(dayNumber(date), day, date);
  }
  t.is(dayNumber('9999-12-31'), 3_652_058);
});

test('/transactions: a place sorts by date, then by entry, and is an exact number', t => {
  const entry = fc.integer({ min: 1, max: 2 ** 31 - 1 });
  const date = fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map(at => at.toISOString().slice(0, 10));
  const row = fc.tuple(date, entry);
  fc.assert(
    fc.property(row, row, ([dateA, entryA], [dateB, entryB]) => {
      const [a, b] = [placeOf(dateA, entryA), placeOf(dateB, entryB)];
      const isNewer = dateA > dateB || (dateA === dateB && entryA > entryB);
      const isSame = dateA === dateB && entryA === entryB;
      return a > b === isNewer && (a === b) === isSame && entryOf(a) === entryA;
    }),
  );
  t.true(Number.isSafeInteger(placeOf('9999-12-31', 2 ** 31 - 1)));
});

test('the places of a day lie between its first place and its end', t => {
  t.true(firstPlaceOf('2024-02-29') < placeOf('2024-02-29', 1));
  t.true(placeOf('2024-02-29', 2 ** 31 - 1) < endPlaceOf('2024-02-29'));
  t.is(endPlaceOf('2024-02-29'), firstPlaceOf('2024-03-01'));
});
