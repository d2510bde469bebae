// Refuses a request without the one header Host that HTTP/1.1 requires (RFC 9112, section 3.2).
import { isIPv6 } from 'node:net';
import { badParameters, type ParameterProblem } from '../api-error.ts';
import { headerLines } from '../header-lines.ts';
import type { Context, Middleware } from '../request-state.ts';

/** A name, an IPv4 address or an IPv6 address in brackets, and a port or none (RFC 3986, section 3.2.2). */
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;

export function hasGoodHost(ctx: Context): boolean {
  return hostProblem(ctx) === null;
}

export function host(): Middleware {
  return async function host(ctx, next) {
    const problem = hostProblem(ctx);
    if (problem !== null) throw badParameters([problem]);
    await next();
  };
}

function hostProblem({ req }: Context): ParameterProblem | null {
  const [value, ...more] = headerLines(req, 'host');
  if (value === undefined) {
    if (req.httpVersion !== '1.1') return null;
    const message = 'Expected the header Host, got none';
    return { param: 'Host', code: 'missing_parameter', message };
  }
  if (more.length > 0) return invalid('Expected the header Host once, got it repeated');
  return isHost(value) ? null : invalid('Expected the header Host to be a host and a port or none');
}

function isHost(value: string): boolean {
  const parts = HOST.exec(value);
  return parts !== null && (parts[1] === undefined || isIPv6(parts[1]));
}

function invalid(message: string): ParameterProblem {
  return { param: 'Host', code: 'invalid_parameter', message };
}
