// Answers input that Node's parser refuses, in the form of every other error, although it never becomes a request
// (decisions.md, errors).
import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorBody } from './api-error.ts';
import { CORS_HEADERS } from './middleware/cors.ts';
import { SECURITY_HEADERS } from './middleware/security-headers.ts';

const MALFORMED = { status: 400, message: 'Expected a well-formed request of HTTP/1.1' };

/** By the code of Node's error; all other codes are `MALFORMED`. */
const REFUSALS: Readonly<Record<string, typeof MALFORMED>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `Expected a target and headers of at most ${maxHeaderSize} bytes`,
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'Expected the whole request sooner' },
};

/** Handles `clientError` of a server: writes to the socket, because there is no response object, and closes it. */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  // Like Node's own handler: nothing may be written into an answer that has begun.
  const { _httpMessage: answering } = socket as { _httpMessage?: ServerResponse | null };
  if (!socket.writable || answering?.headersSent) {
    socket.destroy();
    return;
  }
  socket.end(refusal(error.code), () => socket.destroy());
}

function refusal(reason = ''): string {
  const { status, message } = REFUSALS[reason] ?? MALFORMED;
  const requestId = randomUUID();
  const body = errorBody({ code: 'invalid_parameter', message, details: [] }, requestId);
  const headers = {
    'X-Request-Id': requestId,
    ...SECURITY_HEADERS,
    ...CORS_HEADERS,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
