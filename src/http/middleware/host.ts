// Refuses a request without the header Host, which HTTP/1.1 requires (RFC 9112, section 3.2).
import { badParameters } from '../api-error.ts';
import type { Context, Middleware } from '../request-state.ts';

export function namesHost({ req }: Context): boolean {
  return req.headers.host !== undefined || req.httpVersion !== '1.1';
}

export function host(): Middleware {
  return async function host(ctx, next) {
    if (!namesHost(ctx)) {
      const message = 'Expected the header Host, got none';
      throw badParameters([{ param: 'Host', code: 'missing_parameter', message }]);
    }
    await next();
  };
}
