// A network between a client and a server on this machine, which can be cut and slowed down.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface TcpProxy {
  readonly port: number;
  /** Sets the port that connections are forwarded to. */
  setTarget(port: number): void;
  /** Breaks all connections and refuses new ones, until `mend`. */
  cut(): void;
  /**
   * Drops every byte from now on without closing anything, so neither side notices. Connections that were open or are
   * opened meanwhile stay so for ever, as with a firewall that has dropped its state.
   */
  swallow(): void;
  /** Delays all bytes, in order. */
  slow(delayMs: number): void;
  /**
   * Breaks each connection of a client that sends a commit, and delivers the commit all the same: late, and to a server
   * whose answer goes nowhere.
   */
  orphanCommits(lateMs: () => number): void;
  /** Restores the network; open connections stay, and those that lost bytes stay lost. */
  mend(): void;
  stop(): void;
}

export async function startProxy(): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let target = 0;
  let isCut = false;
  let isSwallowing = false;
  let delayMs = 0;
  let lateMs: (() => number) | null = null;
  const lost = new WeakSet<Socket>();
  const server = createServer(client => {
    if (isCut || target === 0) return void client.resetAndDestroy();
    const upstream = connect(target, '127.0.0.1');
    if (isSwallowing) for (const socket of [client, upstream]) lost.add(socket);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      forward(from, to, {
        delayOf: () => delayMs,
        isLost: () => lost.has(from),
        isOrphaned(chunk) {
          if (lateMs === null || from !== client || !chunk.includes(COMMIT)) return false;
          orphan(client, upstream);
          setTimeout(() => upstream.write(chunk), lateMs());
          setTimeout(() => upstream.destroy(), ORPHANED_MS);
          return true;
        },
      });
      from.on('close', () => {
        open.delete(from);
        if (!lost.has(from)) to.destroy();
      });
    }
  });
  /** Ends the connection for the client alone. */
  function orphan(client: Socket, upstream: Socket): void {
    for (const socket of [client, upstream]) lost.add(socket);
    client.destroy();
    upstream.resume();
  }
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    setTarget(port) {
      target = port;
    },
    cut() {
      isCut = true;
      breakAll();
    },
    swallow() {
      isSwallowing = true;
      for (const socket of open) lost.add(socket);
    },
    slow(ms) {
      delayMs = ms;
    },
    orphanCommits(ms) {
      lateMs = ms;
    },
    mend() {
      isCut = false;
      isSwallowing = false;
      delayMs = 0;
      lateMs = null;
    },
    stop() {
      server.close();
      breakAll();
    },
  };
}

interface Link {
  readonly delayOf: () => number;
  readonly isLost: () => boolean;
  /** Returns whether the chunk was taken, as its connection is broken. */
  readonly isOrphaned: (chunk: Buffer) => boolean;
}

/** As drivers send it, without compression. */
const COMMIT = 'commitTransaction';
/** By then the server has dealt with the commit. */
const ORPHANED_MS = 10_000;

function forward(from: Socket, to: Socket, { delayOf, isLost, isOrphaned }: Link): void {
  let sent = Promise.resolve();
  from.on('error', () => {});
  from.on('data', chunk => {
    if (isOrphaned(chunk)) return;
    const dueAt = performance.now() + delayOf();
    sent = sent.then(async () => {
      const waitMs = dueAt - performance.now();
      if (waitMs > 1) await sleep(waitMs);
      if (!isLost()) to.write(chunk);
    });
  });
  from.on('end', () => {
    sent = sent.then(() => {
      if (!isLost()) to.end();
    });
  });
}
