// Rate limit for sign-in attempts: they count toward the client's address, in the same window as API requests.
import { clientAddress } from '../access/address.ts';
import type { Middleware } from '../http/request-state.ts';
import type { SettingsOptions } from './options.ts';
import { PageError } from './page-error.ts';

/** Sends no rate limit headers: those are for programs, and these pages are for people. */
export function signInLimit({ access: { limiter }, config }: SettingsOptions): Middleware {
  return async function signInLimit(ctx, next) {
    const forwardedFor = ctx.get('X-Forwarded-For') || undefined;
    const socketAddress = ctx.req.socket.remoteAddress;
    const address = clientAddress(socketAddress, forwardedFor, config.trustedProxies);
    const { allowed, retryAfterSeconds } = await limiter.countAddress(address);
    if (allowed) return await next();
    const headers = { 'Retry-After': String(retryAfterSeconds) };
    const message = `Try again in ${retryAfterSeconds} seconds.`;
    throw new PageError('Too many requests', message, { status: 429, headers });
  };
}
