// Counts a request against the limits of its token and of the token's owner.
import type { RateLimiter } from '../../access/rate-limits.ts';
import type { Middleware } from '../request-state.ts';
import { passLimit } from './address-limit.ts';
import { tokenOf } from './authenticate.ts';
import { isRead } from './methods.ts';

export function tokenLimit(limiter: RateLimiter): Middleware {
  return async function tokenLimit(ctx, next) {
    const kind = isRead(ctx.method) ? 'read' : 'write';
    passLimit(ctx, await limiter.countToken(tokenOf(ctx), kind));
    await next();
  };
}
