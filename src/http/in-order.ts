// Answers the requests of a connection one after another: a client that does not read holds one answer, not all of them.
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait for the answers before theirs. Beyond it the connection is cut. */
const WAITING_MAX = 100;

interface Line {
  isAnswering: boolean;
  readonly waiting: (() => void)[];
}

/** Calls the handler for a request once the answers before it are flushed; calls `begin` just before. */
export type InOrder = (
  request: IncomingMessage,
  response: Parameters<RequestListener>[1],
  begin?: () => void,
) => void;

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
    else if (line.waiting.push(answer) > WAITING_MAX) socket.destroy();
  };
}

/** Called when a response closes: its last byte has left this process, or its connection ended. */
function leave(socket: Socket, line: Line): void {
  // Other listeners first give back what the answer took.
  process.nextTick(() => {
    line.isAnswering = false;
    const next = line.waiting.shift();
    if (socket.writable) next?.();
    else line.waiting.length = 0;
  });
}
