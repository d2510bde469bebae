// Generated from schemas/ by npm run generate; do not edit.
import accounts from '../api/queries/accounts.json' with { type: 'json' };
import balances from '../api/queries/balances.json' with { type: 'json' };
import budgets from '../api/queries/budgets.json' with { type: 'json' };
import categories from '../api/queries/categories.json' with { type: 'json' };
import categoryMonths from '../api/queries/category-months.json' with { type: 'json' };
import changes from '../api/queries/changes.json' with { type: 'json' };
import events from '../api/queries/events.json' with { type: 'json' };
import labels from '../api/queries/labels.json' with { type: 'json' };
import monthList from '../api/queries/month-list.json' with { type: 'json' };
import months from '../api/queries/months.json' with { type: 'json' };
import payees from '../api/queries/payees.json' with { type: 'json' };
import sums from '../api/queries/sums.json' with { type: 'json' };
import token from '../api/queries/token.json' with { type: 'json' };
import transaction from '../api/queries/transaction.json' with { type: 'json' };
import transactions from '../api/queries/transactions.json' with { type: 'json' };

export const QUERY_SCHEMAS = {
  'accounts': accounts,
  'balances': balances,
  'budgets': budgets,
  'categories': categories,
  'category-months': categoryMonths,
  'changes': changes,
  'events': events,
  'labels': labels,
  'month-list': monthList,
  'months': months,
  'payees': payees,
  'sums': sums,
  'token': token,
  'transaction': transaction,
  'transactions': transactions,
};
