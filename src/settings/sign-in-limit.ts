// Attempts to sign in count for their client's address, in the same window as requests of the API.
import { clientAddress } from '../access/address.ts';
import type { Middleware } from '../http/request-state.ts';
import type { SettingsOptions } from './options.ts';
import { PageError } from './page-error.ts';

/** Without the headers that tell a program its windows: these are pages for people. */
export function signInLimit({ access: { limiter }, config }: SettingsOptions): Middleware {
  return async function signInLimit(ctx, next) {
    const forwardedFor = ctx.get('X-Forwarded-For') || undefined;
    const socketAddress = ctx.req.socket.remoteAddress;
    const address = clientAddress(socketAddress, forwardedFor, config.trustedProxies);
    const { allowed, retryAfterSeconds } = await limiter.countAddress(address);
    if (allowed) return await next();
    const headers = { 'Retry-After': String(retryAfterSeconds) };
    const message = `Try again in ${retryAfterSeconds} seconds.`;
    throw new PageError(429, 'Too many requests', message, { headers });
  };
}
