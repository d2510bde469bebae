// Answers input that Node's parser refuses, in the form of every other error, although it never becomes a request
// (rules/api.md#errors).
import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientAddress } from '../access/address.ts';
import type { LimitStatus, RateLimiter } from '../access/rate-limits.ts';
import type { Logger } from '../process/log.ts';
import { type ApiError, errorBody, rateLimited } from './api-error.ts';
import { CORS_HEADERS } from './middleware/cors.ts';
import { limitHeaders } from './middleware/limits.ts';
import { noteRequests, type RequestObservation } from './middleware/request-log.ts';
import { SECURITY_HEADERS } from './middleware/security-headers.ts';

export interface UnreadOptions {
  readonly limiter: RateLimiter;
  readonly logger: Logger;
  /** Receives each refusal, like a request that was handled. */
  readonly observe?: (request: RequestObservation) => void;
}

type Refusal = Pick<ApiError, 'code' | 'message' | 'status' | 'headers'>;

const MALFORMED: Refusal = {
  code: 'invalid_parameter',
  status: 400,
  message: 'Expected a well-formed request of HTTP/1.1',
  headers: {},
};

/** By the code of Node's error; all other codes are `MALFORMED`. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    ...MALFORMED,
    status: 431,
    message: `Expected a target and headers of at most ${maxHeaderSize} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    ...MALFORMED,
    status: 408,
    message: 'Expected the whole request sooner',
  },
};

/** Handles `clientError` of a server: writes to the socket, because there is no response object, and closes it. */
export type RefuseUnread = (error: NodeJS.ErrnoException, socket: Duplex) => void;

/** Returns a handler that neither counts nor logs. */
export function refuseUncounted(): RefuseUnread {
  return ({ code }, socket) => {
    send(socket, render(refusalOf(code), randomUUID()));
  };
}

/** Returns a handler that counts each refusal for the address of the connection: no header can be believed. */
export function refuseUnread({ limiter, logger, observe }: UnreadOptions): RefuseUnread {
  const note = noteRequests(logger, observe);
  // Node reports a connection again while its first refusal is counted.
  const refused = new WeakSet<Duplex>();
  return function refuseUnread({ code }, socket) {
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!isOpen(socket)) {
      socket.destroy();
      return;
    }
    const startedAtMs = performance.now();
    const requestId = randomUUID();
    const { remoteAddress } = socket as Partial<Socket>;
    void limiter.countAddress(clientAddress(remoteAddress, undefined, 0)).then(limit => {
      const refusal = limit.allowed ? refusalOf(code) : rateLimited(limit);
      send(socket, render(refusal, requestId, limit));
      note({ method: '-', route: '-', status: refusal.status, startedAtMs }, requestId);
    });
  };
}

function refusalOf(code = ''): Refusal {
  return REFUSALS[code] ?? MALFORMED;
}

/** Like Node's own handler: nothing may be written into an answer that has begun. */
function isOpen(socket: Duplex): boolean {
  const { _httpMessage: answering } = socket as { _httpMessage?: ServerResponse | null };
  return socket.writable && !answering?.headersSent;
}

function send(socket: Duplex, text: string): void {
  if (isOpen(socket)) socket.end(text, () => socket.destroy());
  else socket.destroy();
}

function render(refusal: Refusal, requestId: string, limit?: LimitStatus): string {
  const { status } = refusal;
  const body = errorBody({ ...refusal, details: [] }, requestId);
  const headers = {
    Date: new Date().toUTCString(),
    'X-Request-Id': requestId,
    ...SECURITY_HEADERS,
    ...CORS_HEADERS,
    ...(limit && limitHeaders(limit)),
    'Cache-Control': 'no-store',
    ...refusal.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
