// Reads the day sums of accounts in a month, whichever version of the projections stored them.
import { type AccountDays, accountDaysId } from '../../../projections/aggregates/account-days.ts';
import type { RowSums } from '../../../projections/documents.ts';
import type { Reading } from '../snapshot.ts';
import { storedId } from './stored-id.ts';

type SumsByDay = Readonly<Record<string, RowSums>>;

/** A year in `months`, or one month in `days` as version 1 stored it. */
interface StoredDays {
  readonly id: string;
  readonly months?: AccountDays['months'];
  readonly days?: SumsByDay;
}

/**
 * Returns, by account, the sums of each day (`'01'` to `'31'`) of a month (`YYYY-MM`). Readers understand the previous
 * version of the projections too, so the code for version 1 can be removed in version 3.
 */
export async function readAccountDays(
  { collections, options }: Reading,
  set: string,
  accountIds: readonly string[],
  month: string,
): Promise<Map<string, SumsByDay>> {
  const inYear = month.slice(5);
  const ids = accountIds.flatMap(id => [accountDaysId(id, month), `${id}/${month}`]);
  const found = await collections.accountDays
    .find<StoredDays>(
      { _id: { $in: ids.map(id => storedId(set, id)) } },
      { ...options, projection: { id: 1, [`months.${inYear}`]: 1, days: 1 } },
    )
    .toArray();
  return new Map(
    found.map(({ id, months, days }) => [
      id.slice(0, id.lastIndexOf('/')),
      days ?? months?.[inYear] ?? {},
    ]),
  );
}
