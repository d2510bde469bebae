// A network that keeps a commit on its way: the client loses every connection on which it asks for the commit, and the
// server receives the first request later.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CommitHolder {
  /** The address of the server, through this network. */
  readonly url: string;
  /**
   * Keeps the next commit until just before the next search in a collection reaches the server. The server has answered
   * the commit by then.
   */
  holdCommit(options: { readonly untilFindIn: string }): void;
  /** Returns whether the commit that was kept has taken place. */
  hasLanded(): boolean;
  stop(): void;
}

interface Held {
  readonly untilFindIn: string;
  /** Sends the first request for the commit; null until there was one. */
  send: (() => Promise<void>) | null;
}

/** @param url of a mongod without encryption and compression */
export async function startCommitHolder(url: string): Promise<CommitHolder> {
  const { port: target } = new URL(url);
  const sockets = new Set<Socket>();
  let held: Held | null = null;
  let hasLanded = false;

  async function land(): Promise<void> {
    const send = held?.send;
    held = null;
    await send?.();
    hasLanded = true;
  }

  /** Returns whether the request goes on to the server. */
  async function passes(request: Buffer, client: Socket, upstream: Socket): Promise<boolean> {
    if (!held) return true;
    const text = request.toString('latin1');
    if (text.includes('commitTransaction')) {
      if (held.send) upstream.destroy();
      held.send ??= async () => {
        upstream.write(request);
        await once(upstream, 'data');
      };
      client.destroy();
      return false;
    }
    if (held.send && text.includes(`find\0`) && text.includes(`_${held.untilFindIn}\0`)) {
      await land();
    }
    return true;
  }

  const server = createServer(client => {
    const upstream = connect(Number(target), '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
    }
    let sent: Promise<unknown> = Promise.resolve();
    client.on('data', request => {
      sent = sent.then(async () => {
        if (await passes(request, client, upstream)) upstream.write(request);
      });
    });
    client.on('end', () => upstream.end());
    upstream.on('data', answer => client.destroyed || client.write(answer));
    upstream.on('close', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    holdCommit({ untilFindIn }) {
      held = { untilFindIn, send: null };
      hasLanded = false;
    },
    hasLanded: () => hasLanded,
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
