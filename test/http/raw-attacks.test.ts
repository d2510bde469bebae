// Bytes that attackers and broken programs send over a socket. Each answer has its headers, nothing is read as a further
// request that was not one, and afterwards the service still answers.
import { connect } from 'node:net';
import { test } from '../helpers/file-test.ts';
import { serveBare } from './serve-bare.ts';

const HEAD = 'GET /docs HTTP/1.1\r\nHost: x\r\n';
const POST = 'POST /api/v1/budgets HTTP/1.1\r\nHost: x\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`;
const LAST = 'Connection: close\r\n\r\n';
/** A good request. After a message whose end is unclear it must not be answered. */
const NEXT = `${HEAD}${LAST}`;
const LONG = 'a'.repeat(20_000);
/** The head is good and the body is not: the answer to the head may come before the refusal of the body. */
const BAD_BODY = /^(401 )?400$/;

/** What is sent, and the status of each answer up to the end of the connection. */
type Attack = readonly [title: string, bytes: string | Buffer, expected: string | RegExp];

const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'the length of a body': [
    ['both headers', `${CHUNKED.trimEnd()}\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${NEXT}`, '400'],
    ['two lengths', `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef${NEXT}`, '400'],
    ['one twice', `${POST}Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde${NEXT}`, '400'],
    ['a list', `${POST}Content-Length: 5, 5\r\n\r\nabcde${NEXT}`, '400'],
    ['below zero', `${POST}Content-Length: -1\r\n\r\n${NEXT}`, '400'],
    ['with a sign', `${POST}Content-Length: +5\r\n\r\nabcde${NEXT}`, '400'],
    ['hexadecimal', `${POST}Content-Length: 0x5\r\n\r\nabcde${NEXT}`, '400'],
    ['beyond 64 bits', `${POST}Content-Length: ${'9'.repeat(23)}\r\n\r\nabcde${NEXT}`, '400'],
    ['right', `${POST}Content-Length: 5\r\n\r\nabcde${NEXT}`, '401 200'],
    ['cut short', `${POST}Content-Length: 5\r\n\r\nab`, BAD_BODY],
  ],
  'chunked bodies': [
    ['unknown', `${POST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${NEXT}`, '400'],
    ['not last', `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${NEXT}`, '400'],
    ['in two lines', `${CHUNKED.trimEnd()}\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n`, '400'],
    ['space before colon', `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${NEXT}`, '400'],
    ['no number', `${CHUNKED}g\r\nabcde\r\n0\r\n\r\n${NEXT}`, BAD_BODY],
    ['below zero', `${CHUNKED}-5\r\nabcde\r\n0\r\n\r\n${NEXT}`, BAD_BODY],
    ['beyond 64 bits', `${CHUNKED}${'f'.repeat(17)}\r\nabcde\r\n0\r\n\r\n${NEXT}`, BAD_BODY],
    ['longer than said', `${CHUNKED}5\r\nabcdefg\r\n0\r\n\r\n${NEXT}`, BAD_BODY],
    ['ended by LF', `${CHUNKED}5\nabcde\n0\n\n${NEXT}`, BAD_BODY],
    ['a long extension', `${CHUNKED}5;${LONG}\r\nabcde\r\n0\r\n\r\n${NEXT}`, BAD_BODY],
    ['a long trailer', `${CHUNKED}0\r\nX: ${LONG}\r\n\r\n${NEXT}`, /^(401 )?431$/],
    ['a length in the trailer', `${CHUNKED}0\r\nContent-Length: 7\r\n\r\n${NEXT}`, BAD_BODY],
    ['right', `${CHUNKED}5;a=b\r\nabcde\r\n0\r\nX: y\r\n\r\n${NEXT}`, '401 200'],
    ['cut short', `${CHUNKED}5\r\nab`, BAD_BODY],
  ],
  'header lines': [
    ['folded', `${HEAD}X: a\r\n b\r\n${LAST}`, '400'],
    ['folded at the start', `GET /docs HTTP/1.1\r\n X: a\r\nHost: x\r\n${LAST}`, '400'],
    ['NUL in a value', `${HEAD}X: a\0b\r\n${LAST}`, '400'],
    ['NUL in a name', `${HEAD}X\0: a\r\n${LAST}`, '400'],
    ['CR in a value', `${HEAD}X: a\rb\r\n${LAST}`, '400'],
    ['ended by LF', 'GET /docs HTTP/1.1\nHost: x\nConnection: close\n\n', '400'],
    ['no colon', `${HEAD}X\r\n${LAST}`, '400'],
    ['no name', `${HEAD}: a\r\n${LAST}`, '400'],
    ['brackets in a name', `${HEAD}X(y): a\r\n${LAST}`, '400'],
    ['too long', `${HEAD}X: ${LONG}\r\n${LAST}`, '431'],
    ['too many', `${HEAD}${'a: b\r\n'.repeat(9000)}${LAST}`, '431'],
    ['two hosts', `${HEAD}Host: y\r\n${LAST}`, '400'],
    ['cut short', HEAD, '400'],
  ],
  'request lines': [
    ['absolute', `GET http://evil.example/docs HTTP/1.1\r\nHost: x\r\n${LAST}`, '200'],
    ['authority', `GET x:80 HTTP/1.1\r\nHost: x\r\n${LAST}`, '400'],
    ['asterisk', `OPTIONS * HTTP/1.1\r\nHost: x\r\n${LAST}`, '404'],
    ['dots', `GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n${LAST}`, '404'],
    ['two targets', `GET /docs /docs HTTP/1.1\r\nHost: x\r\n${LAST}`, '400'],
    ['a fragment', `GET /docs#x HTTP/1.1\r\nHost: x\r\n${LAST}`, '404'],
    ['no host in a path', `GET //a@[::1# HTTP/1.1\r\nHost: x\r\n${LAST}`, '404'],
    ['NUL', `GET /docs\0 HTTP/1.1\r\nHost: x\r\n${LAST}`, '400'],
    ['too long', `GET /${LONG} HTTP/1.1\r\nHost: x\r\n${LAST}`, '431'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400'],
    ['HTTP/1.2', `GET /docs HTTP/1.2\r\nHost: x\r\n${LAST}`, '400'],
    ['HTTP/0.9', 'GET /docs\r\n', '400'],
    ['HTTP/1.0', 'GET /docs HTTP/1.0\r\n\r\n', '200'],
    ['a method in lower case', `get /docs HTTP/1.1\r\nHost: x\r\n${LAST}`, '400'],
    ['a method that is none', `HACK /docs HTTP/1.1\r\nHost: x\r\n${LAST}`, '400'],
    ['TRACE', `TRACE /docs HTTP/1.1\r\nHost: x\r\n${LAST}`, '405'],
    ['CONNECT', `CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n${NEXT}`, '404'],
    ['cut short', 'GET /docs HT', '400'],
  ],
  connections: [
    ['TLS', Buffer.from([22, 3, 1, 0, 165, 1, 0, 0, 161, 3, 3]), '400'],
    ['bytes above ASCII', Buffer.alloc(5000, 0xff), '400'],
    ['NULs', Buffer.alloc(5000), '400'],
    ['nothing', '', ''],
    ['empty lines first', `\r\n\r\n\r\n${NEXT}`, '200'],
    ['CONNECT behind a request', `${HEAD}\r\nCONNECT x:80 HTTP/1.1\r\nHost: x\r\n\r\n`, '200 404'],
    // Without bodies: a client that closes its side gets no answers that the system cannot take at once.
    [
      'many requests at once',
      `${`${HEAD.replace('GET', 'HEAD')}\r\n`.repeat(20)}${NEXT}`,
      '200 '.repeat(21).trim(),
    ],
    ['a request, then none', `${HEAD}\r\nnonsense\r\n\r\n`, /^(200 )?400$/],
    ['more after the last', `${NEXT}${NEXT}`, /^(200|400)$/],
    [
      'Expect',
      `${POST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\nabcde${NEXT}`,
      '100 401 200',
    ],
    ['h2c', `${HEAD}Upgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n`, '200'],
  ],
};

/** Sends bytes and closes this direction of the connection. Returns everything received until the other one closes. */
function send(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', chunk => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}

for (const [what, attacks] of Object.entries(ATTACKS)) {
  test(`attack: ${what}`, async t => {
    const served = await serveBare(t);
    for (const [title, bytes, expected] of attacks) {
      const answer = await send(served.port, bytes);
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
      const got = statuses.join(' ');
      if (typeof expected === 'string') t.is(got, expected, title);
      else t.regex(got, expected, title);
      const final = statuses.filter(status => status !== '100').length;
      for (const header of ['Date', 'X-Request-Id', 'X-RateLimit-Remaining']) {
        t.is(answer.split(`\r\n${header}: `).length - 1, final, `${title}: ${header}`);
      }
      t.regex(await served.raw(NEXT), /^HTTP\/1\.1 200 /, `after ${title}`);
    }
    t.false(served.observed.some(({ status }) => status >= 500));
  });
}
