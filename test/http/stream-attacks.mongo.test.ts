// Clients that abuse streams: each is refused or bounded, and gives everything back.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { useMongo } from '../helpers/mongo.ts';
import { steps } from '../model/scene.ts';
import { at, openStream } from './stream-client.ts';
import { serveStreams, untilTaken } from './stream-scene.ts';

const mongo = useMongo(test);

function request(token: string, method = 'GET'): string {
  return `${method} /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}

function rawSocket(t: ExecutionContext, port: number): Socket & { received(): string } {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  let text = '';
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  return Object.assign(socket, { received: () => text });
}

test('a half-closed connection ends its stream', async t => {
  const served = await serveStreams(t, mongo, { name: 'attack_half_closed' });
  const token = await served.issue('anna');
  const socket = rawSocket(t, served.port);
  socket.write(request(token));
  await untilTaken(t, served, 1);
  socket.end();
  await untilTaken(t, served, 0);
});

test('a client that leaves before the answer begins leaves nothing behind', async t => {
  const served = await serveStreams(t, mongo, { name: 'attack_early' });
  const tokens = await Promise.all(Array.from({ length: 20 }, () => served.issue('anna')));
  for (const token of tokens) {
    const socket = rawSocket(t, served.port);
    socket.write(request(token), () => socket.destroy());
  }
  await sleep(300);
  await untilTaken(t, served, 0);
  const token = tokens[0] ?? '';
  for (let times = 0; times < 5; times += 1) {
    const opened = await openStream(served.origin, token);
    t.teardown(() => opened.close());
    t.is(opened.status, 200);
  }
});

test('more connects than the process takes: 503, and those that are open go on', async t => {
  const served = await serveStreams(t, mongo, { name: 'attack_bound', streams: 40 });
  const tokens = await Promise.all(Array.from({ length: 12 }, () => served.issue('anna')));
  const opened = await Promise.all(
    tokens.flatMap(token => Array.from({ length: 5 }, () => openStream(served.origin, token))),
  );
  const open = opened.filter(({ status }) => status === 200);
  t.is(open.length, 40);
  t.is(opened.filter(({ status }) => status === 503).length, 20);
  await served.model.project('foreign', ...steps(3));
  await served.model.project('b1', ...steps(3));
  await Promise.all(open.map(one => one.told(at('b1', 4))));
  t.false(open.some(one => one.text().includes('foreign')));
  for (const one of opened) one.close();
  await untilTaken(t, served, 0);
});

test('a client that does not read holds up nobody else', async t => {
  const served = await serveStreams(t, mongo, { name: 'attack_slow' });
  const slow = rawSocket(t, served.port);
  slow.write(request(await served.issue('anna')));
  await eventually(t, async tried => {
    tried.regex(slow.received(), /"position":1\}/);
  });
  slow.pause();
  const reading = await openStream(served.origin, await served.issue('anna'));
  t.teardown(() => reading.close());
  for (let position = 2; position <= 30; position += 1) {
    await served.model.project('b1', ...steps(1));
    await reading.told(at('b1', position));
  }
  slow.resume();
  await eventually(t, async tried => {
    tried.regex(slow.received(), /"position":30\}/);
  });
});

test('requests behind a stream on the same connection wait, and are never answered in its midst', async t => {
  const served = await serveStreams(t, mongo, { name: 'attack_pipelined' });
  const token = await served.issue('anna');
  const socket = rawSocket(t, served.port);
  socket.write(request(token).repeat(20));
  await eventually(t, async tried => {
    tried.regex(socket.received(), /"position":1\}/);
  });
  t.is(served.bounds.streams.taken(), 1);
  t.is(socket.received().match(/HTTP\/1\.1 /g)?.length, 1);
  socket.destroy();
  await untilTaken(t, served, 0);
});

test('HTTP/1.0, and a client that asks to close: the stream is the last answer', async t => {
  const served = await serveStreams(t, mongo, { name: 'attack_old' });
  const token = await served.issue('anna');
  const socket = rawSocket(t, served.port);
  socket.write(request(token).replace('HTTP/1.1', 'HTTP/1.0'));
  await eventually(t, async tried => {
    tried.regex(socket.received(), /\r\n\r\nretry: 5000\n\nevent: position\n/);
  });
  served.stopping.abort();
  await untilTaken(t, served, 0);
});
