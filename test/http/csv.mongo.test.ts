// /transactions as CSV, and the link to its next page (rules/api.md#csv).
import { parse } from 'csv-parse/sync';
import { test } from '../helpers/file-test.ts';
import { account, budget, label, row, space } from '../model/scene.ts';
import { followLinks } from './follow-links.ts';
import { serve } from './serve.ts';
import { useServed } from './use-served.ts';

let token: string;
const CSV = 'text/csv; charset=utf-8; header=present';
const JSON_TYPE = 'application/json; charset=utf-8';

const MEMOS = ['plain', 'with, comma', '"quoted"', '=SUM(A1)', 'zwei\r\nZeilen'];
const IDS = Array.from({ length: 25 }, (_, index) => `t${String(index).padStart(2, '0')}`);

const served = useServed(test, { name: 'http_csv' }, async () => {
  token = await served.issue('anna');
  await served.model.project('s1', ...space(['anna']));
  await served.model.project(
    'b1',
    ...[budget('s1'), account('home'), label('l1', 'One'), label('l2', 'Two')],
    ...IDS.map((id, index) =>
      row(id, {
        memo: MEMOS[index % 5] ?? '',
        cleared: index % 2 === 0,
        labelIds: index === 3 ? ['l1', 'l2'] : [],
      }),
    ),
  );
});

const read = (query = '', headers: Record<string, string> = { accept: 'text/csv' }) =>
  served.api(`/transactions?budget_id=b1${query}`, { token, headers });

test('the header Accept decides, by its rules of precedence; JSON otherwise, as ever', async t => {
  const forms: Record<string, string> = {
    'text/csv': CSV,
    'TEXT/CSV; charset=UTF-8': CSV,
    'text/*': CSV,
    'text/csv, */*': CSV,
    'application/json;q=0.5, text/csv;q=0.6': CSV,
    '*/*': JSON_TYPE,
    'text/csv;q=0.9, application/json': JSON_TYPE,
    'text/csv;q=0, */*': JSON_TYPE,
    'text/csv;q=0': JSON_TYPE,
    'text/csv;q=0.1, */*': JSON_TYPE,
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8': JSON_TYPE,
    'image/png': JSON_TYPE,
    'text/csv; charset=latin1': JSON_TYPE,
    junk: JSON_TYPE,
    [`text/csv${', a/b'.repeat(98)}`]: CSV,
    // Reading it would take seconds: each comma behind an open quote is looked for again.
    [`text/csv,${'"'.repeat(3999)}${','.repeat(3999)}`]: JSON_TYPE,
  };
  for (const [accept, type] of Object.entries(forms)) {
    const { status, headers } = await read('&limit=1', { accept });
    t.is(status, 200, accept);
    t.is(headers.get('content-type'), type, accept);
    t.is(headers.get('vary'), 'Accept-Encoding, Authorization, Accept', accept);
  }
  const none = await served.raw(
    `GET /api/v1/transactions?budget_id=b1&limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
  );
  t.regex(none, /\r\nContent-Type: application\/json; charset=utf-8\r\n/);
});

test('the same rows in the same order as in JSON, with filters and pages', async t => {
  for (const query of [
    '',
    '&limit=7',
    '&limit=7&offset=7',
    '&uncleared=true',
    '&search=comma',
    '&offset=99',
  ]) {
    const { text } = await read(query);
    const json = await read(query, {});
    const lines = parse(text, { columns: true, record_delimiter: '\r\n' }) as Record<
      string,
      string
    >[];
    t.true(text.endsWith('\r\n'));
    t.deepEqual(
      lines.map(({ id, memo, labels, cleared }) => ({ id, memo, labels, cleared })),
      json.body.transactions.map((row: Record<string, unknown>) => ({
        id: row.id,
        memo: row.memo,
        labels: (row.labels as { name: string }[]).map(({ name }) => name).join('; '),
        cleared: String(row.cleared),
      })),
      query,
    );
  }
});

test('each form has an ETag of its own, with 304 and HEAD', async t => {
  const csv = await read();
  const json = await read('', {});
  t.not(csv.headers.get('etag'), json.headers.get('etag'));
  t.is(csv.headers.get('x-projection-position'), String(IDS.length + 4));
  t.is(csv.headers.get('cache-control'), 'private, no-cache');
  const matching = { accept: 'text/csv', 'if-none-match': csv.headers.get('etag') ?? '' };
  const again = await read('', matching);
  t.is(again.status, 304);
  t.is(again.text, '');
  t.is(again.headers.get('vary'), 'Accept-Encoding, Authorization, Accept');
  t.is((await read('', { ...matching, accept: 'application/json' })).status, 200);
  const head = await served.api('/transactions?budget_id=b1', {
    token,
    method: 'HEAD',
    headers: { accept: 'text/csv', 'accept-encoding': 'identity' },
  });
  t.is(head.headers.get('content-type'), CSV);
  t.is(head.headers.get('content-length'), String(Buffer.byteLength(csv.text)));
});

test('errors stay JSON', async t => {
  for (const [query, status] of [
    ['&limit=0', 400],
    ['&account_id=nowhere', 404],
  ] as const) {
    const { status: got, headers, body } = await read(query);
    t.is(got, status);
    t.is(headers.get('content-type'), JSON_TYPE);
    t.truthy(body.error.code);
  }
});

test('only /transactions has CSV', async t => {
  const { headers } = await served.api('/payees?budget_id=b1', {
    token,
    headers: { accept: 'text/csv' },
  });
  t.is(headers.get('content-type'), JSON_TYPE);
  t.is(headers.get('vary'), 'Accept-Encoding, Authorization');
});

for (const accept of ['text/csv', 'application/json']) {
  test(`where a page was full, Link leads through all pages: ${accept}`, async t => {
    const path = '/api/v1/transactions?budget_id=b1&limit=10';
    const pages = await followLinks(served, path, { token, headers: { accept } });
    t.deepEqual(
      pages.map(({ headers }) => headers.get('link')),
      [`<${path}&offset=10>; rel="next"`, `<${path}&offset=20>; rel="next"`, null],
    );
    const seen = pages.flatMap(({ text, body }): string[] => {
      const ids: string[] | undefined = body?.transactions.map(({ id }: { id: string }) => id);
      return ids ?? [...text.matchAll(/^(t\d\d),/gm)].map(([, id]) => id ?? '');
    });
    t.deepEqual(seen, IDS.toReversed());
  });
}

test('PUBLIC_URL makes the link absolute', async t => {
  const publicUrl = 'https://budgeting.example.com';
  const there = await serve(served.mongo, 'http_csv_public', {
    readModel: served.db,
    config: { publicUrl },
  });
  t.teardown(() => there.stop());
  const own = await there.issue('anna');
  const { headers } = await there.api('/transactions?budget_id=b1&limit=1', { token: own });
  const path = '/api/v1/transactions?budget_id=b1&limit=1&offset=1';
  t.is(headers.get('link'), `<${publicUrl}${path}>; rel="next"`);
});
