// Clients that break the rules of HTTP, by malice or by mistake. Nothing that a client sends may end a reader, and what
// nobody reads may not occupy a reader for ever.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../histories/random.ts';
import type { Fault } from './fault.ts';
import type { Supervised } from './product.ts';
import type { World } from './world.ts';

const GET = 'GET /docs HTTP/1.1\r\nHost: x\r\n';
const CONNECT = 'CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n';
const POST = 'POST /api/v1/budgets HTTP/1.1\r\nHost: x\r\n';
const UPGRADE = `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

const PACKETS: readonly (string | Buffer)[] = [
  CONNECT,
  `${GET}\r\n${CONNECT}`,
  `${GET}\r\n`.repeat(20) + CONNECT + CONNECT,
  UPGRADE,
  `${GET}\r\n${UPGRADE}\x81\x05hello`,
  `${GET}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  `${POST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n${CONNECT}`,
  `${POST}Expect: something\r\nContent-Length: 5\r\n\r\nabcde${GET}\r\n`,
  `${POST}Transfer-Encoding: chunked\r\n\r\ng\r\n`,
  `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  `${GET}X: ${'a'.repeat(20_000)}\r\n\r\n`,
  `${GET}\r\nnonsense\r\n\r\n${CONNECT}`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  Buffer.from([22, 3, 1, 0, 165, 1, 0, 0, 161, 3, 3]),
  Buffer.alloc(5000, 0xff),
];
const PACKETS_SENT = 60;
const LINGER_MS = [0, 150] as const;
/** By then the supervisor has noticed a dead process. */
const DEATH_SEEN_MS = 1500;

/** A large answer that needs no token. */
const LARGE = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
const PIPELINED = 60;
const SILENT_CLIENTS = 8;
const SILENT_MS_MAX = 180_000;
const PROBE_MS = 500;

export const CLIENT_FAULTS: readonly Fault[] = [
  {
    name: 'raw packets at a reader',
    weight: 2,
    of: 'readers',
    async run({ readers, blame }, random) {
      const reader = random.pick(readers);
      const starts = reader.starts();
      for (let sent = 0; sent < PACKETS_SENT; sent += 1) {
        const address = reader.address(random.pick(['Read API', 'Operators']));
        if (address !== null) await sendAny(address, random);
      }
      await sleep(DEATH_SEEN_MS);
      if (reader.starts() !== starts) blame(`${reader.name} was ended by what a client sent`);
    },
  },
  {
    name: 'clients that never read',
    weight: 1,
    of: 'readers',
    isLong: true,
    async run(world, random) {
      const reader = random.pick(world.readers);
      const clients = Array.from({ length: SILENT_CLIENTS }, () => neverRead(reader));
      const lefts = await Promise.all(clients);
      const left = lefts.filter(isLeft => isLeft).length;
      if (left > 0) blameSilent(world, reader, left);
    },
  },
];

function blameSilent({ blame }: World, { name }: Supervised, left: number): void {
  blame(
    `${name} keeps ${left} connections whose clients have read nothing for ${SILENT_MS_MAX} ms`,
  );
}

/** Sends one packet or two, whole or in part, and goes away in any manner. */
async function sendAny(address: string, random: Random): Promise<void> {
  const packets = random.some(PACKETS, random.between(1, 2)).map(packet => Buffer.from(packet));
  const bytes = Buffer.concat(packets);
  const part = random.chance(0.7) ? bytes : bytes.subarray(0, random.below(bytes.length));
  const socket = await opened(address);
  if (socket === null) return;
  if (random.chance(0.8)) socket.resume();
  if (random.chance(0.3)) socket.end(part);
  else socket.write(part);
  await sleep(random.between(...LINGER_MS));
  if (random.chance(0.5)) socket.resetAndDestroy();
  else socket.destroy();
}

/** Asks for many large answers and reads none. Returns whether the reader still keeps the connection in the end. */
async function neverRead(reader: Supervised): Promise<boolean> {
  const address = reader.address('Read API');
  const socket = address === null ? null : await opened(address);
  if (socket === null) return false;
  socket.pause();
  socket.write(LARGE.repeat(PIPELINED));
  const deadline = Date.now() + SILENT_MS_MAX;
  while (!socket.destroyed && Date.now() < deadline) {
    await sleep(PROBE_MS);
    // Only a write finds out that the other side is gone: the end itself is behind the answers that are not read.
    socket.write('\r\n');
  }
  const isLeft = !socket.destroyed;
  socket.destroy();
  return isLeft;
}

/** Returns null where nobody listens. */
async function opened(address: string): Promise<Socket | null> {
  const { port, hostname } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await once(socket, 'connect').catch(() => socket.destroy());
  return socket.destroyed ? null : socket;
}
