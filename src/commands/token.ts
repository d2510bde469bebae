// `token issue|list|revoke`: manages API tokens from the shell.

import { type Token, tokenState } from '../access/token.ts';
import { LIFETIME_DAYS_MAX } from '../access/token-request.ts';
import { isTokenValue } from '../access/token-value.ts';
import type { TokenStore } from '../access/tokens.ts';
import type { AuditFacts } from '../audit.ts';
import { UserError } from '../errors.ts';
import { parseArguments, singleValue, usageError } from './parse-arguments.ts';
import { TOKEN_USAGE } from './usages.ts';

export interface TokenCommandContext {
  readonly tokens: TokenStore;
  readonly now: () => Date;
  /** Prints a line of the result. The value of an issued token is a secret: it is never logged. */
  readonly print: (line: string) => void;
  /** Adds facts to the audit trail. */
  readonly note?: (facts: AuditFacts) => void;
}

const ONE = { type: 'string', multiple: true } as const;
const JSON_FLAG = { type: 'boolean' } as const;

export async function runToken(args: string[], context: TokenCommandContext): Promise<void> {
  const [action, ...rest] = args;
  switch (action) {
    case 'issue':
      return issue(rest, context);
    case 'list':
      return list(rest, context);
    case 'revoke':
      return revoke(rest, context);
    default:
      throw usageError(
        `Expected token issue, list or revoke, got ${action ?? 'nothing'}`,
        TOKEN_USAGE,
      );
  }
}

async function issue(args: string[], context: TokenCommandContext): Promise<void> {
  const { tokens, now, print, note } = context;
  const options = { user: ONE, budget: ONE, scope: ONE, name: ONE, 'expires-in-days': ONE };
  const { values } = parseArguments(
    { args, options: { ...options, json: JSON_FLAG } },
    TOKEN_USAGE,
  );
  const owner = singleValue(values.user, '--user', TOKEN_USAGE);
  if (owner === undefined)
    throw usageError('Expected --user with the id of a user, got none', TOKEN_USAGE);
  const name = singleValue(values.name, '--name', TOKEN_USAGE);
  const days = singleValue(values['expires-in-days'], '--expires-in-days', TOKEN_USAGE);
  const request = {
    owner,
    ...(name === undefined ? {} : { name }),
    ...(values.scope ? { scopes: values.scope } : {}),
    ...(values.budget ? { budgets: values.budget } : {}),
    ...(days === undefined ? {} : { expiresInDays: toDays(days) }),
  };
  const { token, record } = await tokens.issue(request, now());
  note?.({ tokenId: record.id, scopes: record.scopes });
  if (values.json) return print(JSON.stringify({ token, ...record }));
  print(token);
  print('This value is shown once and cannot be recovered');
  for (const line of describe(record)) print(line);
}

async function list(args: string[], { tokens, now, print }: TokenCommandContext): Promise<void> {
  const { values } = parseArguments({ args, options: { user: ONE, json: JSON_FLAG } }, TOKEN_USAGE);
  const found = await tokens.list(singleValue(values.user, '--user', TOKEN_USAGE));
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

async function revoke(args: string[], { tokens, now, print }: TokenCommandContext): Promise<void> {
  const { positionals } = parseArguments({ args, allowPositionals: true }, TOKEN_USAGE);
  const [id] = positionals;
  if (id === undefined || positionals.length > 1) {
    throw usageError(`Expected the id of one token, got ${positionals.length}`, TOKEN_USAGE);
  }
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

function toDays(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError(
    `Expected --expires-in-days to be a whole number from 0 to ${LIFETIME_DAYS_MAX}, got ${text}`,
    TOKEN_USAGE,
  );
}
