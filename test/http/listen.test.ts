// Listening, and what is answered where no handler is asked.
import type { RequestListener } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import type { ExecutionContext } from 'ava';
import { checkPort, listen } from '../../src/http/listen.ts';
import { refuseUncounted } from '../../src/http/refuse-unread.ts';
import { UserError } from '../../src/process/errors.ts';
import { test } from '../helpers/file-test.ts';

const refuse = () => {};

/** Returns what a connection receives up to its end; `onData` is called with each piece. */
async function readAll(socket: Socket, onData: (text: string) => void = () => {}): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of socket.setEncoding('utf8')) {
    pieces.push(piece);
    onData(piece);
  }
  return pieces.join('');
}

const CHUNKED = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const NO_CHUNK = 'no length\r\n';

async function connectTo(t: ExecutionContext, handler: RequestListener): Promise<Socket> {
  const server = await listen(handler, { host: '127.0.0.1', port: 0 });
  t.teardown(() => server.stop(0));
  return connect(server.port, '127.0.0.1');
}

test('a port that is taken, and a host that is none of this machine, are named with the reason', async t => {
  const blocker = createServer();
  await new Promise<void>(resolve => blocker.listen(0, '127.0.0.1', resolve));
  t.teardown(() => blocker.close());
  const { port } = blocker.address() as { port: number };
  const variables = { host: 'HOST', port: 'PORT' };
  for (const [host, reason, hint] of [
    ['127.0.0.1', 'it is in use', 'set PORT to another, or to 0 for any free one'],
    // Kept for documentation, so no machine has it (RFC 5737).
    [
      '192.0.2.1',
      'the host is not an address of this machine',
      'set HOST to an address of this machine',
    ],
    // No name at all, so nobody is asked for its address.
    ['a..b', 'the host has no address', 'set HOST to an address of this machine'],
  ] as const) {
    const message = `Expected to listen on ${host}:${port}, but ${reason}`;
    const expected = { instanceOf: UserError, message };
    await t.throwsAsync(listen(refuse, { host, port }), expected);
    await t.throwsAsync(checkPort({ host, port }), expected);
    const named = { instanceOf: UserError, message: `${message}: ${hint}` };
    await t.throwsAsync(listen(refuse, { host, port, variables }), named);
  }
});

test('a port that was checked is free again', async t => {
  const free = createServer();
  await new Promise<void>(resolve => free.listen(0, '127.0.0.1', resolve));
  const { port } = free.address() as { port: number };
  await new Promise(resolve => free.close(resolve));
  await checkPort({ host: '127.0.0.1', port });
  const server = await listen(refuse, { host: '127.0.0.1', port });
  t.is(server.port, port);
  await server.stop(0);
});

test("for any other reason the system's own words are given", async t => {
  const host = 'h'.repeat(300);
  const error = await t.throwsAsync(listen(refuse, { host, port: 0 }), { instanceOf: UserError });
  t.regex(error?.message ?? '', /, but getaddrinfo E/);
});

test('a body that is no HTTP is refused where the answer has not begun', async t => {
  const socket = await connectTo(t, () => socket.write(NO_CHUNK));
  socket.write(CHUNKED);
  t.regex(await readAll(socket), /^HTTP\/1.1 400 Bad Request\r\n.*"invalid_parameter".*}$/s);
});

test('nothing is written into an answer that has begun', async t => {
  const socket = await connectTo(t, (_request, response) => response.write('begun'));
  socket.write(CHUNKED);
  const answer = await readAll(socket, text => text.includes('begun') && socket.write(NO_CHUNK));
  t.regex(answer, /^HTTP\/1.1 200 OK\r\n.*begun\r\n$/s);
});

test('a request that takes too long is 408', async t => {
  const server = createServer(socket =>
    refuseUncounted()(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as { port: number };
  const answer = await readAll(connect(port, '127.0.0.1'));
  t.regex(
    answer,
    /^HTTP\/1.1 408 Request Timeout\r\nDate: .* GMT\r\nX-Request-Id: .*"invalid_parameter"/s,
  );
});

test('a head that comes slowly is cut soon after its 10 seconds', async t => {
  const socket = await connectTo(t, refuse);
  const begun = performance.now();
  const drip = setInterval(() => socket.write('X: 1\r\n'), 500);
  t.teardown(() => clearInterval(drip));
  socket.write('GET / HTTP/1.1\r\n');
  socket.on('data', () => clearInterval(drip));
  t.regex(await readAll(socket), /^HTTP\/1.1 408 /);
  // Without its own timer node looks every 30 seconds.
  t.true(performance.now() - begun < 28_000);
});
