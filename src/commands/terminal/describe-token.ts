// Describes a token for people; its value is not stored, so it cannot be among the lines.
import type { Token } from '../../access/token.ts';

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
