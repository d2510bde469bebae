// The accounts of a budget with their balances as of a date (rules/api.md#account).
import type { Account, RowSums } from '../../../../projections/documents.ts';
import { formatMoney } from '../../../../projections/money.ts';
import { normalizeText } from '../../../../projections/normalize-text.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type { Account as ServedAccount } from '../../../../schemas/generated/api.ts';
import { inTurns } from '../../../process/waiting.ts';
import { documentOf } from '../../document-storage.ts';
import { ONE_REPLY } from '../../one-reply.ts';
import type { Reading } from '../../snapshot.ts';
import { readAccountDays } from './account-sums.ts';
import { byPosition } from './by-position.ts';
import { documentAt, documentPlaces, rawBatches } from './raw-batches.ts';
import type { ReachedBudget } from './reach.ts';
import type { RoomySource } from './room.ts';

type Sums = Pick<RowSums, 'cleared' | 'uncleared' | 'native'>;

/** For each byte of an account: itself, what it is read as, and its answer. */
const COPIES = 3;
const NO_SUMS: Sums = { cleared: 0, uncleared: 0, native: 0 };

/** Returns whether balances change with the date alone, because the budget has rows with later dates. */
export function hasFutureRows({ budget }: ReachedBudget, today: string): boolean {
  return budget.lastDate !== null && budget.lastDate > today;
}

interface AccountsQuery {
  /** The date in UTC: rows with later dates count, but not in balances. */
  readonly today: string;
  /** Keeps the accounts of this name. */
  readonly name: string | undefined;
}

/** Returns the accounts in their order. */
export async function readAccounts(
  { reading, set, takeRoom }: RoomySource,
  { today, name }: AccountsQuery,
): Promise<ServedAccount[]> {
  const find = reading.collections.accounts.collectionName;
  const named = name === undefined ? {} : { nameKey: normalizeText(name) };
  const command = { find, filter: { set, ...named }, ...ONE_REPLY };
  const accounts: Account[] = [];
  for (const batch of await rawBatches(reading, command, bytes => takeRoom(bytes * COPIES))) {
    await inTurns(documentPlaces(batch), place => {
      accounts.push(documentOf('accounts', documentAt(batch, place)));
    });
  }
  return await serveAccounts(reading, set, { accounts: accounts.sort(byPosition), today });
}

interface AccountsAsOf {
  readonly accounts: readonly Account[];
  /** The date in UTC. */
  readonly today: string;
}

/** Returns accounts of a set as they are served, in the given order. */
export async function serveAccounts(
  reading: Reading,
  set: string,
  { accounts, today }: AccountsAsOf,
): Promise<ServedAccount[]> {
  const withFuture = accounts.filter(({ lastDate }) => lastDate !== null && lastDate > today);
  const later = await readLater(reading, set, { accounts: withFuture, today });
  const served: ServedAccount[] = [];
  await inTurns(accounts, account => {
    served.push(toAnswer(account, later.get(account.id) ?? NO_SUMS));
  });
  return served;
}

function toAnswer(account: Account, later: Sums): ServedAccount {
  const cleared = account.cleared - later.cleared;
  const uncleared = account.uncleared - later.uncleared;
  const balance = formatMoney(cleared + uncleared);
  return {
    id: account.id,
    name: account.name,
    type: account.type,
    currency: account.currency,
    onBudget: account.onBudget,
    closed: account.closed,
    balance,
    clearedBalance: formatMoney(cleared),
    unclearedBalance: formatMoney(uncleared),
    nativeBalance: account.currency === null ? balance : formatMoney(account.native - later.native),
    transactionCount: account.count,
    lastTransactionDate: account.lastDate,
    createdAt: account.createdAt,
  };
}

/** Returns each account's sums after `today`: of later months as a whole, and of later days of this month. */
async function readLater(
  reading: Reading,
  set: string,
  { accounts, today }: AccountsAsOf,
): Promise<Map<string, Sums>> {
  const later = new Map<string, Sums>();
  if (accounts.length === 0) return later;
  const thisMonth = today.slice(0, 7);
  const { collections, options } = reading;
  const accountIds = accounts.map(({ id }) => id);
  const monthIds = accountIds.map(id => keyOf(set, id));
  const [months, days] = await Promise.all([
    collections.accountMonths
      .find({ _id: { $in: monthIds } }, { ...options, ...ONE_REPLY })
      .toArray(),
    readAccountDays(reading, set, { accountIds, month: thisMonth }),
  ]);
  for (const { id, months: sums } of months) later.set(id, sumAfter(sums, thisMonth));
  for (const [id, sums] of days) {
    const inMonth = sumAfter(sums, today.slice(8));
    later.set(id, add(later.get(id) ?? NO_SUMS, inMonth));
  }
  return later;
}

function sumAfter(sums: Readonly<Record<string, Sums>>, last: string): Sums {
  return Object.entries(sums)
    .filter(([period]) => period > last)
    .reduce((total, [, period]) => add(total, period), NO_SUMS);
}

function add(a: Sums, b: Sums): Sums {
  return {
    cleared: a.cleared + b.cleared,
    uncleared: a.uncleared + b.uncleared,
    native: a.native + b.native,
  };
}
