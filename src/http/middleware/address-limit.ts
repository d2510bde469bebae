// Counts every request against the limit of its client's address, before all other checks (read-api-v1.md, section 8).
import { clientAddress } from '../../access/address.ts';
import { type LimitStatus, type RateLimiter, tightest } from '../../access/rate-limits.ts';
import type { Log } from '../../log.ts';
import { rateLimited } from '../api-error.ts';
import type { Context, Middleware } from '../request-state.ts';

const FORWARDED_FOR = 'X-Forwarded-For';

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
    if (ctx.get(FORWARDED_FOR) !== '' && trustedProxies === 0 && !warned) {
      warned = true;
      logger.warn('X-Forwarded-For came, but no trusted proxy is configured (TRUSTED_PROXIES)');
    }
    const counting = limiter.countAddress(addressOf(ctx, trustedProxies));
    // Already resolved if this process itself remembers that the address is refused.
    const known = await Promise.race([counting, undefined]);
    if (known?.allowed !== false) beside(ctx);
    passLimit(ctx, await counting);
    await next();
  };
}

/** Returns the address of the client that sent a request. */
export function addressOf(ctx: Context, trustedProxies: number): string {
  const forwardedFor = ctx.get(FORWARDED_FOR) || undefined;
  return clientAddress(ctx.req.socket.remoteAddress, forwardedFor, trustedProxies);
}

/**
 * Notes the status of a window, and shows the tightest window so far in the headers.
 *
 * @throws ApiError `rate_limited` if this window refuses the request
 */
export function passLimit(ctx: Context, status: LimitStatus): void {
  const shown = ctx.state.limit === undefined ? status : tightest(ctx.state.limit, status);
  ctx.state.limit = shown;
  ctx.set(limitHeaders(shown));
  if (!status.allowed) throw rateLimited(status);
}

export function limitHeaders({ limit, remaining, resetAt }: LimitStatus): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetAt),
  };
}
