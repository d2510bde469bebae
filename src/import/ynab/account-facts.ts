// What accounts are, from the rows of the register: an export of YNAB does not say it.
import type { PlannedAccount } from '../plan.ts';
import { createProblems } from '../problems.ts';
import type { RegisterRow } from './read-ynab.ts';

const TRANSFER = 'Transfer : ';

export interface AccountFacts {
  of(account: string): Pick<PlannedAccount, 'type' | 'onBudget'>;
  isOnBudget(account: string): boolean;
  readonly offBudget: readonly string[];
  /** The accounts off budget were named by the user. */
  readonly areGiven: boolean;
  readonly cards: number;
}

/** The other account of a row, null where it is no transfer. */
export function transferAccount({ payee }: Pick<RegisterRow, 'payee'>): string | null {
  return payee.startsWith(TRANSFER) ? payee.slice(TRANSFER.length) : null;
}

/** @throws UserError where an account that is given is not in the register */
export function accountFacts(
  rows: readonly RegisterRow[],
  cards: readonly string[],
  given: readonly string[] | null,
): AccountFacts {
  const balances = new Map<string, number>();
  for (const row of rows) {
    balances.set(row.account, (balances.get(row.account) ?? 0) + row.amount);
    const other = transferAccount(row);
    if (other !== null) balances.set(other, balances.get(other) ?? 0);
  }
  const problems = createProblems();
  for (const account of given ?? []) {
    if (balances.has(account)) continue;
    const got = JSON.stringify(account);
    problems.add('--off-budget', `Expected the name of an account in the register, got ${got}`);
  }
  problems.throwIfAny();
  const off = new Set(given ?? withoutCategories(rows, [...balances.keys()], cards));
  const typeOf = (account: string): PlannedAccount['type'] => {
    if (cards.includes(account)) return 'creditCard';
    if (!off.has(account)) return 'checking';
    return (balances.get(account) ?? 0) < 0 ? 'otherLiability' : 'otherAsset';
  };
  return {
    of: account => ({ type: typeOf(account), onBudget: !off.has(account) }),
    isOnBudget: account => !off.has(account),
    offBudget: [...off],
    areGiven: given !== null,
    cards: cards.length,
  };
}

/**
 * Rows off budget never have a category. An account of which only transfers are known is off budget
 * where their other legs have one: between two on-budget accounts neither has.
 */
function withoutCategories(
  rows: readonly RegisterRow[],
  accounts: readonly string[],
  cards: readonly string[],
): string[] {
  const categorized = new Set(cards);
  const ofItsOwn = new Set<string>();
  const paidFromBudget = new Set<string>();
  for (const row of rows) {
    const other = transferAccount(row);
    if (other === null) ofItsOwn.add(row.account);
    if (row.category === '') continue;
    categorized.add(row.account);
    if (other !== null) paidFromBudget.add(other);
  }
  return accounts.filter(
    account => !categorized.has(account) && (ofItsOwn.has(account) || paidFromBudget.has(account)),
  );
}
