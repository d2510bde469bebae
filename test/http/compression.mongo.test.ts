// Compressed answers: the same bodies, the same ETag, and HEAD like GET.
import { get as httpGet, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Middleware } from '../../src/http/request-state.ts';
import { eventually } from '../helpers/eventually.ts';
import { test } from '../helpers/file-test.ts';
import { account, budget, payee, row, space } from '../model/scene.ts';
import { codings, decompress } from './decompress.ts';
import { useServed } from './use-served.ts';

let token: string;

const PAYEES = 60;
const TRIES_MAX = 20;
const pages: Middleware = async (ctx, next) => {
  if (ctx.state.path === '/settings') ctx.body = 'a page with a form '.repeat(200);
  else await next();
};

const served = useServed(test, { name: 'http_compression', pages }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project(
    'b1',
    ...[budget('s1'), account('home')],
    ...Array.from({ length: PAYEES }, (_, index) => payee(`payee-${index}`)),
    ...Array.from({ length: 40 }, (_, index) => row(`t${index}`, { memo: 'Käse und Brot' })),
  );
  await project('small', budget('s1'));
});

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The bytes of the connection. */
  readonly bytes: Buffer;
  /** After decompression. */
  readonly body: Buffer;
}

/** Asks again while the database of a busy machine pauses. */
async function ask(
  path: string,
  acceptEncoding: string | undefined,
  headers: Record<string, string> = {},
): Promise<Got> {
  for (let tries = 1; ; tries += 1) {
    const got = await askOnce(path, acceptEncoding, headers);
    if (got.status !== 503 || tries === TRIES_MAX) return got;
  }
}

/** Asks as it is: the client of `fetch` adds a header and decompresses. */
function askOnce(
  path: string,
  acceptEncoding: string | undefined,
  { method = 'GET', ...headers }: Record<string, string>,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(served.origin + path, {
      method,
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', response => {
      const { statusCode: status = 0, headers: got } = response;
      buffer(response).then(bytes => {
        const coding = got['content-encoding'] ?? null;
        const isEmpty = bytes.length === 0;
        const body = isEmpty ? bytes : decompress(bytes, coding);
        resolve({ status, headers: got, bytes, body });
      }, reject);
    });
    sent.end();
  });
}

const LARGE = [
  '/api/v1/payees?budget_id=b1',
  '/api/v1/transactions?budget_id=b1',
  '/api/v1/changes?budget_id=b1',
  '/api/v1/openapi.json',
  '/docs',
  '/docs/page.js',
];

for (const path of LARGE) {
  for (const coding of codings) {
    test(`${path} by ${coding}: the same body and ETag, HEAD and 304 with them`, async t => {
      const plain = await ask(path, undefined);
      t.is(plain.headers['content-encoding'], undefined);
      t.is(Number(plain.headers['content-length']), plain.bytes.length);
      // The second answer is one that was kept.
      for (const time of ['first', 'second']) {
        const got = await ask(path, coding);
        t.is(got.status, 200);
        t.is(got.headers['content-encoding'], coding, time);
        t.deepEqual(got.body, plain.body, time);
        t.true(got.bytes.length < plain.bytes.length / 2);
        t.is(Number(got.headers['content-length']), got.bytes.length);
        for (const name of ['etag', 'vary', 'content-type', 'link', 'x-projection-position']) {
          t.is(got.headers[name], plain.headers[name], name);
        }
      }
      const { headers } = await ask(path, coding);
      t.regex(headers.vary ?? '', /(^|, )Accept-Encoding(,|$)/);
      const head = await ask(path, coding, { method: 'HEAD' });
      t.is(head.bytes.length, 0);
      for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary']) {
        t.is(head.headers[name], headers[name], name);
      }
      const again = await ask(path, coding, { 'if-none-match': plain.headers.etag ?? '' });
      t.is(again.status, 304);
      t.is(again.headers['content-encoding'], undefined);
      t.is(again.headers.vary, headers.vary);
      t.is(again.bytes.length, 0);
    });
  }
}

test('a client that asks without compression after one with it gets the body as it is', async t => {
  const path = '/api/v1/payees?budget_id=b1&limit=50';
  const compressed = await ask(path, 'gzip');
  const plain = await ask(path, undefined);
  t.is(plain.headers['content-encoding'], undefined);
  t.deepEqual(JSON.parse(plain.bytes.toString()), JSON.parse(compressed.body.toString()));
});

test('CSV is compressed too, and keeps its type and ETag', async t => {
  const path = '/api/v1/transactions?budget_id=b1';
  const csv = { accept: 'text/csv' };
  const plain = await ask(path, undefined, csv);
  const got = await ask(path, 'gzip', csv);
  t.is(got.headers['content-encoding'], 'gzip');
  t.is(got.headers['content-type'], 'text/csv; charset=utf-8; header=present');
  t.is(got.headers.vary, 'Accept-Encoding, Authorization, Accept');
  t.is(got.headers.etag, plain.headers.etag);
  t.deepEqual(got.body, plain.body);
  const json = await ask(path, 'gzip');
  t.not(json.headers.etag, got.headers.etag);
  t.notThrows(() => JSON.parse(json.body.toString()));
});

test('a change of the budget changes the compressed answer', async t => {
  const path = '/api/v1/payees?budget_id=changing';
  const payees = (from: number) => Array.from({ length: 40 }, (_, at) => payee(`one-${from + at}`));
  await served.model.project('changing', budget('s1'), ...payees(0));
  const before = await ask(path, 'gzip');
  await served.model.project('changing', ...payees(40));
  const after = await ask(path, 'gzip');
  t.is(JSON.parse(before.body.toString()).payees.length, 40);
  t.is(JSON.parse(after.body.toString()).payees.length, 80);
});

test('small answers and errors stay as they are, and say that others would not', async t => {
  for (const path of ['/api/v1/budgets', '/api/v1/payees?budget_id=small', '/api/v1/nothing']) {
    const got = await ask(path, 'gzip');
    t.is(got.headers['content-encoding'], undefined, path);
    t.regex(got.headers.vary ?? '', /^Accept-Encoding/, path);
  }
  const refusing = await ask('/api/v1/payees?budget_id=small', 'gzip, identity;q=0');
  t.is(refusing.headers['content-encoding'], 'gzip');
  t.deepEqual(JSON.parse(refusing.body.toString()).payees, []);
});

test('a small answer stays as it is, also after a client that refused it so', async t => {
  const path = '/api/v1/payees?budget_id=small';
  t.is((await ask(path, 'gzip, identity;q=0')).headers['content-encoding'], 'gzip');
  t.is((await ask(path, 'gzip')).headers['content-encoding'], undefined);
});

test('a large error is compressed like any answer', async t => {
  const names = Array.from({ length: 19 }, (_, index) => `unknown_${index}=1`).join('&');
  const got = await ask(`/api/v1/payees?${names}`, 'gzip');
  t.is(got.status, 400);
  t.is(got.headers['content-encoding'], 'gzip');
  t.is(JSON.parse(got.body.toString()).error.code, 'unknown_parameter');
});

test('pages with forms are never compressed', async t => {
  const got = await ask('/settings', 'gzip, br, zstd');
  t.is(got.status, 200);
  t.is(got.headers['content-encoding'], undefined);
  t.true(got.bytes.length > 1400);
});

test('a header as long as Node admits gets the body as it is', async t => {
  const path = '/api/v1/payees?budget_id=b1';
  const got = await ask(path, 'gzip;q=0.5,'.repeat(1300));
  t.is(got.status, 200);
  t.is(got.headers['content-encoding'], undefined);
});

// Serial, because other requests take places too.
test.serial('an abandoned download gives its place back', async t => {
  const { requests } = served.bounds;
  for (let time = 0; time < 20; time += 1) {
    const url = `${served.origin}/api/v1/transactions?budget_id=b1&limit=${20 + time}`;
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'br' };
    const sent = httpGet(url, { agent: false, headers });
    sent.on('error', () => {});
    setTimeout(() => sent.destroy(), time);
  }
  await eventually(t, async tried => {
    tried.is(requests.taken(), 0);
  });
  t.is((await ask('/api/v1/payees?budget_id=b1', 'gzip')).status, 200);
});
