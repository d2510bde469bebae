// A proxy in front of /mcp for programs that cannot send a token: it adds one, and passes everything else on as it is.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenProxy {
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startTokenProxy(target: string, token: string): Promise<TokenProxy> {
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const sent = request(target + url, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      setHost: false,
    });
    sent.on('response', answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', error => outgoing.destroy(error));
    incoming.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
