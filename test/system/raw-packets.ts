// Packets that no program of good will sends, and random ones made from them.
import { connect, type Socket } from 'node:net';
import type { Random } from '../../src/process/random.ts';

export interface Packet {
  readonly title: string;
  readonly bytes: string | Buffer;
}

/** What a client does once its bytes are sent. */
export type Manner = 'half-close' | 'reset' | 'reset in the answer' | 'go away';

const HEAD = 'GET /docs HTTP/1.1\r\nHost: x\r\n';
const GET = `${HEAD}\r\n`;
const CONNECT = 'CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n';
const UPGRADE = `${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
const POST = 'POST /settings/sign-in HTTP/1.1\r\nHost: x\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`;
const LONG = 'a'.repeat(70_000);

const TEXTS: Readonly<Record<string, string>> = {
  'a CONNECT': CONNECT,
  'a CONNECT behind a GET': GET + CONNECT,
  'a CONNECT behind many GETs': GET.repeat(30) + CONNECT,
  'a CONNECT behind a last GET': `${HEAD}Connection: close\r\n\r\n${CONNECT}`,
  'a CONNECT behind a POST': `${POST}Content-Length: 3\r\n\r\na=b${CONNECT}`,
  'two CONNECTs': CONNECT + CONNECT,
  'a GET behind a CONNECT': CONNECT + GET,
  'nonsense behind a CONNECT': `${CONNECT}\0\0\0`,
  'a CONNECT without a Host': 'CONNECT x:80 HTTP/1.0\r\n\r\n',
  'a CONNECT with a body': CONNECT.replace('\r\n\r\n', '\r\nContent-Length: 5\r\n\r\nabcde'),
  'an upgrade': UPGRADE,
  'an upgrade behind a GET': GET + UPGRADE,
  'a CONNECT behind an upgrade': UPGRADE + CONNECT,
  'an upgrade by CONNECT': `CONNECT x:80 HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n`,
  TRACE: 'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n',
  'a method that is none': 'HACK / HTTP/1.1\r\nHost: x\r\n\r\n',
  'more requests than a connection may have': GET.repeat(1000),
  'requests without a Host': 'GET / HTTP/1.1\r\n\r\n'.repeat(3000),
  'no version': 'GET /\r\n\r\n',
  'HTTP/0.9': 'GET /\r\n',
  'HTTP/1.0': 'GET / HTTP/1.0\r\n\r\n',
  'HTTP/9.9': 'GET / HTTP/9.9\r\n\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'the preface behind a GET': `${GET}PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  h2c: `${HEAD}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  'an asterisk': 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'an absolute target': 'GET http://x/docs HTTP/1.1\r\nHost: x\r\n\r\n',
  'a target of other bytes': 'GET /\xff\xfe?\x80 HTTP/1.1\r\nHost: x\r\n\r\n',
  'broken escapes': 'GET /settings/tokens/%/revoke?%%%=%zz HTTP/1.1\r\nHost: x\r\n\r\n',
  'a long target': `GET /${LONG} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'a long header': `${HEAD}X: ${LONG}\r\n\r\n`,
  'many headers': `${HEAD}${'a: b\r\n'.repeat(9000)}\r\n`,
  'a long header behind GETs': `${GET.repeat(5)}${HEAD}X: ${LONG}\r\n\r\n`,
  'NULs in a header': `${HEAD}X: \0\0\r\n\r\n`,
  'a folded header': `${HEAD}X: a\r\n b\r\n\r\n`,
  'cookies that are none': `${HEAD.replace('/docs', '/settings/tokens')}Cookie: ;;=;%\x80=\xff\r\n\r\n`,
  'a chunk without a length': `${CHUNKED}zz\r\nabc\r\n0\r\n\r\n`,
  'a long chunk extension': `${CHUNKED}5;${LONG}\r\nabcde\r\n0\r\n\r\n`,
  'a long trailer': `${CHUNKED}0\r\nX: ${LONG}\r\n\r\n`,
  'a chunk cut short': `${CHUNKED}ff\r\nab`,
  'two lengths': `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
  'both lengths': `${CHUNKED.slice(0, -2)}Content-Length: 5\r\n\r\n0\r\n\r\n`,
  'a form cut short': `${POST}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 90\r\n\r\nlink=`,
  'a continued body': `${POST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\nabcde`,
  'a continued CONNECT': CONNECT.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'),
  'another expectation': `${HEAD}Expect: miracles\r\n\r\n`,
  'expectations behind GETs': `${GET.repeat(3)}${POST}Expect: x\r\nContent-Length: 1\r\n\r\na${CONNECT}`,
  'a head cut short': 'GET /docs HT',
  'nonsense behind a GET': `${GET}nonsense\r\n\r\n`,
  'nothing at all': '',
};

export const PACKETS: readonly Packet[] = [
  ...Object.entries(TEXTS).map(([title, text]) => ({ title, bytes: Buffer.from(text, 'latin1') })),
  { title: 'the hello of TLS', bytes: Buffer.from([22, 3, 1, 0, 165, 1, 0, 0, 161, 3, 3, 0, 0]) },
  { title: 'NULs', bytes: Buffer.alloc(100_000) },
  { title: 'bytes above ASCII', bytes: Buffer.alloc(100_000, 0xff) },
];

export const MANNERS: readonly Manner[] = ['half-close', 'reset', 'reset in the answer', 'go away'];

/** Resolves once the connection is closed by either side. */
export function sendPacket(port: number, bytes: string | Buffer, manner: Manner): Promise<void> {
  return new Promise(resolve => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      if (manner === 'half-close') socket.end(bytes);
      else socket.write(bytes, () => afterSending(socket, manner));
    });
    socket.on('data', () => {
      if (manner === 'reset in the answer') socket.resetAndDestroy();
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => resolve());
  });
}

function afterSending(socket: Socket, manner: Manner): void {
  if (manner === 'reset') socket.resetAndDestroy();
  if (manner === 'go away') socket.destroy();
  // Ends a connection on which the server waits for more.
  if (manner === 'reset in the answer') socket.end();
}

const SPECIAL = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\0',
  ':',
  ' ',
  '\xff',
  'CONNECT ',
  'HTTP/1.1',
  '0\r\n\r\n',
];

/** Returns one to four of the packets in a row, with a few bytes changed, put in, doubled or left out. */
export function randomPacket(random: Random): Packet {
  const parts = Array.from({ length: random.between(1, 4) }, () => random.pick(PACKETS));
  let bytes = Buffer.concat(parts.map(part => Buffer.from(part.bytes).subarray(0, 20_000)));
  for (let left = random.below(6); left > 0; left -= 1) bytes = mutate(random, bytes);
  return { title: parts.map(({ title }) => title).join(', then '), bytes };
}

function mutate(random: Random, bytes: Buffer): Buffer<ArrayBuffer> {
  const at = random.below(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const few = random.between(1, 20);
  switch (random.below(4)) {
    case 0:
      return Buffer.concat([before, Buffer.from([random.below(256)]), after.subarray(1)]);
    case 1:
      return Buffer.concat([before, Buffer.from(random.pick(SPECIAL), 'latin1'), after]);
    case 2:
      return Buffer.concat([before, after.subarray(0, few), after]);
    default:
      return Buffer.concat([before, after.subarray(few)]);
  }
}
