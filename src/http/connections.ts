// What connections may take of a process: a bound on their number, answers one after another, and a bound on the time
// that a client may take to read one.
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Places } from './bounds.ts';

/** Further connections beyond the bound are closed without an answer, which costs less than one. */
const ANSWERED_BEYOND_MAX = 500;
/** How long a connection beyond the bound may take to send its request. */
const BEYOND_MS_MAX = 5000;

const beyond = new WeakSet<Socket>();

/** The first request on a connection beyond the bound gets 503, and the connection closes. */
export function boundConnections(server: Server, places: Places): void {
  server.maxConnections = places.max + ANSWERED_BEYOND_MAX;
  server.on('connection', (socket: Socket) => {
    const leave = places.take();
    if (leave !== null) {
      socket.once('close', leave);
      return;
    }
    beyond.add(socket);
    const timer = setTimeout(() => socket.destroy(), BEYOND_MS_MAX).unref();
    socket.once('close', () => clearTimeout(timer));
  });
  // Counts those that Node closes.
  server.on('drop', () => places.take());
}

export function isBeyondBound(socket: Socket): boolean {
  return beyond.has(socket);
}

/** Requests of one connection that wait for the answers before theirs. Beyond it the connection is cut. */
const WAITING_MAX = 100;
/** Names and values of their headers: a head of 16 kB may have thousands, which take ten times its size. */
const WAITING_TEXTS_MAX = 10_000;
/** Bytes of their targets and heads, and of their bodies as far as Node reads ahead. */
const WAITING_BYTES_MAX = 131_072;

interface Line {
  isAnswering: boolean;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly texts: number;
  readonly bytes: number;
  readonly answer: () => void;
}

function isTooLong({ waiting }: Line): boolean {
  const sumOf = (what: 'texts' | 'bytes') => waiting.reduce((sum, one) => sum + one[what], 0);
  return (
    waiting.length > WAITING_MAX ||
    sumOf('texts') > WAITING_TEXTS_MAX ||
    sumOf('bytes') > WAITING_BYTES_MAX
  );
}

function bytesOf({
  url = '',
  rawHeaders,
  headers,
  readableHighWaterMark,
}: IncomingMessage): number {
  const head = rawHeaders.reduce((sum, text) => sum + text.length, url.length);
  const isChunked = headers['transfer-encoding'] !== undefined;
  const body = isChunked ? readableHighWaterMark : Number(headers['content-length'] ?? 0);
  return head + Math.min(body, readableHighWaterMark);
}

/** Calls the handler for a request once the answers before it are flushed; calls `begin` just before. */
export type InOrder = (
  request: IncomingMessage,
  response: Parameters<RequestListener>[1],
  begin?: () => void,
) => void;

/** A client that does not read holds one answer, not all of them. */
export function inOrder(handler: RequestListener): InOrder {
  const lines = new WeakMap<Socket, Line>();
  return function inOrder(request, response, begin = () => {}) {
    const { socket } = request;
    // The last answer was sent, or the connection is cut.
    if (!socket.writable) return;
    const line = lines.get(socket) ?? { isAnswering: false, waiting: [] };
    lines.set(socket, line);
    const answer = () => {
      line.isAnswering = true;
      response.once('close', () => leave(socket, line));
      begin();
      handler(request, response);
    };
    if (!line.isAnswering) answer();
    else {
      const { length: texts } = request.rawHeaders;
      line.waiting.push({ texts, bytes: bytesOf(request), answer });
      if (isTooLong(line)) socket.destroy();
    }
  };
}

/** Called when a response closes: its last byte has left this process, or its connection ended. */
function leave(socket: Socket, line: Line): void {
  // Other listeners first give back what the answer took.
  process.nextTick(() => {
    line.isAnswering = false;
    const next = line.waiting.shift();
    if (socket.writable) next?.answer();
    else line.waiting.length = 0;
  });
}

/** How often connections are looked at, so how long one may exceed its time. */
const SWEEP_MS_MAX = 1000;

interface Progress {
  /** Bytes of the writes that are complete; an answer is one write. */
  readonly written: number;
  readonly atMs: number;
}

/**
 * Cuts connections whose client does not read, because their answers stay in memory.
 *
 * @param msMax time that a client may take to read what was written at once; beyond it the connection is reset
 */
export function cutUnread(server: Server, msMax: number): void {
  const connections = new Map<Socket, Progress>();
  server.on('connection', (socket: Socket) => {
    connections.set(socket, { written: 0, atMs: performance.now() });
    socket.once('close', () => connections.delete(socket));
  });
  const sweep = setInterval(
    () => {
      const atMs = performance.now();
      for (const [socket, last] of connections) {
        const written = socket.bytesWritten - socket.writableLength;
        if (socket.writableLength === 0 || written > last.written) {
          connections.set(socket, { written, atMs });
        } else if (atMs - last.atMs > msMax) {
          // A reset, because after an orderly end the system keeps its unread part for minutes.
          socket.resetAndDestroy();
        }
      }
    },
    Math.min(msMax / 2, SWEEP_MS_MAX),
  ).unref();
  server.once('close', () => clearInterval(sweep));
}
