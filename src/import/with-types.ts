// Gives accounts the types that the user names, as most files do not know them.
import definitions from '../../schemas/events/definitions.json' with { type: 'json' };
import type { AccountOpened } from '../../schemas/generated/events.ts';
import { createImportProblems } from './import-problems.ts';
import type { BudgetPlan } from './plan.ts';

const TYPES: readonly string[] = definitions.$defs.accountType.enum;

/**
 * @param types types by the name of the account
 * @throws UserError that lists every unknown account and type
 */
export function withTypes(plan: BudgetPlan, types: ReadonlyMap<string, string>): BudgetPlan {
  const problems = createImportProblems();
  const names = new Set(plan.accounts.map(({ name }) => name));
  for (const [account, type] of types) {
    const shown = [...names].map(name => JSON.stringify(name)).join(', ');
    if (!names.has(account)) {
      problems.add('--type', `Expected one of ${shown}, got ${JSON.stringify(account)}`);
    }
    if (!isType(type)) problems.add('--type', `Expected one of ${TYPES.join(', ')}, got ${type}`);
  }
  problems.throwIfAny();
  const accounts = plan.accounts.map(account => {
    const type = types.get(account.name);
    return type !== undefined && isType(type) ? { ...account, type } : account;
  });
  return { ...plan, accounts };
}

function isType(text: string): text is AccountOpened['type'] {
  return TYPES.includes(text);
}
