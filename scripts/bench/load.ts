// A lean HTTP client that sends requests as fast as answers come, so that the server is measured and not the client.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ReaderRequest {
  /** The URL, or a function that returns one for each request. */
  readonly url: string | (() => string);
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 200. */
  readonly status?: number;
  /** The body of a POST; absent: GET. */
  readonly body?: string;
}

const HEAD_END = '\r\n\r\n';

interface Connection {
  /** Sends a request, and resolves with its milliseconds when the whole answer has arrived. */
  ask(): Promise<number>;
  close(): void;
}

/** Returns answers per second over some connections, each with one request at a time. */
export async function load(asked: ReaderRequest, connections: number, ms: number): Promise<number> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(asked)));
  let answers = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + ms;
  const run = async (connection: Connection): Promise<void> => {
    while (performance.now() < endsAt) {
      await connection.ask();
      answers += 1;
    }
  };
  try {
    await Promise.all(open.map(run));
  } finally {
    for (const connection of open) connection.close();
  }
  return answers / ((performance.now() - startedAt) / 1000);
}

/** Returns the milliseconds of each of `count` requests, one after the other. */
export async function latencies(asked: ReaderRequest, count: number): Promise<number[]> {
  const connection = await openConnection(asked);
  const times: number[] = [];
  try {
    while (times.length < count) times.push(await connection.ask());
  } finally {
    connection.close();
  }
  return times;
}

/** Returns the milliseconds of each request of one connection that sends one in each interval, for `ms`. */
export async function pacedLatencies(
  asked: ReaderRequest,
  everyMs: number,
  ms: number,
): Promise<number[]> {
  const connection = await openConnection(asked);
  const times: number[] = [];
  const endsAt = performance.now() + ms;
  try {
    while (performance.now() < endsAt) {
      const took = await connection.ask();
      times.push(took);
      await sleep(Math.max(0, everyMs - took));
    }
  } finally {
    connection.close();
  }
  return times;
}

async function openConnection(asked: ReaderRequest): Promise<Connection> {
  const { url, headers = {}, status = 200, body } = asked;
  const nextUrl = typeof url === 'string' ? () => url : url;
  const { hostname, port, host } = new URL(nextUrl());
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries({ Host: host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const fields = lines.join('');
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return {
    async ask() {
      const startedAt = performance.now();
      const answered = answerOn(socket, status);
      const target = nextUrl().slice(`http://${host}`.length);
      const method = body === undefined ? 'GET' : 'POST';
      socket.write(`${method} ${target} HTTP/1.1\r\n${fields}\r\n${body ?? ''}`);
      await answered;
      return performance.now() - startedAt;
    },
    close: () => socket.destroy(),
  };
}

/** Resolves when the whole answer has arrived; a connection has one request at a time. */
function answerOn(socket: Socket, expected: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = '';
    let missing = Number.NaN;
    const finish = (error?: Error) => {
      socket.off('data', take).off('close', closed).off('error', finish);
      if (error) reject(error);
      else resolve();
    };
    const closed = () => finish(new Error('Expected an answer, the connection was closed'));
    const take = (chunk: Buffer) => {
      if (Number.isNaN(missing)) {
        const before = head.length;
        head += chunk.toString('latin1');
        const end = head.indexOf(HEAD_END);
        if (end === -1) return;
        const problem = problemOf(head.slice(0, end), expected);
        if (problem !== null) return finish(new Error(problem));
        missing = bodyLength(head.slice(0, end)) + end + HEAD_END.length - before;
      }
      missing -= chunk.length;
      if (missing <= 0) finish();
    };
    socket.on('data', take).on('close', closed).on('error', finish);
  });
}

function problemOf(head: string, expected: number): string | null {
  const line = head.slice(0, head.indexOf('\r\n'));
  return line.startsWith(`HTTP/1.1 ${expected} `)
    ? null
    : `Expected status ${expected}, got ${line}`;
}

function bodyLength(head: string): number {
  return Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
}
