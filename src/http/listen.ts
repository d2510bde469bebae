// Listens for HTTP and stops gracefully: requests in hand are still answered, up to a deadline.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { UserError } from '../process/errors.ts';
import type { Places } from './bounds.ts';
import { boundConnections, cutUnread, type InOrder, inOrder } from './connections.ts';
import { type RefuseUnread, refuseUncounted } from './refuse-unread.ts';

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Named in the message where host or port cannot be used. */
  readonly variables?: PortVariables;
  /** Answers input that never becomes a request. */
  readonly refuse?: RefuseUnread;
  /** The places of connections; absent: as many as the system allows. */
  readonly connections?: Places;
  /** Time that a client has to read an answer; beyond it the connection is cut. Default 60 s. */
  readonly unreadMsMax?: number;
}

/** The variables of the configuration that host and port come from. */
export interface PortVariables {
  readonly host: string;
  readonly port: string;
}

export interface Listening {
  /** The given port, or the free one that the system chose for port 0. */
  readonly port: number;
  /** Stops listening. Resolves when the requests in hand are answered; after `drainMs` their connections are closed. */
  stop(drainMs: number): Promise<void>;
}

/** Time that a client has to send its headers, and its whole request; beyond it the client gets 408. */
const HEADERS_MS_MAX = 10_000;
const REQUEST_MS_MAX = 30_000;
/** 400 kB, a large page, then need 7 kB a second. */
const UNREAD_MS_MAX = 60_000;
/** How often Node looks for slow clients, so how long they may exceed their time. Its own default is 30 s. */
const SLOW_CLIENT_CHECK_MS = 1000;
/** Longer than proxies keep an idle connection, so that the proxy closes it and no request meets a closed one. */
const KEEP_ALIVE_MS = 65_000;
const IDLE_SWEEP_MS = 50;

export async function listen(handler: RequestListener, options: ListenOptions): Promise<Listening> {
  const { refuse = refuseUncounted(), connections, unreadMsMax = UNREAD_MS_MAX } = options;
  const answer = inOrder(handler);
  const server = createServer(
    {
      headersTimeout: HEADERS_MS_MAX,
      requestTimeout: REQUEST_MS_MAX,
      connectionsCheckingInterval: SLOW_CLIENT_CHECK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The handler checks the header itself, so that its refusal looks like every other error.
      requireHostHeader: false,
    },
    (request, response) => answer(request, response),
  );
  // By default Node drops lines beyond 2000 without a word; the size of a head bounds their number anyway.
  server.maxHeadersCount = 0;
  if (connections) boundConnections(server, connections);
  cutUnread(server, unreadMsMax);
  server.on('clientError', refuse);
  answerConnect(server, answer);
  // Unknown expectations need not be refused (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => answer(request, response));
  await opened(server, options);

  async function stop(drainMs: number): Promise<void> {
    const closed = new Promise(resolve => server.close(resolve));
    // A connection that is busy during `close` stays open when it falls idle, so idle ones are swept.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(deadline);
  }
  return { port: (server.address() as AddressInfo).port, stop };
}

/** Lets the handler answer CONNECT, for which Node closes the connection by default. */
function answerConnect(server: Server, answer: InOrder): void {
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.on('finish', () => socket.end(() => socket.destroy()));
    // Until then the socket belongs to the answers of requests before this one.
    const begin = () => response.assignSocket(socket);
    answer(request, response as Parameters<RequestListener>[1], begin);
  });
}

type ListenPlace = Pick<ListenOptions, 'host' | 'port' | 'variables'>;

/**
 * Listens for a moment: a process checks its port before it starts anything else.
 *
 * @throws UserError when the port cannot be used
 */
export async function checkPort(place: ListenPlace): Promise<void> {
  const server = createTcpServer();
  await opened(server, place);
  await new Promise(resolve => server.close(resolve));
}

function opened(server: TcpServer, place: ListenPlace): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', cause => reject(listenError(cause, place)));
    server.listen(place.port, place.host, resolve);
  });
}

function listenError(
  cause: NodeJS.ErrnoException,
  { host, port, variables }: ListenPlace,
): UserError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'it is in use',
    EACCES: 'this user may not use it',
    EADDRNOTAVAIL: 'the host is not an address of this machine',
    ENOTFOUND: 'the host has no address',
  };
  const reason = reasons[cause.code ?? ''] ?? cause.message;
  const message = `Expected to listen on ${host}:${port}, but ${reason}`;
  if (!variables) return new UserError(message, { cause });
  const isPort = cause.code === 'EADDRINUSE' || cause.code === 'EACCES';
  const hint = isPort
    ? `set ${variables.port} to another, or to 0 for any free one`
    : `set ${variables.host} to an address of this machine`;
  return new UserError(`${message}: ${hint}`, { cause });
}
