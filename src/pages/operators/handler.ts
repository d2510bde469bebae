// Serves the paths of the management port. All are read-only, so a forged request from another site changes nothing.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from '../../process/log.ts';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the answer for one path. `query` is the raw query string without the question mark. */
export type ManagementEndpoint = (query: string) => Answer | Promise<Answer>;

export interface HandlerOptions {
  readonly endpoints: Readonly<Record<string, ManagementEndpoint>>;
  readonly isAllowedHost: (host: string | undefined) => boolean;
  readonly logger: Logger;
}

/** Forbids storing, content sniffing, framing, and reading by pages of other sites. */
const HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

export function createHandler(options: HandlerOptions): RequestListener {
  return (request, response) => {
    answer(options, request).then(
      found => send(response, request.method === 'HEAD', found),
      (err: unknown) => {
        options.logger.error({ err }, 'management request failed');
        send(response, request.method === 'HEAD', plain(500, 'Something went wrong'));
      },
    );
  };
}

async function answer(
  { endpoints, isAllowedHost }: HandlerOptions,
  { url = '', method, headers }: IncomingMessage,
): Promise<Answer> {
  if (!isAllowedHost(headers.host)) {
    return plain(403, 'Expected a Host that is this machine: see docs/monitoring.md');
  }
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
  if (!endpoint) return plain(404, `Expected one of ${Object.keys(endpoints).join(' ')}`);
  if (method !== 'GET' && method !== 'HEAD') {
    return { ...plain(405, 'Expected GET or HEAD'), headers: { Allow: 'GET, HEAD' } };
  }
  return await endpoint(mark === -1 ? '' : url.slice(mark + 1));
}

export function plain(status: number, text: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${text}\n` };
}

function send(response: ServerResponse, isHead: boolean, answered: Answer): void {
  const { status, type, body, headers } = answered;
  response.writeHead(status, {
    ...HEADERS,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(isHead ? undefined : body);
}
