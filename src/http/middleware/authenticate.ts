// Authenticates a request by its bearer token (rules/api.md#tokens; RFC 6750).
import { type Token, tokenState } from '../../access/token.ts';
import type { TokenStore } from '../../access/tokens.ts';
import type { Logger } from '../../process/log.ts';
import { ApiError } from '../api-error.ts';
import type { Context, Middleware } from '../request-state.ts';
import { headerLines } from './host.ts';

const BEARER = /^bearer(?: +(.*))?$/i;
const CHALLENGE = 'Bearer realm="budgeting"';

/** Starts to look up the bearer token, if the request has one. Of several it would be open which one counts. */
export function lookUpToken(ctx: Context, tokens: TokenStore): void {
  if (headerLines(ctx.req, 'authorization').length > 1) {
    ctx.state.lookUp = Promise.resolve(null);
    return;
  }
  const value = BEARER.exec(ctx.get('Authorization'))?.[1] ?? '';
  if (value === '') return;
  ctx.state.lookUp = tokens.find(value);
  // It may be awaited later, or never.
  ctx.state.lookUp.catch(() => {});
}

/** Admits requests with an active token, and notes the token's use. */
export function authenticate(tokens: TokenStore, clock: () => Date, logger: Logger): Middleware {
  return async function authenticate(ctx, next) {
    // Set on errors too: they differ by token, so a shared cache must not reuse them for another one.
    ctx.vary('Authorization');
    const now = clock();
    const token = await goodToken(ctx.state.lookUp, now);
    ctx.state.token = token;
    tokens.touch(token, now).catch((err: unknown) => {
      logger.warn({ err, requestId: ctx.state.requestId }, 'last use of a token not noted');
    });
    await next();
  };
}

async function goodToken(lookUp: Promise<Token | null> | undefined, now: Date): Promise<Token> {
  if (lookUp === undefined) {
    throw new ApiError('unauthenticated', { headers: { 'WWW-Authenticate': CHALLENGE } });
  }
  const token = await lookUp;
  if (token !== null && tokenState(token, now) === 'active') return token;
  throw invalidToken();
}

export function invalidToken(): ApiError {
  const headers = { 'WWW-Authenticate': `${CHALLENGE}, error="invalid_token"` };
  return new ApiError('invalid_token', { headers });
}

/** @throws ApiError that names the scopes which the token of the request lacks */
export function requireScopes(ctx: Context, scopes: readonly string[]): void {
  const granted: readonly string[] = tokenOf(ctx).scopes;
  const missing = scopes.filter(scope => !granted.includes(scope));
  if (missing.length === 0) return;
  const challenge = `${CHALLENGE}, error="insufficient_scope", scope="${missing.join(' ')}"`;
  const noun = missing.length === 1 ? 'scope' : 'scopes';
  const message = `The token lacks the ${noun} ${missing.join(', ')}`;
  throw new ApiError('insufficient_scope', {
    message,
    headers: { 'WWW-Authenticate': challenge },
  });
}

/** Returns the token of an authenticated request. */
export function tokenOf({ state: { token } }: Context): Token {
  if (token === undefined) throw new Error('Expected authenticate to have run before');
  return token;
}
