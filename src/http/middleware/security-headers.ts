// Headers that tell browsers what not to do with an answer. No HSTS: this server speaks plain HTTP.
import helmet from 'helmet';
import type { Middleware } from '../request-state.ts';

export function securityHeaders(): Middleware {
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // Any page may read answers (cors.ts).
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: false,
  });
  return async function securityHeaders(ctx, next) {
    setHeaders(ctx.req, ctx.res, () => {});
    await next();
  };
}
