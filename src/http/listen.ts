// Listens for HTTP and stops without cutting anyone off who can still be served.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../errors.ts';
import { refuseUnread } from './refuse-unread.ts';

export interface Listening {
  /** The port that was given, or the one found for port 0. */
  readonly port: number;
  /** Ends when the requests in hand are answered, at the latest after `drainMs`. */
  stop(drainMs: number): Promise<void>;
}

/** A client that sends its head or its request slower than this is let go. */
const HEADERS_MS_MAX = 10_000;
const REQUEST_MS_MAX = 30_000;
/** Longer than proxies keep an idle connection, so that they are the ones who close it. */
const KEEP_ALIVE_MS = 65_000;
const IDLE_SWEEP_MS = 50;

export async function listen(
  handler: RequestListener,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The handler's own, like any other check.
      requireHostHeader: false,
    },
    handler,
  );
  server.on('clientError', refuseUnread);
  // An expectation that is not known need not be refused (RFC 9110, section 10.1.1).
  server.on('checkExpectation', handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', cause => reject(listenError(cause, host, port)));
    server.listen(port, host, resolve);
  });

  async function stop(drainMs: number): Promise<void> {
    const closed = new Promise(resolve => server.close(resolve));
    // A connection that was busy at the close stays open when it falls idle, so they are swept.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
  }
  return { port: (server.address() as AddressInfo).port, stop };
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'it is in use',
    EACCES: 'this user may not use it',
    EADDRNOTAVAIL: 'the host is not an address of this machine',
  };
  const reason = reasons[cause.code ?? ''] ?? cause.message;
  return new UserError(`Expected to listen on ${host}:${port}, but ${reason}`, { cause });
}
