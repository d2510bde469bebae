// CORS: pages of any origin may read answers, without cookies or other browser credentials (rules/api.md#browsers).
import type { Middleware } from '../request-state.ts';

const EXPOSED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'X-Request-Id',
  'X-Projection-Position',
  'X-Projection-Parked-Since',
  'Deprecation',
  'Sunset',
  'Link',
].join(', ');

const ALLOWED = [
  'Authorization',
  'If-None-Match',
  'X-Projection-Wait-For',
  'X-Projection-Wait-Seconds',
].join(', ');

export const ALLOW = 'GET, HEAD, OPTIONS';
/** A day; no browser caches a preflight for longer. */
const PREFLIGHT_SECONDS = 86_400;

/** The same for every origin, so answers need no `Vary: Origin`. */
export const CORS_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
};

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': ALLOW,
  'Access-Control-Allow-Headers': ALLOWED,
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
};

/** Answers every OPTIONS request, without a token; a preflight is one that a browser sends before another request. */
export const preflight: Middleware = async (ctx, next) => {
  if (ctx.method !== 'OPTIONS') return await next();
  ctx.set('Allow', ALLOW);
  const isPreflight = ctx.get('Origin') !== '' && ctx.get('Access-Control-Request-Method') !== '';
  if (isPreflight) ctx.set(PREFLIGHT_HEADERS);
  ctx.status = 204;
};
