// Headers that restrict what browsers do with an answer. No HSTS, because this server speaks plain HTTP.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import helmet from 'helmet';
import type { Middleware } from '../request-state.ts';

export const SECURITY_HEADERS = headersOf(
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // Pages of any origin may read answers (cors.ts).
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    strictTransportSecurity: false,
  }),
);

export function withHeaders(headers: Readonly<Record<string, string>>): Middleware {
  return async function withHeaders(ctx, next) {
    ctx.set(headers);
    await next();
  };
}

/** Returns the headers that helmet sets. They are the same on every answer, so helmet runs only once. */
function headersOf(setHeaders: ReturnType<typeof helmet>): Readonly<Record<string, string>> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  setHeaders(response.req, response, () => {});
  const headers = Object.entries(response.getHeaders());
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}
