// One stream: while a write is under way, later positions replace earlier ones.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../src/http/listen.ts';
import { createEventStream, type EventStream } from '../../src/http/streams/streams.ts';
import { test } from '../helpers/file-test.ts';

type Written = (error?: Error | null) => void;

/** A target whose writes the test ends. */
function slowTarget() {
  const texts: string[] = [];
  const open: Written[] = [];
  let ended = 0;
  return {
    texts,
    open,
    ended: () => ended,
    target: {
      write(text: string, written: Written) {
        texts.push(text);
        open.push(written);
      },
      end() {
        ended += 1;
      },
    },
    async read(error?: Error) {
      open.shift()?.(error);
      await sleep(0);
    },
  };
}

const position = (budgetId: string, sequence: number) => ({ budgetId, position: sequence });
const event = (budgetId: string, sequence: number) =>
  `event: position\ndata: {"budgetId":"${budgetId}","position":${sequence}}\n\n`;

test('a client that reads gets each position, one that pauses the newest of each budget', async t => {
  const { target, texts, read } = slowTarget();
  const observed: string[] = [];
  const stream = createEventStream(target, name => observed.push(name));
  stream.send([position('a', 1)]);
  t.deepEqual(texts, ['retry: 5000\n\n'], 'one write at a time');
  await read();
  stream.send([position('a', 2), position('b', 1)]);
  stream.send([position('a', 3)]);
  t.is(texts.length, 2);
  await read();
  t.deepEqual(texts.slice(1), [event('a', 1), event('a', 3) + event('b', 1)]);
  await read();
  stream.send([position('b', 2)]);
  t.is(texts[3], event('b', 2));
  t.deepEqual(observed, ['position', 'position', 'position', 'position']);
});

test('a budget that is gone and back meanwhile is sent as it is', async t => {
  const { target, texts, read } = slowTarget();
  const observed: string[] = [];
  const stream = createEventStream(target, name => observed.push(name));
  stream.send([position('a', 7), { budgetId: 'b', position: null }]);
  stream.send([{ budgetId: 'a', position: null }]);
  stream.send([position('a', 8)]);
  await read();
  t.is(texts[1], `${event('a', 8)}event: gone\ndata: {"budgetId":"b"}\n\n`);
  t.deepEqual(observed, ['position', 'gone']);
});

test('a comment is written only where nothing else is', async t => {
  const { target, texts, read } = slowTarget();
  const stream = createEventStream(target);
  stream.comment();
  t.is(texts.length, 1);
  await read();
  stream.comment();
  stream.comment();
  t.deepEqual(texts.slice(1), [':\n\n']);
});

test('after its end, by either side, nothing is written', async t => {
  for (const end of [
    (stream: EventStream) => stream.end(),
    (stream: EventStream) => stream.stop(),
  ]) {
    const { target, texts, read } = slowTarget();
    const stream = createEventStream(target);
    stream.send([position('a', 1)]);
    end(stream);
    await read();
    stream.send([position('a', 2)]);
    stream.comment();
    t.is(texts.length, 1);
  }
  const failing = slowTarget();
  const stream = createEventStream(failing.target);
  stream.send([position('a', 1)]);
  await failing.read(new Error('the connection is reset'));
  stream.end();
  t.is(failing.texts.length, 1);
  t.is(failing.ended(), 0);
});

test('a client that never reads holds bounded memory, and is cut', async t => {
  let stream: EventStream | undefined;
  let unwritten = () => 0;
  let closed = false;
  const server = await listen(
    (_request, response) => {
      unwritten = () => response.writableLength + (response.socket?.writableLength ?? 0);
      stream = createEventStream(response);
      response.once('close', () => {
        closed = true;
        stream?.stop();
      });
    },
    { host: '127.0.0.1', port: 0, unreadMsMax: 500 },
  );
  t.teardown(() => server.stop(0));
  const socket = connect(server.port, '127.0.0.1').pause();
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  while (stream === undefined) await sleep(5);
  const budgets = Array.from({ length: 1000 }, (_, index) => `budget-${index}`);
  const ofAll = (sequence: number) => budgets.map(budget => position(budget, sequence));
  const oneOfEach = ofAll(1)
    .map(({ budgetId }) => event(budgetId, 1_000_000))
    .join('').length;
  let most = 0;
  for (let sequence = 1; !closed && sequence < 20_000; sequence += 1) {
    stream.send(ofAll(sequence));
    most = Math.max(most, unwritten());
    if (sequence % 10 === 0) await sleep(1);
  }
  t.true(closed, 'the connection is cut');
  t.true(most > 0 && most < 2 * oneOfEach, `${most} bytes wait, ${oneOfEach} is one write`);
});
