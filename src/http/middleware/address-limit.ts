// Counts every request against the limit of its client's address, before all other checks (read-api-v1.md, section 8).
import { clientAddress } from '../../access/address.ts';
import { type LimitStatus, type RateLimiter, tightest } from '../../access/rate-limits.ts';
import type { Log } from '../../log.ts';
import { rateLimited } from '../api-error.ts';
import type { Context, Middleware } from '../request-state.ts';

export interface AddressLimitOptions {
  readonly limiter: RateLimiter;
  /** Number of trusted hops in X-Forwarded-For, from the right. */
  readonly trustedProxies: number;
  readonly logger: Log;
  /** Starts work that runs during the count; not called if this process knows that the address is refused. */
  readonly beside: (ctx: Context) => void;
}

export function addressLimit(options: AddressLimitOptions): Middleware {
  const { limiter, trustedProxies, logger, beside } = options;
  let warned = false;
  return async function addressLimit(ctx, next) {
    const forwardedFor = ctx.get('X-Forwarded-For') || undefined;
    if (forwardedFor !== undefined && trustedProxies === 0 && !warned) {
      warned = true;
      logger.warn('X-Forwarded-For came, but no trusted proxy is configured (TRUSTED_PROXIES)');
    }
    const address = clientAddress(ctx.req.socket.remoteAddress, forwardedFor, trustedProxies);
    const counting = limiter.countAddress(address);
    // Already resolved if this process itself remembers that the address is refused.
    const known = await Promise.race([counting, undefined]);
    if (known?.allowed !== false) beside(ctx);
    passLimit(ctx, await counting);
    await next();
  };
}

/**
 * Notes the status of a window, and shows the tightest window so far in the headers.
 *
 * @throws ApiError `rate_limited` if this window refuses the request
 */
export function passLimit(ctx: Context, status: LimitStatus): void {
  const shown = ctx.state.limit === undefined ? status : tightest(ctx.state.limit, status);
  ctx.state.limit = shown;
  ctx.set('X-RateLimit-Limit', String(shown.limit));
  ctx.set('X-RateLimit-Remaining', String(shown.remaining));
  ctx.set('X-RateLimit-Reset', String(shown.resetAt));
  if (!status.allowed) throw rateLimited(status);
}
