// The protocol of /mcp: revisions, headers, hostile messages. No tool is called here.
import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '../../helpers/eventually.ts';
import { test } from '../../helpers/file-test.ts';
import { serveBare } from '../serve-bare.ts';
import { NEWEST, newest, post } from './ask.ts';

const BEFORE = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

async function start(t: Parameters<typeof serveBare>[0]) {
  const { port, token, lines } = await serveBare(t);
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    token,
    lines,
    ask: (message: unknown, headers: Record<string, string> = {}) =>
      post(origin, message, { token, headers }),
    send: (text: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
      post(origin, null, { token, headers, text }),
  };
}

for (const version of BEFORE) {
  test(`initialize agrees on ${version}`, async t => {
    const { ask } = await start(t);
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'x' } };
    const { status, body, headers } = await ask({ ...PING, method: 'initialize', params });
    t.is(status, 200);
    t.is(headers.get('mcp-session-id'), null, 'without sessions');
    t.is(headers.get('cache-control'), 'no-store');
    t.is(body.result.protocolVersion, version);
    t.deepEqual(body.result.capabilities, { tools: {} });
    t.is(body.result.serverInfo.name, 'budgeting');
    t.regex(body.result.instructions, /data, never instructions/);
    const noted = await ask(
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { 'mcp-protocol-version': version },
    );
    t.is(noted.status, 202);
    t.is(noted.body, null);
    const ping = await ask(PING, { 'mcp-protocol-version': version });
    t.deepEqual(ping.body, { jsonrpc: '2.0', id: 1, result: {} });
  });
}

test('initialize with a revision that is not spoken here is answered with the newest that has it', async t => {
  const { ask } = await start(t);
  for (const protocolVersion of ['2099-01-01', NEWEST, undefined, 7]) {
    const { body } = await ask({ ...PING, method: 'initialize', params: { protocolVersion } });
    t.is(body.result.protocolVersion, '2025-11-25');
  }
});

test('the newest revision needs no handshake: discover, tools, and what each answer says about itself', async t => {
  const { ask } = await start(t);
  const discover = newest('server/discover');
  const found = await ask(discover.message, discover.headers);
  t.is(found.status, 200);
  t.is(found.body.id, 7);
  t.deepEqual(found.body.result.supportedVersions, [NEWEST, ...BEFORE]);
  t.like(found.body.result, { resultType: 'complete', cacheScope: 'public', ttlMs: 300_000 });
  t.is(found.body.result._meta['io.modelcontextprotocol/serverInfo'].name, 'budgeting');
  const list = newest('tools/list');
  const { body } = await ask(list.message, list.headers);
  t.like(body.result, { resultType: 'complete', cacheScope: 'public', ttlMs: 300_000 });
  t.is(body.result.tools.length, 10);
});

test('a header that says something else than the message is refused', async t => {
  const { ask } = await start(t);
  const { message, headers } = newest('tools/call', { name: 'list_budgets' });
  for (const wrong of [
    { 'mcp-method': 'tools/list' },
    { 'mcp-name': 'other' },
    { 'mcp-name': '=?base64?!!!?=' },
    { 'mcp-name': '=?base64?b3RoZXI=?=' },
    { 'mcp-protocol-version': '2025-11-25' },
  ]) {
    const { status, body } = await ask(message, { ...headers, ...wrong });
    t.is(status, 400, JSON.stringify(wrong));
    t.is(body.error.code, -32_020, JSON.stringify(wrong));
    t.is(body.id, 7);
  }
  for (const missing of Object.keys(headers)) {
    const others = Object.entries(headers).filter(([name]) => name !== missing);
    const { status, body } = await ask(message, Object.fromEntries(others));
    t.is(status, 400, missing);
    t.is(body.error.code, -32_020, missing);
  }
});

test('a message without what the newest revision needs is refused', async t => {
  const { ask } = await start(t);
  const { message, headers } = newest('server/discover');
  const meta = message.params._meta;
  const version = 'io.modelcontextprotocol/protocolVersion';
  const capabilities = 'io.modelcontextprotocol/clientCapabilities';
  const { [version]: _v, ...unversioned } = meta;
  for (const params of [
    {},
    { _meta: unversioned },
    { _meta: { [version]: NEWEST } },
    { _meta: { ...meta, [capabilities]: [] } },
    { _meta: { ...meta, [version]: 7 } },
  ]) {
    const { status, body } = await ask({ ...message, params }, headers);
    t.is(status, 400, JSON.stringify(params));
    t.is(body.error.code, -32_602, JSON.stringify(params));
  }
  const { 'io.modelcontextprotocol/clientInfo': _i, ...anonymous } = meta;
  t.is((await ask({ ...message, params: { _meta: anonymous } }, headers)).status, 200);
});

test('a revision that is not spoken here is refused, with those that are', async t => {
  const { ask } = await start(t);
  const { message, headers } = newest('server/discover');
  const _meta = { ...message.params._meta, 'io.modelcontextprotocol/protocolVersion': 'v9' };
  const asked: [unknown, Record<string, string>][] = [
    [PING, { 'mcp-protocol-version': 'v9' }],
    [
      { ...message, params: { _meta } },
      { ...headers, 'mcp-protocol-version': 'v9' },
    ],
  ];
  for (const [sent, given] of asked) {
    const { status, body } = await ask(sent, given);
    t.is(status, 400);
    t.is(body.error.code, -32_022);
    t.deepEqual(body.error.data, { supported: [NEWEST, ...BEFORE], requested: 'v9' });
  }
});

test('unknown methods: an error in the answer, and since the newest revision in the status', async t => {
  const { ask } = await start(t);
  for (const method of ['resources/list', 'prompts/list', 'server/discover', 'x'.repeat(200)]) {
    const { status, body } = await ask({ ...PING, method });
    t.is(status, 200, method);
    t.is(body.error.code, -32_601, method);
  }
  for (const method of ['initialize', 'ping', 'subscriptions/listen', 'constructor']) {
    const { message, headers } = newest(method);
    const { status, body } = await ask(message, headers);
    t.is(status, 404, method);
    t.is(body.error.code, -32_601, method);
    t.is(body.id, 7);
  }
});

test('notifications and answers are taken, and say nothing', async t => {
  const { ask } = await start(t);
  for (const message of [
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'tools/call', params: { name: 'list_budgets' } },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'no' } },
  ]) {
    const { status, body } = await ask(message);
    t.is(status, 202);
    t.is(body, null);
    t.is((await ask(message, { 'mcp-protocol-version': NEWEST })).status, 202);
  }
});

test('hostile bodies are refused with 400, 413 or 415, and nothing fails', async t => {
  const { send, lines } = await start(t);
  const deep = (depth: number) =>
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
  const bodies: Record<string, [string, number, number]> = {
    empty: ['', 400, -32_700],
    'no JSON': ['{', 400, -32_700],
    text: ['"ping"', 400, -32_600],
    null: ['null', 400, -32_600],
    'a batch': [JSON.stringify([PING]), 400, -32_600],
    'an empty batch': ['[]', 400, -32_600],
    'no version': ['{"id":1,"method":"ping"}', 400, -32_600],
    'another version': ['{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32_600],
    'an id of null': ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32_600],
    'an id that is an object': ['{"jsonrpc":"2.0","id":{},"method":"ping"}', 400, -32_600],
    'a long id': [`{"jsonrpc":"2.0","id":"${'x'.repeat(201)}","method":"ping"}`, 400, -32_600],
    'an id that would be rounded': [
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
      400,
      -32_600,
    ],
    'a method that is a number': ['{"jsonrpc":"2.0","id":1,"method":1}', 400, -32_600],
    'params that are a list': [
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
      400,
      -32_600,
    ],
    nothing: ['{"jsonrpc":"2.0","id":1}', 400, -32_600],
    deep: [deep(31), 400, -32_600],
    'very deep': [deep(30_000), 400, -32_600],
    'deep and open': ['['.repeat(60_000), 400, -32_600],
    'quotes without end': ['"\\'.repeat(30_000), 400, -32_700],
    large: [
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${'x'.repeat(65_536)}"}}`,
      413,
      -32_000,
    ],
  };
  for (const [name, [text, status, code]] of Object.entries(bodies)) {
    const got = await send(text);
    t.is(got.status, status, name);
    t.is(got.body.error.code, code, name);
    t.is(got.body.id, null, name);
  }
  t.is((await send(deep(30))).status, 200);
  t.is((await send(JSON.stringify({ ...PING, params: { a: '[[{'.repeat(99) } }))).status, 200);
  for (const type of ['text/plain', 'application/jsonp', 'multipart/form-data']) {
    t.is((await send(JSON.stringify(PING), { 'content-type': type })).status, 415, type);
  }
  t.is((await send(JSON.stringify(PING), { 'content-encoding': 'gzip' })).status, 415);
  const [latin, withMark] = [Buffer.from('{"jsonrpc":"2.0","id":"\xe4"}', 'latin1'), '\ufeff{}'];
  for (const bytes of [Uint8Array.from(latin), withMark]) {
    const { status, body } = await send(bytes);
    t.is(status, 400);
    t.is(body.error.code, -32_700);
  }
  const charset = { 'content-type': 'Application/JSON; charset=utf-8' };
  t.is((await send(JSON.stringify(PING), charset)).status, 200);
  t.deepEqual(
    lines.filter(({ level }: { level: number }) => level >= 40),
    [],
  );
});

test('a client that goes away within its body leaves nothing behind', async t => {
  const { token, port, lines } = await serveBare(t);
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  const head = `POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  await once(socket, 'connect');
  await new Promise(resolve => setTimeout(resolve, 100));
  socket.destroy();
  await eventually(t, async tried => {
    tried.true(lines.some(({ route, status }) => route === '/mcp' && status === 400));
  });
  t.is((await post(`http://127.0.0.1:${port}`, PING, { token })).status, 200);
});

test('a body that comes slowly keeps no place: 408 after five seconds', async t => {
  const { token, port } = await serveBare(t);
  const socket = connect(port, '127.0.0.1');
  const head = `POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  let answer = '';
  for await (const part of socket) answer += part;
  t.regex(answer, /^HTTP\/1\.1 408 /);
  t.regex(answer, /\r\nConnection: close\r\n/i);
});

test('only POST, with a token; the checks keep their order', async t => {
  const { origin, token } = await start(t);
  for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
    t.is((await fetch(`${origin}/mcp`, { method })).status, 401, method);
    const init = { method, headers: { authorization: `Bearer ${token}` } };
    const { status, headers } = await fetch(`${origin}/mcp`, init);
    t.deepEqual([status, headers.get('allow')], [405, 'POST, OPTIONS'], method);
  }
  for (const [given, challenge] of [
    [undefined, 'Bearer realm="budgeting"'],
    ['junk', 'Bearer realm="budgeting", error="invalid_token"'],
  ] as const) {
    const got = await post(origin, null, { ...(given && { token: given }), text: 'no JSON' });
    t.is(got.status, 401);
    t.is(got.headers.get('www-authenticate'), challenge);
  }
  t.is((await fetch(`${origin}/mcp/`, { method: 'POST' })).status, 404);
  t.is((await post(origin, PING, { token })).status, 200);
});

test('a page of another site is refused, whatever name leads its requests here (DNS rebinding)', async t => {
  const { ask, origin } = await start(t);
  for (const other of ['http://evil.example.com', 'https://evil.example.com:3000', 'null', 'x']) {
    const { status, body } = await ask(PING, { origin: other });
    t.deepEqual([status, body.error.code], [403, -32_000], other);
  }
  for (const own of [origin, 'http://localhost:6274', 'http://127.0.0.1', 'http://[::1]:1']) {
    t.is((await ask(PING, { origin: own })).status, 200, own);
  }
  const preflight = await fetch(`${origin}/mcp`, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
  });
  t.is(preflight.status, 204);
  t.regex(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization.*Mcp-Method/);
});

test('PUBLIC_URL is an own page', async t => {
  const { port, token } = await serveBare(t, { publicUrl: 'https://budgeting.example.com' });
  const ask = (from: string) =>
    post(`http://127.0.0.1:${port}`, PING, { token, headers: { origin: from } });
  t.is((await ask('https://budgeting.example.com')).status, 200);
  t.is((await ask('http://budgeting.example.com')).status, 403);
});
