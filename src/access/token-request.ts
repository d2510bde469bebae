// Checks a request for a new token and fills in defaults (pure).
import { SCOPES, type Scope } from '../../schemas/generated/api.ts';
import { UserError } from '../process/errors.ts';
import type { Token } from './token.ts';

/** Default and maximum. */
export const LIFETIME_DAYS_MAX = 365;
export const BUDGETS_MAX = 1000;
export const NAME_CHARACTERS_MAX = 100;
const NAME_DEFAULT = 'API token';
const ID = /^[A-Za-z0-9_\-.:~]{1,128}$/;

/** Owner and budgets need not exist yet: a token's reach is determined again at each request. */
export interface TokenRequest {
  readonly owner: string;
  readonly name?: string;
  /** Absent: all scopes. */
  readonly scopes?: readonly string[];
  /** Absent or null: every budget of the owner. */
  readonly budgets?: readonly string[] | null;
  /** 0 makes a token that has already expired. */
  readonly expiresInDays?: number;
}

export interface CheckedTokenRequest extends Pick<Token, 'owner' | 'name' | 'scopes' | 'budgets'> {
  readonly expiresInDays: number;
}

/**
 * Returns the request with defaults filled in.
 *
 * @throws UserError for a bad request, with the expected value
 */
export function checkTokenRequest(request: TokenRequest): CheckedTokenRequest {
  return {
    owner: checkId(request.owner, 'user'),
    name: checkName(request.name ?? NAME_DEFAULT),
    scopes: checkScopes(request.scopes ?? SCOPES),
    budgets: checkBudgets(request.budgets ?? null),
    expiresInDays: checkDays(request.expiresInDays ?? LIFETIME_DAYS_MAX),
  };
}

/** Returns whether a text has the form of an id of this service. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/**
 * Returns the id.
 *
 * @throws UserError if it does not have the form of an id
 */
export function checkId(id: string, of: 'user' | 'budget'): string {
  if (isId(id)) return id;
  throw new UserError(
    `Expected the id of a ${of}, 1 to 128 characters from A–Z a–z 0–9 _ - . : ~, got ${quote(id)}`,
  );
}

/** Returns the message of the UserError that a check throws; null where it passes. */
export function refusalOf(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** Returns why an option's value is no id of a user; null where it is one, or was not given. An unset variable is an empty text. */
export function wrongUser(user: unknown): string | null {
  return user === undefined ? null : refusalOf(() => checkId(String(user), 'user'));
}

function checkName(name: string): string {
  const length = [...name].length;
  const printable = !/\p{Cc}|\p{Cs}|[\u2028\u2029]/u.test(name);
  if (length >= 1 && length <= NAME_CHARACTERS_MAX && printable && name.trim() !== '') return name;
  const expected = `a name of 1 to ${NAME_CHARACTERS_MAX} printable characters`;
  throw new UserError(`Expected ${expected}, got ${quote(name)}`);
}

/** Returns the scopes in the order of SCOPES, without duplicates. */
function checkScopes(scopes: readonly string[]): Scope[] {
  const expected = `Expected scopes from ${SCOPES.join(', ')}`;
  const unknown = scopes.find(scope => !isScope(scope));
  if (unknown !== undefined) throw new UserError(`${expected}, got ${quote(unknown)}`);
  if (scopes.length === 0) throw new UserError(`${expected}, got none`);
  return SCOPES.filter(scope => scopes.includes(scope));
}

function checkBudgets(budgets: readonly string[] | null): readonly string[] | null {
  if (budgets === null) return null;
  const unique = [...new Set(budgets)].map(id => checkId(id, 'budget'));
  if (unique.length >= 1 && unique.length <= BUDGETS_MAX) return unique;
  throw new UserError(`Expected 1 to ${BUDGETS_MAX} budgets, got ${unique.length}`);
}

function checkDays(days: number): number {
  if (Number.isInteger(days) && days >= 0 && days <= LIFETIME_DAYS_MAX) return days;
  throw new UserError(`Expected a lifetime of 0 to ${LIFETIME_DAYS_MAX} whole days, got ${days}`);
}

/** Returns the value shortened and with control characters escaped, because it goes to a terminal. */
function quote(value: string): string {
  const characters = [...value];
  return JSON.stringify(characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : value);
}

function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}
