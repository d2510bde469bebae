// Refuses a request without the one header Host that HTTP/1.1 requires (RFC 9112, section 3.2).
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { badParameters, type ParameterProblem } from '../api-error.ts';
import type { Context, Middleware } from '../request-state.ts';

/** A name, an IPv4 address or an IPv6 address in brackets, and a port or none (RFC 3986, section 3.2.2). */
const HOST = /^(?:\[([\da-f:.]+)\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d{0,5})?$/i;

export function hasGoodHost(ctx: Context): boolean {
  return hostProblem(ctx) === null;
}

export const host: Middleware = async (ctx, next) => {
  const problem = hostProblem(ctx);
  if (problem !== null) throw badParameters([problem]);
  await next();
};

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

/**
 * Returns the values of all lines of a header, as they were sent; `name` is in lower case. Node keeps only the first Host
 * and the first Authorization.
 */
export function headerLines({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, index) => {
    return index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name;
  });
}
