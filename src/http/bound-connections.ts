// Bounds the connections of a process: the first request on one beyond the bound gets 503, and the connection closes.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Places } from './bounds.ts';

/** Further connections beyond the bound are closed without an answer, which costs less than one. */
const ANSWERED_BEYOND_MAX = 500;
/** How long a connection beyond the bound may take to send its request. */
const BEYOND_MS_MAX = 5000;

const beyond = new WeakSet<Socket>();

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
