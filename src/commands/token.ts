// `token issue|list|revoke`: manages API tokens from the shell.

import { type Token, tokenState } from '../access/token.ts';
import { isTokenValue } from '../access/token-value.ts';
import type { TokenStore } from '../access/tokens.ts';
import type { AuditFacts } from '../process/audit.ts';
import { UserError } from '../process/errors.ts';
import type { Invocation } from './syntax/parse-command.ts';

export interface TokenCommandContext {
  readonly tokens: TokenStore;
  readonly now: () => Date;
  /** Prints a line of the result. The value of an issued token is a secret: it is never logged. */
  readonly print: (line: string) => void;
  /** Adds facts to the audit trail. */
  readonly note?: (facts: AuditFacts) => void;
}

export type TokenInvocation = Invocation<'token issue' | 'token list' | 'token revoke'>;

export async function runToken(
  invocation: TokenInvocation,
  context: TokenCommandContext,
): Promise<void> {
  switch (invocation.name) {
    case 'token issue':
      return issue(invocation, context);
    case 'token list':
      return list(invocation, context);
    case 'token revoke':
      return revoke(invocation, context);
  }
}

async function issue(
  { values }: Invocation<'token issue'>,
  { tokens, now, print, note }: TokenCommandContext,
): Promise<void> {
  const { user: owner, name, scope: scopes, budget: budgets, 'expires-in-days': days } = values;
  const request = {
    owner,
    ...(name === undefined ? {} : { name }),
    ...(scopes ? { scopes } : {}),
    ...(budgets ? { budgets } : {}),
    ...(days === undefined ? {} : { expiresInDays: Number(days) }),
  };
  const { token, record } = await tokens.issue(request, now());
  note?.({ tokenId: record.id, scopes: record.scopes });
  if (values.json) return print(JSON.stringify({ token, ...record }));
  print(token);
  print('This value is shown once and cannot be recovered');
  for (const line of describe(record)) print(line);
}

async function list(
  { values }: Invocation<'token list'>,
  { tokens, now, print }: TokenCommandContext,
): Promise<void> {
  const found = await tokens.list(values.user);
  const at = now();
  if (values.json) {
    const listed = found.map(token => ({ ...token, state: tokenState(token, at) }));
    return print(JSON.stringify({ tokens: listed }));
  }
  if (found.length === 0) return print('No tokens');
  for (const [index, token] of found.entries()) {
    if (index > 0) print('');
    print(`…${token.last4}  ${tokenState(token, at)}`);
    for (const line of describe(token)) print(line);
  }
}

async function revoke(
  { operands: [id = ''] }: Invocation<'token revoke'>,
  { tokens, now, print }: TokenCommandContext,
): Promise<void> {
  if (await tokens.revoke(id, now())) return print(`Revoked token ${id}`);
  // A token value typed by mistake is a secret, so the message does not repeat it.
  const got = isTokenValue(id) ? 'the value of a token' : id;
  throw new UserError(`Expected the id of a token as token list shows it, got ${got}`);
}

function describe(token: Token): string[] {
  const rows = [
    ['id', token.id],
    ['user', token.owner],
    ['name', token.name],
    ['budgets', token.budgets?.join(' ') ?? 'all'],
    ['scopes', token.scopes.join(' ')],
    ['created', time(token.createdAt)],
    ['expires', time(token.expiresAt)],
    ['last used', token.lastUsedAt === null ? 'never' : time(token.lastUsedAt)],
    ...(token.revokedAt === null ? [] : [['revoked', time(token.revokedAt)]]),
  ];
  return rows.map(([label = '', value]) => `  ${label.padEnd(10)}${value}`);
}

function time(date: Date): string {
  return date.toISOString();
}
