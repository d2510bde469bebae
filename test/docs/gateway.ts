// A proxy in front of the API: it records what is asked, and refuses requests where a test wants that.
import { once } from 'node:events';
import {
  request as clientRequest,
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { askUntilAvailable } from '../http/ask-again.ts';

export interface Asked {
  readonly path: string;
  readonly status: number;
  readonly userAgent: string;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  /** Others pass meanwhile. Default: the next request, whatever its path. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection breaks in the middle of the body. */
  readonly isCut?: boolean;
}

export interface Gateway {
  readonly origin: string;
  readonly asked: Asked[];
  /** Instead of the next requests; null lets one pass. */
  readonly refusals: (Refusal | null)[];
  /** Changes bodies on their way back. */
  readonly bodies: { change: (body: string) => string };
  /** Cuts the streams that are open. */
  cutStreams(): void;
  stop(): Promise<void>;
}

const SENT = ['authorization', 'accept', 'if-none-match', 'x-projection-wait-for'];
const RECEIVED = ['content-type', 'etag', 'link', 'x-projection-position', 'retry-after'];

/** A request waits while the database of a busy machine pauses, so that recipes meet only the refusals of the test. */
export async function startGateway(target: string): Promise<Gateway> {
  const asked: Asked[] = [];
  const refusals: (Refusal | null)[] = [];
  const bodies = { change: (body: string) => body };
  const streams = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.endsWith('/events')) {
      streams.add(response);
      response.on('close', () => streams.delete(response));
      passStream(target, request, response);
      return;
    }
    const isMeant = path.includes(refusals[0]?.path ?? '');
    const refusal = (isMeant && refusals.shift()) || null;
    void answer(target, request, refusal)
      .catch(error => ({ status: 502, headers: {}, body: Buffer.from(String(error)) }))
      .then(({ status, headers, body }) => {
        asked.push({ path, status, userAgent: request.headers['user-agent'] ?? '' });
        if (refusal?.isCut) {
          response.writeHead(status, { ...headers, 'content-length': 2 * body.length });
          response.write(body, () => response.destroy());
        } else response.writeHead(status, headers).end(bodies.change(body.toString()));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    refusals,
    bodies,
    cutStreams() {
      for (const one of streams) one.destroy();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A stream goes through as it comes. */
function passStream(target: string, request: IncomingMessage, response: ServerResponse): void {
  const { authorization = '' } = request.headers;
  const sent = clientRequest(
    `${target}${request.url}`,
    { headers: { authorization } },
    received => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    },
  );
  sent.on('error', () => response.destroy());
  response.on('close', () => sent.destroy());
  sent.end();
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

async function answer(
  target: string,
  request: IncomingMessage,
  refusal: Refusal | null,
): Promise<Answer> {
  if (refusal !== null) {
    const { status, code, headers = {} } = refusal;
    const error = {
      code,
      message: 'Refused by the test',
      param: null,
      requestId: 'r',
      details: [],
    };
    const body = Buffer.from(JSON.stringify({ error }));
    return { status, headers: { ...headers, 'content-type': 'application/json' }, body };
  }
  const sent = SENT.map(name => [name, String(request.headers[name] ?? '')] as const);
  const given = sent.filter(([name]) => request.headers[name] !== undefined);
  const response = await askUntilAvailable(() =>
    fetch(`${target}${request.url}`, { headers: Object.fromEntries(given) }),
  );
  const received = RECEIVED.map(name => [name, response.headers.get(name) ?? ''] as const);
  const headers = Object.fromEntries(received.filter(([, value]) => value !== ''));
  return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
}
