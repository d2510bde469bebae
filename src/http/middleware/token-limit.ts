// Counts a request against the limits of its token and of the token's owner.
import type { RateLimiter } from '../../access/rate-limits.ts';
import type { Middleware } from '../request-state.ts';
import { passLimit } from './address-limit.ts';
import { tokenOf } from './authenticate.ts';
import { isRead } from './methods.ts';

/** @param isAlwaysRead for a path that reads by other methods too */
export function tokenLimit(limiter: RateLimiter, isAlwaysRead = false): Middleware {
  return async function tokenLimit(ctx, next) {
    const kind = isAlwaysRead || isRead(ctx.method) ? 'read' : 'write';
    passLimit(ctx, await limiter.countToken(tokenOf(ctx), kind));
    await next();
  };
}
