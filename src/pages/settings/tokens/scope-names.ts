// The names of the scopes as people see them.
import { SCOPES, type Scope } from '../../../../schemas/generated/api.ts';

export const SCOPE_NAMES: Readonly<Record<Scope, string>> = {
  'budgets:read': 'Budgets',
  'accounts:read': 'Accounts and balances',
  'transactions:read': 'Transactions',
  'categories:read': 'Categories',
  'payees:read': 'Payees',
  'labels:read': 'Labels',
  'months:read': 'Budget months and envelopes',
};

export function nameScopes(scopes: readonly Scope[]): string {
  if (scopes.length === SCOPES.length) return 'Everything';
  return scopes.map(scope => SCOPE_NAMES[scope]).join(', ');
}
