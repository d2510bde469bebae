// Reads the sums of accounts by month and by day. A long range has very many of them, so they are read as bytes.
import { accountDaysId } from '../../../../projections/aggregates/account-days.ts';
import type { RowSums } from '../../../../projections/documents.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import { asciiAt, DOCUMENT, eachField, fieldName, integerIn, isNamed, nameAt } from './bson.ts';
import { rawBatches } from './raw-batches.ts';

/** The sums of an account in a month (`YYYY-MM`) or on a day (`YYYY-MM-DD`). */
export interface AccountSums {
  readonly accountId: string;
  readonly period: string;
  /** In the budget's currency. */
  readonly amount: number;
  /** In the account's own currency; 0 for an account without one. */
  readonly native: number;
}

const ID = fieldName('id');
const MONTHS = fieldName('months');
const CLEARED = fieldName('cleared');
const UNCLEARED = fieldName('uncleared');
const NATIVE = fieldName('native');

/** Returns the sums of all months with rows, of all accounts or of one. */
export async function readMonthSums(
  reading: Reading,
  set: string,
  accountId?: string,
): Promise<AccountSums[]> {
  const batches = await rawBatches(reading, {
    find: reading.collections.accountMonths.collectionName,
    filter: accountId === undefined ? { set } : { _id: keyOf(set, accountId) },
    ...ONE_REPLY,
  });
  const found: AccountSums[] = [];
  for (const batch of batches) {
    eachDocument(batch, (id, months) => {
      eachField(batch, months, (name, sums) => {
        found.push(sumsAt(batch, sums, { accountId: id, period: nameAt(batch, name) }));
      });
    });
  }
  return found;
}

/** Returns the sums of each day with rows in some months; `monthSums` names the accounts and months. */
export async function readDaySums(
  reading: Reading,
  set: string,
  monthSums: readonly AccountSums[],
): Promise<AccountSums[]> {
  if (monthSums.length === 0) return [];
  const ids = new Set(monthSums.map(({ accountId, period }) => accountDaysId(accountId, period)));
  const wanted = new Set(monthSums.map(({ period }) => period));
  const inYear = new Set([...wanted].map(month => month.slice(5)));
  const batches = await rawBatches(reading, {
    find: reading.collections.accountDays.collectionName,
    filter: { _id: { $in: [...ids].map(id => keyOf(set, id)) } },
    projection: { id: 1, ...Object.fromEntries([...inYear].map(month => [`months.${month}`, 1])) },
    ...ONE_REPLY,
  });
  const found: AccountSums[] = [];
  for (const batch of batches) {
    eachDocument(batch, (id, months) => {
      const slash = id.lastIndexOf('/');
      const [accountId, year] = [id.slice(0, slash), id.slice(slash + 1)];
      eachField(batch, months, (name, days) => {
        const month = `${year}-${nameAt(batch, name)}`;
        if (!wanted.has(month)) return;
        eachField(batch, days, (day, sums) => {
          const period = `${month}-${nameAt(batch, day)}`;
          found.push(sumsAt(batch, sums, { accountId, period }));
        });
      });
    });
  }
  return found;
}

/** Calls `visit` with the id of each document of a batch, and the place of its months. */
function eachDocument(batch: Buffer, visit: (id: string, months: number) => void): void {
  eachField(batch, 0, (_index, document) => {
    let id = '';
    let months: number | undefined;
    eachField(batch, document, (name, value, type) => {
      if (isNamed(batch, name, ID)) id = asciiAt(batch, value);
      if (type === DOCUMENT && isNamed(batch, name, MONTHS)) months = value;
    });
    if (months !== undefined) visit(id, months);
  });
}

function sumsAt(
  batch: Buffer,
  at: number,
  of: Pick<AccountSums, 'accountId' | 'period'>,
): AccountSums {
  return {
    accountId: of.accountId,
    period: of.period,
    amount: integerIn(batch, at, CLEARED) + integerIn(batch, at, UNCLEARED),
    native: integerIn(batch, at, NATIVE),
  };
}

type SumsByDay = Readonly<Record<string, RowSums>>;

/** Returns, by account, the sums of each day (`'01'` to `'31'`) of a month (`YYYY-MM`). */
export async function readAccountDays(
  { collections, options }: Reading,
  set: string,
  { accountIds, month }: { readonly accountIds: readonly string[]; readonly month: string },
): Promise<Map<string, SumsByDay>> {
  const inYear = month.slice(5);
  const ids = accountIds.map(id => keyOf(set, accountDaysId(id, month)));
  const found = await collections.accountDays
    .find(
      { _id: { $in: ids } },
      { ...options, ...ONE_REPLY, projection: { id: 1, [`months.${inYear}`]: 1 } },
    )
    .toArray();
  return new Map(
    found.map(({ id, months }) => [id.slice(0, id.lastIndexOf('/')), months[inYear] ?? {}]),
  );
}
