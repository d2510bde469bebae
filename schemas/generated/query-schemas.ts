// Generated from schemas/ by npm run generate; do not edit.
import accounts from '../api/queries/accounts.json' with { type: 'json' };
import budgets from '../api/queries/budgets.json' with { type: 'json' };
import categories from '../api/queries/categories.json' with { type: 'json' };
import changes from '../api/queries/changes.json' with { type: 'json' };
import labels from '../api/queries/labels.json' with { type: 'json' };
import months from '../api/queries/months.json' with { type: 'json' };
import payees from '../api/queries/payees.json' with { type: 'json' };
import token from '../api/queries/token.json' with { type: 'json' };
import transactions from '../api/queries/transactions.json' with { type: 'json' };

export const QUERY_SCHEMAS = {
  'accounts': accounts,
  'budgets': budgets,
  'categories': categories,
  'changes': changes,
  'labels': labels,
  'months': months,
  'payees': payees,
  'token': token,
  'transactions': transactions,
};
