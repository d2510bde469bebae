// Rate limit for sign-in attempts: they count toward the client's address, in the same window as API requests.
import { addressOf } from '../../http/middleware/limits.ts';
import type { Middleware } from '../../http/request-state.ts';
import type { SettingsOptions } from './options.ts';
import { notAvailable, tooManyRequests } from './page-error.ts';

/** Sends no rate limit headers: those are for programs, and these pages are for people. */
export function signInLimit({ access, bounds, config }: SettingsOptions): Middleware {
  const { limiter } = access;
  return async function signInLimit(ctx, next) {
    const address = addressOf(ctx, config.trustedProxies);
    const counted = bounds.uncounted.take();
    if (counted === null) throw notAvailable();
    try {
      const { allowed, retryAfterSeconds } = await limiter.countAddress(address);
      if (!allowed) throw tooManyRequests(retryAfterSeconds);
    } finally {
      counted();
    }
    await next();
  };
}
