// Reads balances over time, as they are served (rules/api.md#balances), from the sums by month and by day.
import type { Account } from '../../../../projections/documents.ts';
import { formatMoney } from '../../../../projections/money.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type { BalancePoint } from '../../../../schemas/generated/api.ts';
import { lastDayOf, monthOf } from '../../../process/calendar.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import { type AccountSums, readDaySums, readMonthSums } from './account-sums.ts';
import { type Points, pointDates } from './point-dates.ts';

export interface BalancesQuery extends Points {
  /** Undefined for the sums of all accounts. */
  readonly accountId: string | undefined;
}

export async function readBalances(
  reading: Reading,
  set: string,
  query: BalancesQuery,
): Promise<BalancePoint[]> {
  const { accountId } = query;
  const dates = pointDates(query);
  const inDays = monthsInDays(dates);
  const [accounts, monthSums] = await Promise.all([
    readAccounts(reading, set, accountId),
    readMonthSums(reading, set, accountId),
  ]);
  const whole = monthSums.filter(({ period }) => !inDays.has(period));
  const cut = monthSums.filter(({ period }) => inDays.has(period));
  const daySums = await readDaySums(reading, set, cut);
  const toFigures = accountId === undefined ? ofBudget(accounts) : ofAccount(accounts);
  const toPoint = accountId === undefined ? toBudgetPoint : toAccountPoint;
  const sums = addUp([...whole, ...daySums], toFigures);
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

function addUp(all: readonly AccountSums[], toFigures: ToFigures): Map<string, Figures> {
  const byPeriod = new Map<string, Figures>();
  for (const sums of all) {
    const added = toFigures(sums);
    const { first, second } = byPeriod.get(sums.period) ?? { first: 0, second: 0 };
    byPeriod.set(sums.period, { first: first + added.first, second: second + added.second });
  }
  return byPeriod;
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
