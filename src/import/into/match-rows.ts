// Finds the transactions of a budget again in a file without ids.
import type { Row } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
import { DAY_MS } from '../../process/calendar.ts';
import { groupBy } from '../../process/group-by.ts';
import type { BudgetPlan, PlannedRow } from '../plan.ts';
import type { IdMatches } from './id-matches.ts';

export interface RowMatches {
  /** The transaction of the budget, by the id of the planned one. */
  readonly found: ReadonlyMap<string, Row>;
  /** Number of those with the same account, date, amount, payee and memo. */
  readonly same: number;
  /** The first of the others, for people; null without any. */
  readonly firstChanged: string | null;
}

/** The transaction of another date is taken for the same one within so many days. */
const DAYS_MAX = 14;

/** What two forms of one transaction have in common. */
interface Facts {
  readonly account: string;
  readonly date: string;
  readonly amount: number;
  readonly payee: string;
  readonly memo: string;
}

interface Planned {
  readonly item: PlannedRow;
  readonly facts: Facts;
}

type KeyOf = (facts: Facts) => readonly unknown[];

const SAME: KeyOf = ({ account, date, amount, payee, memo }) => [
  account,
  date,
  amount,
  payee,
  memo,
];
/** What a change leaves, from the most to the least. */
const CHANGED: readonly KeyOf[] = [
  ({ account, date, amount, memo }) => [account, date, amount, memo],
  ({ account, date, amount }) => [account, date, amount],
  ({ account, amount, payee, memo }) => [account, amount, payee, memo],
  ({ account, date, payee }) => [account, date, payee],
];

/** Equal transactions are paired in the order of their entry. */
export function matchRows(
  { rows, payees }: BudgetPlan,
  current: readonly Row[],
  accounts: IdMatches,
): RowMatches {
  const names = new Map(payees.map(({ id, name }) => [id, name]));
  let old = [...current]
    .sort((one, other) => one.entry - other.entry)
    .map(row => ({ item: row, facts: factsOf(row) }));
  const all = rows.map(
    (row): Planned => ({
      item: row,
      facts: {
        account: accounts.found(row.accountId) ?? '',
        date: row.date,
        amount: row.amount,
        payee: names.get(row.payeeId ?? '') ?? '',
        memo: row.memo ?? '',
      },
    }),
  );
  let planned = all;
  const found = new Map<string, Row>();
  const pairUp = (keyOf: KeyOf) => {
    const waiting = createWaiting(old, keyOf);
    planned = planned.filter(({ item, facts }) => {
      const pair = waiting.take(facts);
      if (pair) found.set(item.id, pair);
      return pair === undefined;
    });
    const taken = new Set([...found.values()]);
    old = old.filter(({ item }) => !taken.has(item));
  };
  pairUp(SAME);
  const same = found.size;
  for (const keyOf of CHANGED) pairUp(keyOf);
  const changed = [...found.values()][same];
  orderAlike(all, found);
  return { found, same, firstChanged: changed ? describe(changed) : null };
}

/**
 * A row that a change makes equal to others may be older than they are. They are paired in the order of entry again, as
 * the next run will find them; otherwise that run would change them once more.
 */
function orderAlike(planned: readonly Planned[], found: Map<string, Row>): void {
  for (const alike of groupBy(planned, ({ facts }) => JSON.stringify(SAME(facts))).values()) {
    const pairs = alike.flatMap(({ item: { id } }) => {
      const row = found.get(id);
      return row ? [{ id, row }] : [];
    });
    const ordered = pairs.map(({ row }) => row).sort((one, other) => one.entry - other.entry);
    for (const [at, { id }] of pairs.entries()) {
      const row = ordered[at];
      if (row) found.set(id, row);
    }
  }
}

function factsOf({ accountId, date, amount, payeeName, memo }: Row): Facts {
  return { account: accountId, date, amount, payee: payeeName ?? '', memo };
}

/** Keeps rows by key and day, so that each is found without a search among all that are alike. */
function createWaiting(
  rows: readonly { readonly item: Row; readonly facts: Facts }[],
  keyOf: KeyOf,
): { take(facts: Facts): Row | undefined } {
  const waiting = new Map<string, Map<number, { readonly item: Row }[]>>();
  for (const [key, alike] of groupBy(rows, ({ facts }) => JSON.stringify(keyOf(facts)))) {
    // The first of them is taken first, from the end.
    waiting.set(
      key,
      groupBy(alike.reverse(), ({ facts }) => dayOf(facts)),
    );
  }
  return {
    take(facts) {
      const days = waiting.get(JSON.stringify(keyOf(facts)));
      if (days === undefined) return undefined;
      const day = dayOf(facts);
      let first: { readonly item: Row }[] = [];
      for (let near = day - DAYS_MAX; near <= day + DAYS_MAX; near += 1) {
        const alike = days.get(near) ?? [];
        if (entryOf(alike) < entryOf(first)) first = alike;
      }
      return first.pop()?.item;
    },
  };
}

function entryOf(alike: readonly { readonly item: Row }[]): number {
  return alike.at(-1)?.item.entry ?? Number.POSITIVE_INFINITY;
}

function dayOf({ date }: Facts): number {
  return Date.parse(date) / DAY_MS;
}

function describe({ date, accountName, payeeName, amount }: Row): string {
  const payee = payeeName === null ? '' : ` ${JSON.stringify(payeeName)}`;
  return `${date} in ${JSON.stringify(accountName)}${payee} ${formatMoney(amount)}`;
}
