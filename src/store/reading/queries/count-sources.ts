// The stored counts that lead to a deep page: of a whole budget, or of one account, category, payee or label.
import type { Filter } from 'mongodb';
import type { SummedBy } from '../../../../projections/aggregates/month-sums.ts';
import { endPlaceOf, firstPlaceOf } from '../../../../projections/place.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import { monthOf } from '../../../process/calendar.ts';
import type { StoredRow } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import { readAccountDays } from './account-sums.ts';
import { beginsBy, byPeriodDown, type CountSource, newestFirst, type PeriodCount } from './seek.ts';
import { eachStoredTotals } from './stored-totals.ts';

const FIRST_MONTH = '0001-01';

/** Returns counts by year, then by day. */
export function budgetCounts({ collections, options }: Reading, set: string): CountSource {
  return {
    refines: true,
    async coarse(end) {
      const filter = { set, id: { $lte: end.slice(0, 4) } };
      return await collections.years
        .find(filter, { ...options, projection: { _id: 0, id: 1, count: 1 } })
        .sort({ set: 1, id: -1 })
        .map(({ id, count }) => ({ period: id, count }))
        .toArray();
    },
    async countsIn(year, end) {
      const found = await collections.years.findOne({ _id: keyOf(set, year) }, options);
      return Object.entries(found?.months ?? {})
        .flatMap(([month, { days }]) => newestFirst(days, `${year}-${month}-`))
        .filter(({ period }) => beginsBy(period, end))
        .sort(byPeriodDown);
    },
  };
}

/** Returns counts by month, then by day. */
export function accountCounts(reading: Reading, set: string, accountId: string): CountSource {
  const { collections, options } = reading;
  return {
    refines: true,
    async coarse(end) {
      const id = keyOf(set, accountId);
      const found = await collections.accountMonths.findOne({ _id: id }, options);
      return newestFirst(countsOf(found?.months)).filter(({ period }) => beginsBy(period, end));
    },
    async countsIn(month, end) {
      const found = await readAccountDays(reading, set, { accountIds: [accountId], month });
      const days = newestFirst(countsOf(found.get(accountId)), `${month}-`);
      return days.filter(({ period }) => beginsBy(period, end));
    },
  };
}

/** Returns counts by month. */
export function categoryCounts(reading: Reading, set: string, categoryId: string): CountSource {
  const { collections, options } = reading;
  return {
    refines: false,
    async coarse(end) {
      const id = keyOf(set, categoryId);
      const found = await collections.categoryMonths.findOne({ _id: id }, options);
      return newestFirst(countsOf(found?.cells)).filter(({ period }) => beginsBy(period, end));
    },
    countsIn: countRows(reading, { set, category: categoryId }),
  };
}

/** Adds up the stored sums of a thing by month, over all parts of its rows. */
export function summedCounts(
  reading: Reading,
  set: string,
  {
    kind,
    id,
    match,
  }: { readonly kind: SummedBy; readonly id: string; readonly match: Filter<StoredRow> },
): CountSource {
  return {
    refines: false,
    async coarse(end) {
      const counts: Record<string, number> = {};
      const months = { kind, id, from: FIRST_MONTH, to: monthOf(end) };
      await eachStoredTotals(reading, set, {
        months,
        isWanted: () => true,
        visit({ period, count }) {
          counts[period] = (counts[period] ?? 0) + count;
        },
      });
      return newestFirst(counts);
    },
    countsIn: countRows(reading, { set, ...match }),
  };
}

/** Returns the count of a month by index, where no counts by day are stored. */
function countRows({ collections, options }: Reading, rows: Filter<StoredRow>) {
  return async (month: string, end: string): Promise<PeriodCount[]> => {
    const place = { $gte: firstPlaceOf(`${month}-01`), $lt: endPlaceOf(end) };
    const count = await collections.rows.countDocuments({ ...rows, place }, options);
    return [{ period: month, count }];
  };
}

function countsOf(
  sums: Readonly<Record<string, { readonly count: number }>> | undefined,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(sums ?? {}).map(([period, { count }]) => [period, count]),
  );
}
