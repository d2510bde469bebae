// GET /accounts
import type { AccountsQuery } from '../../../schemas/generated/queries.ts';
import { hasFutureRows, readAccounts } from '../../store/reading/queries/accounts.ts';
import { ofBudget } from './answer-budget.ts';

export const accounts = ofBudget<AccountsQuery>({
  dependsOn: (reached, today) => (hasFutureRows(reached, today) ? [today] : []),
  read: async ({ reading, reached, query: { name }, today }) =>
    JSON.stringify({ accounts: await readAccounts(reading, reached, { today, name }) }),
});
