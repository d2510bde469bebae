// Reads balances over time, as they are served (rules/api.md#balances), from the sums by month and by day.
import type { Account } from '../../../../projections/documents.ts';
import { formatMoney } from '../../../../projections/money.ts';
import type { BalancePoint } from '../../../../schemas/generated/api.ts';
import type { Reading } from '../../snapshot.ts';
import { type AccountSums, readDaySums, readMonthSums } from './account-sums.ts';
import { type Points, pointDates } from './point-dates.ts';
import { type Figures, monthsInDays, runningBalances } from './running-balances.ts';
import { storedId } from './stored-id.ts';

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
  const filter = accountId === undefined ? { set } : { _id: storedId(set, accountId) };
  const projection = { _id: 0, id: 1, onBudget: 1, currency: 1 };
  return await collections.accounts.find(filter, { ...options, projection }).toArray();
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
