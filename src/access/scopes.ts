// The scopes of a token: one for each endpoint; a token has all seven unless it was narrowed.

export const SCOPES = [
  'budgets:read',
  'accounts:read',
  'transactions:read',
  'categories:read',
  'payees:read',
  'labels:read',
  'months:read',
] as const;

export type Scope = (typeof SCOPES)[number];

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}
