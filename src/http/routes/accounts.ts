// GET /accounts
import { hasFutureRows, readAccounts } from '../../read-store/queries/accounts.ts';
import type { BudgetRoute } from './route.ts';

export const accounts: BudgetRoute = {
  dependsOn: (reached, today) => (hasFutureRows(reached, today) ? [today] : []),
  read: async (reading, reached, _values, today) =>
    JSON.stringify({ accounts: await readAccounts(reading, reached, today) }),
};
