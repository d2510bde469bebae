// What no ordinary client sends: odd targets and broken HTTP.
import test from 'ava';
import { startMongo, type TestMongo } from '../helpers/mongo.ts';
import { writeBudget, writeSpace } from '../read-store/write-model.ts';
import { type Served, serve } from './serve.ts';

let mongo: TestMongo;
let served: Served;
let token: string;

test.before(async () => {
  mongo = await startMongo();
  served = await serve(mongo, 'http_transport');
  token = await served.issue('anna');
  await writeSpace(served.model, 's1', ['anna']);
  await writeBudget(served.model, { id: 'b1', spaceId: 's1' });
});

test.after.always(async () => {
  await served?.stop();
  await mongo?.stop();
});

const get = (target: string, more = '') =>
  served.raw(
    Buffer.from(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${more}Connection: close\r\n\r\n`,
      'latin1',
    ),
  );

test('Malformed HTTP gets a plain 400', async t => {
  for (const text of [
    'nonsense\r\n\r\n',
    'GET\r\n\r\n',
    'GET /x HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nno header\r\n\r\n',
  ]) {
    const answer = await served.raw(text);
    t.regex(answer, /^HTTP\/1.1 400 Bad Request\r\nConnection: close\r\n\r\n$/);
  }
});

test('A head above the limit of Node is refused', async t => {
  const answer = await get(`/api/v1/budgets?x=${'a'.repeat(20_000)}`);
  t.regex(answer, /^HTTP\/1.1 431 /);
});

test('A whole address as target is taken', async t => {
  t.regex(await get('http://example.com/api/v1/budgets'), /^HTTP\/1.1 200 /);
  t.regex(await get('http://[::1/api/v1/budgets'), /^HTTP\/1.1 200 /);
  for (const target of [
    'http://example.com',
    'ftp://[::1/api/v1/budgets',
    'http://example.com?x=1',
  ]) {
    t.regex(await get(target), /^HTTP\/1.1 404 /, target);
  }
});

test('Bad percent-encodings and raw bytes are 400 invalid_parameter, never 500', async t => {
  for (const query of [
    'budget_id=b1&search=%',
    'budget_id=b1&search=%ff',
    'budget_id=b1&search=\xff',
    'budget_id=b1&search=%u0041',
  ]) {
    const answer = await get(`/api/v1/transactions?${query}`);
    t.regex(answer, /^HTTP\/1.1 400 /, query);
    t.regex(
      answer,
      /"code":"invalid_parameter"|^HTTP\/1.1 400 Bad Request\r\nConnection: close/,
      query,
    );
  }
  t.regex(await get('/api/v1/%zz'), /^HTTP\/1.1 404 /);
});

test('A parameter without a name, and none between ampersands', async t => {
  t.regex(await get('/api/v1/payees?&budget_id=b1&&'), /^HTTP\/1.1 200 /);
  const answer = await get('/api/v1/payees?budget_id=b1&=1');
  t.regex(answer, /"code":"unknown_parameter".*"param":""/);
});

test('A repeated header is one value', async t => {
  const twice = 'X-Projection-Wait-For: 1\r\nX-Projection-Wait-For: 1\r\n';
  t.regex(await get('/api/v1/payees?budget_id=b1', twice), /^HTTP\/1.1 400 /);
});

test('A body of a request is not read', async t => {
  const body = `Content-Length: 5\r\nContent-Type: application/json\r\n`;
  const answer = await served.raw(
    `GET /api/v1/budgets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${body}Connection: close\r\n\r\n{bad}`,
  );
  t.regex(answer, /^HTTP\/1.1 200 /);
});
