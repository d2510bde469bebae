// The seek by counts against rows that are counted one by one.
import test from 'ava';
import fc from 'fast-check';
import { endPlaceOf, placeOf } from '../../../../projections/place.ts';
import {
  beginsBy,
  type CountSource,
  endOfPeriod,
  newestFirst,
  pageStartOf,
  seek,
} from '../../../../src/store/reading/queries/seek.ts';

interface ListedRow {
  readonly date: string;
  readonly place: number;
}

const dates = fc
  .record({
    year: fc.constantFrom('0001', '1999', '2023', '2024', '2025', '9999'),
    month: fc.constantFrom('01', '02', '11', '12'),
    day: fc.constantFrom('01', '02', '15', '28'),
  })
  .map(({ year, month, day }) => `${year}-${month}-${day}`);

const lists = fc
  .array(dates, { maxLength: 60 })
  .map(all =>
    all
      .map((date, entry): ListedRow => ({ date, place: placeOf(date, entry) }))
      .sort((a, b) => b.place - a.place),
  );

function countsBy(rows: readonly ListedRow[], length: number) {
  const counts: Record<string, number> = {};
  for (const { date } of rows) {
    const period = date.slice(0, length);
    counts[period] = (counts[period] ?? 0) + 1;
  }
  return newestFirst(counts);
}

/** Counts in memory: long periods of `coarse` letters, within them periods of `fine` letters. */
function sourceOf(rows: readonly ListedRow[], coarse: number, fine: number): CountSource {
  return {
    refines: fine > coarse,
    coarse: async end => countsBy(rows, coarse).filter(({ period }) => beginsBy(period, end)),
    countsIn: async (period, end) =>
      countsBy(
        rows.filter(({ date }) => date.startsWith(period) && date <= end),
        fine,
      ),
  };
}

for (const [title, coarse, fine] of [
  ['years and days', 4, 10],
  ['months and days', 7, 10],
  ['months alone', 7, 7],
] as const) {
  test(`locate: ${title} lead to the row that skipping from the start leads to`, async t => {
    await fc.assert(
      fc.asyncProperty(lists, dates, fc.nat(70), async (rows, end, offset) => {
        const start = await pageStartOf(sourceOf(rows, coarse, fine), end, offset);
        const listed = rows.filter(({ place }) => place < endPlaceOf(end));
        const wanted = listed[offset];
        if (start === null) return wanted === undefined;
        return listed.filter(({ place }) => place < start.endPlace)[start.skip] === wanted;
      }),
      { numRuns: 400 },
    );
    t.pass();
  });
}

test('locate: the rest to skip is smaller than the period it stands in', async t => {
  const rows = Array.from({ length: 90 }, (_, entry) => {
    const date = `2024-0${1 + (entry % 9)}-10`;
    return { date, place: placeOf(date, entry) };
  });
  const start = await pageStartOf(sourceOf(rows, 4, 10), '9999-12-31', 57);
  t.deepEqual(start, { endPlace: endPlaceOf('2024-04-10'), skip: 7 });
});

test('locate: counts that do not add up are an error, not a wrong page', async t => {
  const source: CountSource = {
    refines: true,
    coarse: async () => [{ period: '2024', count: 5 }],
    countsIn: async () => [{ period: '2024-01-01', count: 3 }],
  };
  await t.throwsAsync(pageStartOf(source, '9999-12-31', 4), { message: /add up/ });
});

test('seek: past the last row is null', t => {
  const periods = [
    { period: '2024', count: 2 },
    { period: '2023', count: 0 },
    { period: '2022', count: 1 },
  ];
  t.deepEqual(
    [0, 1, 2, 3].map(offset => seek(periods, offset)),
    [{ period: '2024', skip: 0 }, { period: '2024', skip: 1 }, { period: '2022', skip: 0 }, null],
  );
});

test('endOfPeriod: years, months and days end where the next one begins', t => {
  t.is(endOfPeriod('2024'), endPlaceOf('2024-12-31'));
  t.is(endOfPeriod('2024-02'), endPlaceOf('2024-02-29'));
  t.is(endOfPeriod('2023-02'), endPlaceOf('2023-02-28'));
  t.is(endOfPeriod('2024-12'), endPlaceOf('2024-12-31'));
  t.is(endOfPeriod('9999-12'), endPlaceOf('9999-12-31'));
  t.is(endOfPeriod('2024-04-30'), endOfPeriod('2024-04'));
});
