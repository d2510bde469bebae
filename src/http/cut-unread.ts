// Cuts connections whose client does not read, because their answers stay in memory.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often connections are looked at, so how long one may exceed its time. */
const SWEEP_MS_MAX = 1000;

interface Progress {
  /** Bytes of the writes that are complete; an answer is one write. */
  readonly written: number;
  readonly atMs: number;
}

/** @param msMax time that a client may take to read what was written at once; beyond it the connection is reset */
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
