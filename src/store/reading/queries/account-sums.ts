// Reads the sums of accounts by month and by day. A long range has very many of them, so they are read as bytes.
import { accountDaysId } from '../../../../projections/aggregates/account-days.ts';
import type { RowSums } from '../../../../projections/documents.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import { eachField, fieldName, integerIn, nameAt } from './bson.ts';
import { eachRawBatch, eachRecord } from './raw-batches.ts';
import type { RoomySource } from './room.ts';

/** The sums of an account in a month (`YYYY-MM`) or on a day (`YYYY-MM-DD`). */
export interface AccountSums {
  readonly accountId: string;
  readonly period: string;
  /** In the budget's currency. */
  readonly amount: number;
  /** In the account's own currency; 0 for an account without one. */
  readonly native: number;
}

const MONTHS = fieldName('months');
const CLEARED = fieldName('cleared');
const UNCLEARED = fieldName('uncleared');
const NATIVE = fieldName('native');

type Visit = (sums: AccountSums) => void;

/** Documents that are asked for at once: a person may have thousands of accounts, with ten years of sums each. */
const ACCOUNTS_OF_REPLY = 200;
const YEARS_OF_REPLY = 1000;
/** For each byte of a reply: itself, and what is made of it for a moment. */
const COPIES = 2;

/**
 * Calls `visit` with the sums of all months with rows, of all accounts or of one.
 *
 * @param visiting called once sums are there
 */
export async function eachMonthSums(
  source: RoomySource,
  accountId: string | undefined,
  visiting: () => Promise<Visit>,
): Promise<void> {
  const { reading, set } = source;
  const command = {
    find: reading.collections.accountMonths.collectionName,
    filter: accountId === undefined ? { set } : { _id: keyOf(set, accountId) },
    batchSize: ACCOUNTS_OF_REPLY,
  };
  for await (const batch of eachRawBatch(reading, command)) {
    source.takeRoom(batch.length * COPIES);
    const visit = await visiting();
    await eachRecord(batch, MONTHS, (id, months) => {
      eachField(batch, months, (name, sums) => {
        visit(sumsAt(batch, sums, { accountId: id, period: nameAt(batch, name) }));
      });
    });
  }
}

/** Sums by day that are wanted: of these months, in these documents. */
export interface WantedDays {
  /** `YYYY-MM` */
  readonly months: ReadonlySet<string>;
  /** See `accountDaysId`. */
  readonly ids: ReadonlySet<string>;
}

/** Calls `visit` with the sums of each day with rows. */
export async function eachDaySums(
  source: RoomySource,
  { months: wanted, ids }: WantedDays,
  visit: Visit,
): Promise<void> {
  const { reading, set } = source;
  const inYear = new Set([...wanted].map(month => month.slice(5)));
  const projection = Object.fromEntries([...inYear].map(month => [`months.${month}`, 1]));
  const keys = [...ids].map(id => keyOf(set, id));
  for (let from = 0; from < keys.length; from += YEARS_OF_REPLY) {
    const command = {
      find: reading.collections.accountDays.collectionName,
      filter: { _id: { $in: keys.slice(from, from + YEARS_OF_REPLY) } },
      projection: { id: 1, ...projection },
      ...ONE_REPLY,
    };
    for await (const batch of eachRawBatch(reading, command)) {
      source.takeRoom(batch.length * COPIES);
      await eachRecord(batch, MONTHS, (id, months) =>
        visitDays(batch, { id, months, wanted }, visit),
      );
    }
  }
}

interface DaysAt {
  readonly id: string;
  /** The place of its months. */
  readonly months: number;
  readonly wanted: ReadonlySet<string>;
}

function visitDays(batch: Buffer, { id, months, wanted }: DaysAt, visit: Visit): void {
  const slash = id.lastIndexOf('/');
  const [accountId, year] = [id.slice(0, slash), id.slice(slash + 1)];
  eachField(batch, months, (name, days) => {
    const month = `${year}-${nameAt(batch, name)}`;
    if (!wanted.has(month)) return;
    eachField(batch, days, (day, sums) => {
      visit(sumsAt(batch, sums, { accountId, period: `${month}-${nameAt(batch, day)}` }));
    });
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
