// Reads the day sums of accounts in a month.
import { accountDaysId } from '../../../../projections/aggregates/account-days.ts';
import type { RowSums } from '../../../../projections/documents.ts';
import type { Reading } from '../../snapshot.ts';
import { storedId } from './stored-id.ts';

type SumsByDay = Readonly<Record<string, RowSums>>;

/** Returns, by account, the sums of each day (`'01'` to `'31'`) of a month (`YYYY-MM`). */
export async function readAccountDays(
  { collections, options }: Reading,
  set: string,
  { accountIds, month }: { readonly accountIds: readonly string[]; readonly month: string },
): Promise<Map<string, SumsByDay>> {
  const inYear = month.slice(5);
  const ids = accountIds.map(id => storedId(set, accountDaysId(id, month)));
  const found = await collections.accountDays
    .find({ _id: { $in: ids } }, { ...options, projection: { id: 1, [`months.${inYear}`]: 1 } })
    .toArray();
  return new Map(
    found.map(({ id, months }) => [id.slice(0, id.lastIndexOf('/')), months[inYear] ?? {}]),
  );
}
