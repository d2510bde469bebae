// Gives accounts the types that the user names, as most files do not know them.
import { shown } from '../process/printable.ts';
import { ACCOUNT_TYPES, isAccountType } from './account-types.ts';
import { createImportProblems } from './import-problems.ts';
import type { BudgetPlan } from './plan.ts';

/**
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
