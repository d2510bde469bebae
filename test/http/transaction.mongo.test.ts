// GET /transactions/{transaction_id}
import { test } from '../helpers/file-test.ts';
import { account, budget, label, row, space } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import { expectSame404 } from './same-404.ts';
import { useServed } from './use-served.ts';

let token: string;

const LONG = 'x'.repeat(128);
const IDS = ['t1', 't2', '.', '..', '~a:b.c-d_e', LONG];

const served = useServed(test, { name: 'http_transaction' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project('s2', ...space(['ben']));
  const rows = IDS.map(id => row(id, { accountId: 'a1', memo: `memo "${id}" é` }));
  await project('b1', budget('s1'), account('a1'), label('l1'), ...rows);
  await project('b2', budget('s1'), account('a1'), row('other', { accountId: 'a1' }));
  await project('bens', budget('s2'), account('a1'), row('t1', { accountId: 'a1' }));
});

const get = (path: string, headers: Record<string, string> = {}) =>
  served.api(`/transactions/${path}`, { token, headers });

test('the bare Transaction, byte for byte that of the list', async t => {
  const { text: list } = await served.api('/transactions?budget_id=b1', { token });
  for (const id of ['t1', '~a:b.c-d_e', LONG]) {
    const { status, text, body, headers } = await get(`${id}?budget_id=b1`);
    t.is(status, 200, id);
    t.is(body.id, id);
    t.is(holdsTo('transaction', body), null);
    t.true(list.includes(text));
    t.is(headers.get('content-type'), 'application/json; charset=utf-8');
    t.is(headers.get('vary'), 'Accept-Encoding, Authorization');
    t.is(headers.get('link'), null);
    t.is(headers.get('x-projection-position'), String(3 + IDS.length));
  }
});

test('the target is split as it was sent, and decoded once', async t => {
  const raw = async (target: string) => {
    const head = `GET /api/v1/transactions/${target} HTTP/1.1\r\nHost: x\r\n`;
    const answer = await served.raw(
      `${head}Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    const { error, id } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    const param = error?.details?.[0]?.param;
    return [answer.slice(9, 12), id ?? error.code, ...(param ? [param] : [])].join(' ');
  };
  const bad = '400 invalid_parameter transaction_id';
  for (const [target, expected] of [
    ['.', '200 .'],
    ['..', '200 ..'],
    ['%2e%2E', '200 ..'],
    ['%74%31', '200 t1'],
    [LONG, `200 ${LONG}`],
    [`${LONG}x`, bad],
    ['t1%2Ft2', bad],
    ['t1%252F', bad],
    ['%2574', bad],
    ['t%', bad],
    ['t%ff', bad],
    // Node's parser refuses it: it never becomes a request.
    ['t\xff', '400 invalid_parameter'],
    ['a+b', bad],
    ['nowhere', '404 not_found'],
  ] as const) {
    t.is(await raw(`${target}?budget_id=b1`), expected, target);
  }
  for (const target of ['', '/', 't1/', 't1/t2', '/t1', './t1']) {
    t.is(await raw(`${target}?budget_id=b1`), '404 not_found', target);
  }
});

test('a bad id comes first in details, and any parameter but budget_id is unknown', async t => {
  const { status, body } = await get('a%20b?limit=1&colour=1');
  t.is(status, 400);
  t.deepEqual(
    body.error.details.map(({ code, param }: Record<string, string>) => `${code} ${param}`),
    [
      'invalid_parameter transaction_id',
      'unknown_parameter limit',
      'unknown_parameter colour',
      'missing_parameter budget_id',
    ],
  );
});

test('404: absent, of another budget, of another owner, and an id of another kind', async t => {
  const absent = await get('t1?budget_id=nowhere');
  for (const path of [
    ...['nowhere?budget_id=b1', 'other?budget_id=b1', 'a1?budget_id=b1', 'l1?budget_id=b1'],
    't1?budget_id=bens',
  ]) {
    expectSame404(t, absent, [path, await get(path)]);
  }
});

test('ETag, 304, HEAD and wait-for are those of every endpoint; 404 comes before 304', async t => {
  const path = 't1?budget_id=b1';
  const { headers, text } = await get(path);
  const etag = headers.get('etag') ?? '';
  t.is((await get(path, { 'if-none-match': etag })).status, 304);
  t.is((await get('nowhere?budget_id=b1', { 'if-none-match': etag })).status, 404);
  t.is((await get('nowhere?budget_id=b1', { 'if-none-match': '*' })).status, 404);
  const head = await served.api(`/transactions/${path}`, { token, method: 'HEAD' });
  t.is(head.status, 200);
  t.is(head.headers.get('content-length'), String(Buffer.byteLength(text)));
  const ahead = { 'x-projection-wait-for': '999', 'x-projection-wait-seconds': '0' };
  t.is((await get(path, ahead)).status, 503);
  t.is((await served.api(`/transactions/${path}`, { token, method: 'POST' })).status, 405);
  const plain = await get(path, { accept: 'text/csv' });
  t.is(plain.headers.get('content-type'), 'application/json; charset=utf-8');
});

test('a deleted transaction is 404, and an id made again is the new row', async t => {
  const path = 't2?budget_id=b3';
  const { project } = served.model;
  await project('b3', budget('s1'), account('a1'), row('t2', { accountId: 'a1', memo: 'old' }));
  t.is((await get(path)).body.memo, 'old');
  await project('b3', { type: 'transaction.deleted', data: { transactionId: 't2' } });
  t.is((await get(path)).status, 404);
  await project('b3', row('t2', { accountId: 'a1', memo: 'new' }));
  t.is((await get(path)).body.memo, 'new');
});
