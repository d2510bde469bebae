// A network between a client and a server on this machine, which can be cut and slowed down.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface TcpProxy {
  readonly port: number;
  /** Where connections lead from now on. */
  lead(port: number): void;
  /** Breaks all connections and takes no new ones, until `mend`. */
  cut(): void;
  /** What is sent arrives so much later, in order. */
  slow(delayMs: number): void;
  /** As good as new; connections that are open stay. */
  mend(): void;
  stop(): void;
}

export async function startProxy(): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let target = 0;
  let isCut = false;
  let delayMs = 0;
  const server = createServer(client => {
    if (isCut || target === 0) return void client.resetAndDestroy();
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      forward(from, to, () => delayMs);
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    lead(port) {
      target = port;
    },
    cut() {
      isCut = true;
      breakAll();
    },
    slow(ms) {
      delayMs = ms;
    },
    mend() {
      isCut = false;
      delayMs = 0;
    },
    stop() {
      server.close();
      breakAll();
    },
  };
}

function forward(from: Socket, to: Socket, delayOf: () => number): void {
  let sent = Promise.resolve();
  from.on('error', () => {});
  from.on('data', chunk => {
    const dueAt = performance.now() + delayOf();
    sent = sent.then(async () => {
      const waitMs = dueAt - performance.now();
      if (waitMs > 1) await sleep(waitMs);
      to.write(chunk);
    });
  });
  from.on('end', () => {
    sent = sent.then(() => void to.end());
  });
}
