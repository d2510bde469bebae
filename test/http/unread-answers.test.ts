// A client that does not read its answers: it holds one of them, for a bounded time, and the places of no others.
import type { RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { createBounds } from '../../src/http/bounds.ts';
import { listen } from '../../src/http/listen.ts';
import { boundInFlight } from '../../src/http/middleware/bound-in-flight.ts';
import { publicDocument } from '../../src/http/routes/public-document.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { serveBare } from './serve-bare.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
/** More than the system keeps for both ends of a connection. */
const PAGE = Buffer.alloc(16_000_000, 'page ');
const FEW_MS = 100;
/** The first request is not answered, so nothing is cut because it is not read. */
const WAITING = { body: null };

interface Given {
  readonly unreadMsMax?: number;
  /** Null for no answer. */
  readonly body?: Buffer | null;
}

/** Counts the answers that are begun and not flushed. */
async function start(t: ExecutionContext, { unreadMsMax, body = PAGE }: Given) {
  const seen = { begun: 0, held: 0, heldMax: 0 };
  const handler: RequestListener = (_request, response) => {
    seen.begun += 1;
    seen.held += 1;
    seen.heldMax = Math.max(seen.heldMax, seen.held);
    response.once('close', () => {
      seen.held -= 1;
    });
    if (body !== null) response.end(body);
  };
  const limit = unreadMsMax === undefined ? {} : { unreadMsMax };
  const server = await listen(handler, { host: '127.0.0.1', port: 0, ...limit });
  t.teardown(() => server.stop(0));
  return { seen, socket: connectTo(t, server.port) };
}

function connectTo(t: ExecutionContext, port: number): Socket & { ended: Promise<unknown> } {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  const ended = new Promise(resolve => socket.once('close', resolve));
  return Object.assign(socket, { ended });
}

async function becomes<T>(t: ExecutionContext, look: () => T, expected: T): Promise<void> {
  await eventually(t, async tried => {
    tried.is(look(), expected);
  });
}

test('of many requests at once, a client that does not read holds one answer until it is cut', async t => {
  const { seen, socket } = await start(t, { unreadMsMax: FEW_MS });
  socket.pause();
  socket.write(GET.repeat(60));
  await becomes(t, () => seen.begun, 1);
  await becomes(t, () => seen.held, 0);
  t.is(seen.begun, 1, 'the requests behind it are not handled');
  socket.resume();
  await socket.ended;
  t.true(socket.bytesRead < PAGE.length);
});

test('a client that goes on sending, and does not read, is cut all the same', async t => {
  const { seen, socket } = await start(t, { unreadMsMax: FEW_MS });
  socket.pause();
  const more = setInterval(() => socket.write('GET / HTTP/1.1\r\nX: '), 10);
  t.teardown(() => clearInterval(more));
  socket.write(GET);
  await becomes(t, () => seen.begun - seen.held, 1);
});

test('a client that reads gets the answers of all its requests, one after another', async t => {
  const body = Buffer.alloc(100_000, 'page ');
  const { seen, socket } = await start(t, { body });
  let bytes = 0;
  socket.on('data', chunk => {
    bytes += chunk.length;
  });
  socket.write(GET.repeat(100));
  await becomes(t, () => bytes > 100 * body.length, true);
  t.deepEqual(seen, { begun: 100, held: 0, heldMax: 1 });
  t.false(socket.destroyed);
});

test('a connection with more requests than may wait is cut', async t => {
  const { seen, socket } = await start(t, WAITING);
  socket.pause();
  socket.write(GET.repeat(1000));
  await becomes(t, () => seen.begun, 1);
  await becomes(t, () => seen.held, 0);
  t.is(seen.begun, 1);
});

test('a connection whose waiting requests have very many headers is cut sooner', async t => {
  const { seen, socket } = await start(t, WAITING);
  socket.pause();
  const request = `GET / HTTP/1.1\r\nHost: x\r\n${'a:\r\n'.repeat(2000)}\r\n`;
  socket.write(GET + request.repeat(4));
  await becomes(t, () => seen.begun, 1);
  await becomes(t, () => seen.held, 0);
  t.is(seen.begun, 1);
});

test('a connection whose waiting requests are long is cut sooner', async t => {
  const { seen, socket } = await start(t, WAITING);
  socket.pause();
  const long = `GET /${'x'.repeat(15_000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
  socket.write(long.repeat(9));
  await becomes(t, () => seen.begun, 1);
  t.is(seen.held, 1);
  socket.write(long.repeat(2));
  await becomes(t, () => seen.held, 0);
  t.is(seen.begun, 1);
});

const BODY = 'x'.repeat(10_000);
const BODIES = {
  'with a length': `Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  'in chunks': `Transfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
};
for (const [how, body] of Object.entries(BODIES)) {
  test(`a connection whose waiting requests have bodies ${how} is cut sooner`, async t => {
    const { seen, socket } = await start(t, WAITING);
    socket.pause();
    const post = `POST / HTTP/1.1\r\nHost: x\r\n${body}`;
    socket.write(GET);
    await becomes(t, () => seen.held, 1);
    socket.write(post);
    await sleep(20);
    t.is(seen.held, 1);
    socket.write(post.repeat(14));
    await becomes(t, () => seen.held, 0);
    t.is(seen.begun, 1);
  });
}

test('a request keeps its place until its answer is read', async t => {
  const { requests } = createBounds();
  const place = boundInFlight(requests, () => new Error('Expected a place'));
  const served = await serveBare(t, {
    pages: ctx =>
      place(ctx, async () => {
        ctx.body = PAGE;
      }),
  });
  const socket = connectTo(t, served.port);
  socket.pause();
  socket.write(GET);
  await becomes(t, () => served.lines.at(-1)?.msg, 'request');
  t.is(requests.taken(), 1, 'handled, but not read');
  socket.resume();
  await becomes(t, () => requests.taken(), 0);
  socket.pause();
  socket.write(GET);
  await becomes(t, () => requests.taken(), 1);
  socket.destroy();
  await becomes(t, () => requests.taken(), 0);
});

test('a document that all answers share keeps no place while it is not read', async t => {
  const { requests } = createBounds();
  const place = boundInFlight(requests, () => new Error('Expected a place'));
  const document = publicDocument({ text: PAGE.toString(), type: 'html' });
  const served = await serveBare(t, {
    pages: ctx => place(ctx, () => document(ctx, async () => {})),
  });
  const socket = connectTo(t, served.port);
  socket.pause();
  socket.write(GET);
  await becomes(t, () => served.lines.at(-1)?.msg, 'request');
  t.is(requests.taken(), 0);
});

test('a request whose client leaves before it gets a place gives the place back', async t => {
  const { requests } = createBounds();
  const place = boundInFlight(requests, () => new Error('Expected a place'));
  let handled = false;
  const served = await serveBare(t, {
    async pages(ctx) {
      const closed = new Promise(resolve => ctx.res.once('close', resolve));
      socket.destroy();
      await closed;
      await place(ctx, async () => {});
      handled = true;
    },
  });
  const socket = connectTo(t, served.port);
  socket.write(GET);
  await becomes(t, () => handled, true);
  t.is(requests.taken(), 0);
});
