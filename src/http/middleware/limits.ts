// Counts each request: against the limit of its client's address, before all other checks (rules/api.md#windows), then
// against the limits of its token and of the token's owner.
import { clientAddress } from '../../access/address.ts';
import { type LimitStatus, type RateLimiter, tightest } from '../../access/rate-limits.ts';
import type { Logger } from '../../process/log.ts';
import { overloaded, rateLimited } from '../api-error.ts';
import type { Places } from '../bounds.ts';
import { isBeyondBound } from '../connections.ts';
import type { Context, Middleware } from '../request-state.ts';
import { tokenOf } from './authenticate.ts';
import { isRead } from './refusals.ts';

const FORWARDED_FOR = 'X-Forwarded-For';

export interface AddressLimitOptions {
  readonly limiter: RateLimiter;
  /** The places of requests that wait for their count. */
  readonly uncounted: Places;
  /** Number of trusted hops in X-Forwarded-For, from the right. */
  readonly trustedProxies: number;
  readonly logger: Logger;
  /** Starts work that runs during the count; not called if this process knows that the address is refused. */
  readonly beside: (ctx: Context) => void;
}

export function addressLimit(options: AddressLimitOptions): Middleware {
  const { limiter, uncounted, trustedProxies, logger, beside } = options;
  let warned = false;
  return async function addressLimit(ctx, next) {
    if (ctx.get(FORWARDED_FOR) !== '' && trustedProxies === 0 && !warned) {
      warned = true;
      logger.warn('X-Forwarded-For came, but no trusted proxy is configured (TRUSTED_PROXIES)');
    }
    const address = addressOf(ctx, trustedProxies);
    const isBeyond = isBeyondBound(ctx.req.socket);
    if (isBeyond) ctx.set('Connection', 'close');
    const counted = isBeyond ? null : uncounted.take();
    if (counted === null) {
      passLimit(ctx, limiter.countHere(address));
      throw overloaded();
    }
    try {
      const refused = limiter.refusedHere(address);
      if (refused !== null) passLimit(ctx, refused);
      const counting = limiter.countAddress(address);
      beside(ctx);
      passLimit(ctx, await counting);
    } finally {
      counted();
    }
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
function passLimit(ctx: Context, status: LimitStatus): void {
  const shown = ctx.state.limit === undefined ? status : tightest(ctx.state.limit, status);
  ctx.state.limit = shown;
  ctx.set(limitHeaders(shown));
  if (!status.allowed) throw rateLimited(status);
}

type ShownLimit = Pick<LimitStatus, 'limit' | 'remaining' | 'resetAt'>;

export function limitHeaders({ limit, remaining, resetAt }: ShownLimit): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(resetAt),
  };
}

/** @param reads whether a method of this path reads */
export function tokenLimit(limiter: RateLimiter, reads = isRead): Middleware {
  return async function tokenLimit(ctx, next) {
    const kind = reads(ctx.method) ? 'read' : 'write';
    passLimit(ctx, await limiter.countToken(tokenOf(ctx), kind));
    await next();
  };
}
