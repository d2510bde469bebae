// The types of accounts: the ones that the user names, as most files do not know them, and the ones that are taken
// otherwise.
import type { Hundredths } from '../../projections/documents.ts';
import definitions from '../../schemas/events/definitions.json' with { type: 'json' };
import type { AccountOpened } from '../../schemas/generated/events.ts';
import { shown } from '../process/printable.ts';
import { createImportProblems } from './import-problems.ts';
import type { BudgetPlan } from './plan.ts';

export type AccountType = AccountOpened['type'];

export const ACCOUNT_TYPES: readonly string[] = definitions.$defs.accountType.enum;

export function isAccountType(text: string): text is AccountType {
  return ACCOUNT_TYPES.includes(text);
}

/** @param balance in any unit: only its sign counts */
export function assumedType(onBudget: boolean, balance: Hundredths): AccountType {
  if (onBudget) return 'checking';
  return balance < 0 ? 'otherLiability' : 'otherAsset';
}

/**
 * Gives accounts the types that the user names.
 *
 * @param types types by the name of the account
 * @throws UserError that lists every unknown account and type
 */
export function withTypes(plan: BudgetPlan, types: ReadonlyMap<string, string>): BudgetPlan {
  const problems = createImportProblems();
  const names = new Set(plan.accounts.map(({ name }) => name));
  const known = [...names].map(shown).join(', ');
  for (const [account, type] of types) {
    if (!names.has(account)) {
      problems.add('--type', `Expected one of ${known}, got ${shown(account)}`);
    }
    if (!isAccountType(type))
      problems.add('--type', `Expected one of ${ACCOUNT_TYPES.join(', ')}, got ${shown(type)}`);
  }
  problems.throwIfAny();
  const accounts = plan.accounts.map(account => {
    const type = types.get(account.name);
    return type !== undefined && isAccountType(type) ? { ...account, type } : account;
  });
  return { ...plan, accounts };
}
