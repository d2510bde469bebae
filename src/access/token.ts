// A token as this service knows it, without its value, and its state.
import type { Scope } from '../../schemas/generated/api.ts';

export interface Token {
  readonly id: string;
  /** The last four characters of its value, for people to recognize it. */
  readonly last4: string;
  readonly name: string;
  /** The user on whose behalf it acts. */
  readonly owner: string;
  readonly scopes: readonly Scope[];
  /** Ids of the budgets it is limited to; null for every budget of its owner. */
  readonly budgets: readonly string[] | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export type StoredToken = Omit<Token, 'id'> & { _id: string; hash: string };

/** Returns the state of a token at an instant. A revoked token counts as revoked even after it expires. */
export function tokenState(
  token: Pick<Token, 'revokedAt' | 'expiresAt'>,
  now: Date,
): 'active' | 'expired' | 'revoked' {
  if (token.revokedAt !== null) return 'revoked';
  return token.expiresAt.getTime() <= now.getTime() ? 'expired' : 'active';
}

/** Returns what a token is, for people, a line each; its value is not stored, so it cannot be among them. */
export function describeToken(token: Token): string[] {
  const rows = [
    ['id', token.id],
    ['user', token.owner],
    ['name', token.name],
    ['budgets', token.budgets?.join(' ') ?? 'all'],
    ['scopes', token.scopes.join(' ')],
    ['created', token.createdAt.toISOString()],
    ['expires', token.expiresAt.toISOString()],
    ['last used', token.lastUsedAt?.toISOString() ?? 'never'],
    ...(token.revokedAt === null ? [] : [['revoked', token.revokedAt.toISOString()]]),
  ];
  return rows.map(([label = '', value]) => `  ${label.padEnd(10)}${value}`);
}
