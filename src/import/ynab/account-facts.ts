// Infers the types of accounts from the rows of the register, because a YNAB export does not contain them.
import { shown } from '../../process/printable.ts';
import { assumedType } from '../account-types.ts';
import { createImportProblems } from '../import-problems.ts';
import type { PlannedAccount } from '../plan.ts';
import type { RegisterRow } from './read-ynab.ts';

const TRANSFER = 'Transfer : ';

export interface AccountFacts {
  of(account: string): Pick<PlannedAccount, 'type' | 'onBudget'>;
  isOnBudget(account: string): boolean;
  readonly offBudget: readonly string[];
  /** Whether the user named the off-budget accounts. */
  readonly areGiven: boolean;
  readonly cards: number;
}

/** Returns the other account of a transfer; null for other rows. */
export function transferAccount({ payee }: Pick<RegisterRow, 'payee'>): string | null {
  return payee.startsWith(TRANSFER) ? payee.slice(TRANSFER.length) : null;
}

/**
 * @param cards names of the credit cards
 * @param given names of the off-budget accounts; null infers them from the rows
 * @throws UserError if a given account is missing in the register
 */
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
  const problems = createImportProblems();
  for (const account of given ?? []) {
    if (balances.has(account)) continue;
    const got = shown(account);
    problems.add('--off-budget', `Expected the name of an account in the register, got ${got}`);
  }
  problems.throwIfAny();
  const off = new Set(given ?? inferOffBudget(rows, [...balances.keys()], cards));
  const areCards = new Set(cards);
  const typeOf = (account: string): PlannedAccount['type'] => {
    if (areCards.has(account)) return 'creditCard';
    return assumedType(!off.has(account), balances.get(account) ?? 0);
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
 * Returns the accounts that are off budget: none of their rows has a category. An account with transfers only is off
 * budget if the other leg of one has a category, which transfers between on-budget accounts never have.
 */
function inferOffBudget(
  rows: readonly RegisterRow[],
  accounts: readonly string[],
  cards: readonly string[],
): string[] {
  const categorized = new Set(cards);
  const withOwnRows = new Set<string>();
  const paidFromBudget = new Set<string>();
  for (const row of rows) {
    const other = transferAccount(row);
    if (other === null) withOwnRows.add(row.account);
    if (row.category === '') continue;
    categorized.add(row.account);
    if (other !== null) paidFromBudget.add(other);
  }
  return accounts.filter(
    account =>
      !categorized.has(account) && (withOwnRows.has(account) || paidFromBudget.has(account)),
  );
}
