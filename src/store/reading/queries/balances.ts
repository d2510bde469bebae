// Reads balances over time, as they are served (rules/api.md#balances), from the sums by month and by day.
import { accountDaysId } from '../../../../projections/aggregates/account-days.ts';
import type { Account } from '../../../../projections/documents.ts';
import { formatMoney } from '../../../../projections/money.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type { BalancePoint } from '../../../../schemas/generated/api.ts';
import { lastDayOf, monthOf } from '../../../process/calendar.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import { type AccountSums, eachDaySums, eachMonthSums } from './account-sums.ts';
import { type Points, pointDates } from './point-dates.ts';
import type { RoomySource } from './room.ts';

export interface BalancesQuery extends Points {
  /** Undefined for the sums of all accounts. */
  readonly accountId: string | undefined;
}

export async function readBalances(
  source: RoomySource,
  query: BalancesQuery,
): Promise<BalancePoint[]> {
  const { reading, set } = source;
  const { accountId } = query;
  const dates = pointDates(query);
  const inDays = monthsInDays(dates);
  const sums = new Map<string, Sums>();
  const days = { months: new Set<string>(), ids: new Set<string>() };
  const toFigures = accountId === undefined ? ofBudget : ofAccount;
  const adding = readAccounts(reading, set, accountId).then(accounts =>
    adder(sums, toFigures(accounts)),
  );
  const visiting = async () => {
    const visit = await adding;
    return (one: AccountSums) => {
      if (!inDays.has(one.period)) return visit(one);
      days.months.add(one.period);
      days.ids.add(accountDaysId(one.accountId, one.period));
    };
  };
  const [add] = await Promise.all([adding, eachMonthSums(source, accountId, visiting)]);
  await eachDaySums(source, days, add);
  const toPoint = accountId === undefined ? toBudgetPoint : toAccountPoint;
  return runningBalances(sums, dates).map((figures, index) => toPoint(dates[index] ?? '', figures));
}

type AccountFields = Pick<Account, 'id' | 'onBudget' | 'currency'>;

async function readAccounts(
  { collections, options }: Reading,
  set: string,
  accountId?: string,
): Promise<AccountFields[]> {
  const filter = accountId === undefined ? { set } : { _id: keyOf(set, accountId) };
  const projection = { _id: 0, id: 1, onBudget: 1, currency: 1 };
  return await collections.accounts
    .find(filter, { ...options, ...ONE_REPLY, projection })
    .toArray();
}

/** Returns the figures that sums of an account add to a point. */
type ToFigures = (sums: AccountSums) => Figures;

function ofBudget(accounts: readonly AccountFields[]): ToFigures {
  const onBudget = new Set(accounts.filter(account => account.onBudget).map(({ id }) => id));
  return ({ accountId, amount }) => ({
    first: amount,
    second: onBudget.has(accountId) ? amount : 0,
  });
}

function ofAccount(accounts: readonly AccountFields[]): ToFigures {
  const isForeign = accounts.some(({ currency }) => currency !== null);
  return ({ amount, native }) => ({ first: amount, second: isForeign ? native : amount });
}

type Sums = { -readonly [F in keyof Figures]: number };

/** Returns a function that adds sums to those of their period. */
function adder(byPeriod: Map<string, Sums>, toFigures: ToFigures): (sums: AccountSums) => void {
  return sums => {
    const { first, second } = toFigures(sums);
    const known = byPeriod.get(sums.period);
    if (known === undefined) {
      byPeriod.set(sums.period, { first, second });
      return;
    }
    known.first += first;
    known.second += second;
  };
}

function toBudgetPoint(date: string, { first, second }: Figures): BalancePoint {
  return { date, total: formatMoney(first), onBudget: formatMoney(second) };
}

function toAccountPoint(date: string, { first, second }: Figures): BalancePoint {
  return { date, balance: formatMoney(first), nativeBalance: formatMoney(second) };
}

/** The two figures of a point: total and onBudget, or balance and nativeBalance. */
export interface Figures {
  readonly first: number;
  readonly second: number;
}

/** Sums by period: a date (`YYYY-MM-DD`) or a month (`YYYY-MM`). */
export type SumsByPeriod = ReadonlyMap<string, Figures>;

/** Returns the months whose days are needed: a point lies inside them, and not on their last day. */
export function monthsInDays(dates: readonly string[]): Set<string> {
  const inside = dates.filter(date => date !== lastDayOf(monthOf(date)));
  return new Set(inside.map(monthOf));
}

/**
 * Returns the figures up to each of the dates, which are in order. `sums` has each day of the months of `monthsInDays`,
 * and all other months as a whole.
 */
export function runningBalances(sums: SumsByPeriod, dates: readonly string[]): Figures[] {
  // A month sorts before its days. As a whole it counts from its first day on: its only point is its last day.
  const periods = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  let [first, second, next] = [0, 0, 0];
  return dates.map(date => {
    for (let period = periods[next]; period !== undefined; period = periods[next]) {
      if (period[0] > date) break;
      first += period[1].first;
      second += period[1].second;
      next += 1;
    }
    return { first, second };
  });
}
