// Each tool answers what its endpoint answers, under the same rules.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { TOOLS } from '../../../schemas/generated/tools.ts';
import { useMongo } from '../../helpers/mongo.ts';
import { account, budget, category, group, label, payee, row, space } from '../../model/scene.ts';
import { type Body, type Served, serve } from '../serve.ts';
import { callTool, errorOf, newest, post } from './ask.ts';

const mongo = useMongo(test);
let served: Served;
let token: string;

const ROWS = 120;

test.before(async () => {
  served = await serve(mongo, 'http_mcp');
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna', 'carla']));
  await project('s2', ...space(['ben', 'anna']));
  await project('s3', ...space(['dora']));
  await project(
    'b1',
    ...[budget('s1'), account('home'), account('bank'), group('daily'), category('food', 'daily')],
    ...[payee('market', 'Corner market'), label('trip', 'Trip "2024"')],
    ...Array.from({ length: ROWS }, (_, index) =>
      row(`t${index}`, { memo: `Käse ${index}`, payeeId: 'market', labelIds: ['trip'] }),
    ),
  );
  await project('b2', budget('s2', 'Other'));
  await project('foreign', budget('s3', 'Foreign'));
});

mongo.beforeStop(async () => {
  await served?.stop();
});

const RANGE = { start_month: '2024-01', end_month: '2024-03' };
const DAYS = { start_date: '2024-01-01', end_date: '2024-01-31' };
const CASES: readonly [tool: string, args: Record<string, unknown>, path: string][] = [
  ['list_budgets', {}, '/budgets'],
  ['list_accounts', {}, '/accounts?'],
  ['list_accounts', { name: 'HOME' }, '/accounts?name=home'],
  ['list_categories', { include_hidden: true }, '/categories?limit=100&include_hidden=true'],
  ['find_by_name', { kind: 'accounts', name: 'home' }, '/accounts?name=home'],
  ['find_by_name', { kind: 'categories', name: 'food' }, '/categories?name=food'],
  ['find_by_name', { kind: 'payees', name: 'corner market' }, '/payees?name=corner+market'],
  ['find_by_name', { kind: 'labels', name: 'Trip "2024"' }, '/labels?name=Trip+%222024%22'],
  ['get_month', { month: '2024-01' }, '/months/2024-01?'],
  ['get_envelopes', RANGE, '/category-months?start_month=2024-01&end_month=2024-03'],
  ['list_transactions', {}, '/transactions?limit=100'],
  [
    'list_transactions',
    { search: 'käse 1', limit: 7, offset: '3', uncleared: false, payee_id: null },
    `/transactions?search=${encodeURIComponent('käse 1')}&limit=7&offset=3&uncleared=false`,
  ],
  [
    'sum_transactions',
    { group_by: 'payee', interval: 'month', on_budget: true },
    '/sums?limit=100&group_by=payee&interval=month&on_budget=true',
  ],
  ['get_balances', DAYS, '/balances?start_date=2024-01-01&end_date=2024-01-31'],
  ['list_changes', { limit: 50 }, '/changes?limit=50'],
];

for (const [name, args, path] of CASES) {
  test(`${name} ${JSON.stringify(args)} is ${path}`, async t => {
    const ofBudget = path.includes('?');
    const given = ofBudget ? { ...args, budget_id: 'b1' } : args;
    const result = await callTool(served.origin, token, { name, args: given });
    const direct = await served.api(ofBudget ? `${path}&budget_id=b1` : path, { token });
    t.is(direct.status, 200);
    t.falsy(result.isError);
    t.deepEqual(result.structuredContent, direct.body);
    t.is(result.content[0].type, 'text');
    t.is(result.content[0].text, direct.text, 'for clients that know text alone');
    const position = direct.headers.get('x-projection-position');
    t.is(result._meta.position, position === null ? undefined : Number(position));
    const { outputSchema } = (TOOLS.find(one => one.name === name)?.listing ?? {}) as Body;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    t.true(ajv.validate(outputSchema, result.structuredContent), ajv.errorsText());
  });
}

test('every tool is listed with valid schemas, as read-only, and tested above', async t => {
  const { body } = await post(
    served.origin,
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    { token },
  );
  const { tools } = body.result;
  const expected = [...new Set(CASES.map(([name]) => name))];
  t.deepEqual(tools.map(({ name }: Body) => name).sort(), expected.sort());
  for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
    t.true(description.length > 20, name);
    t.is(inputSchema.type, 'object');
    t.is(outputSchema.type, 'object');
    t.false(JSON.stringify([inputSchema, outputSchema]).includes('$ref'), name);
    t.notThrows(
      () => new Ajv2020({ strict: false, validateFormats: false }).compile(inputSchema),
      name,
    );
    t.like(annotations, { readOnlyHint: true, destructiveHint: false });
    t.false(inputSchema.required.includes('budget_id'), name);
  }
});

test('the newest revision calls tools too', async t => {
  const { message, headers } = newest('tools/call', {
    name: 'list_accounts',
    arguments: { budget_id: 'b1' },
  });
  const { status, body } = await post(served.origin, message, { token, headers });
  t.is(status, 200);
  t.is(body.result.resultType, 'complete');
  t.is(body.result.structuredContent.accounts.length, 2);
});

test('pages have 100 rows, and say how to go on until the end', async t => {
  const all: string[] = [];
  let args: Record<string, unknown> = { budget_id: 'b1' };
  for (let calls = 1; ; calls += 1) {
    const result = await callTool(served.origin, token, { name: 'list_transactions', args });
    all.push(...result.structuredContent.transactions.map(({ id }: Body) => id));
    const hint = result.content[1]?.text;
    if (hint === undefined) {
      t.is(calls, 2);
      break;
    }
    const [, offset] = /^More may follow: .* offset (\d+)\.$/.exec(hint) ?? [];
    args = { budget_id: 'b1', offset: Number(offset) };
  }
  t.is(new Set(all).size, ROWS);
});

test('changes go on with the cursor of the hint', async t => {
  const seen: string[] = [];
  let args: Record<string, unknown> = { budget_id: 'b1' };
  for (;;) {
    const result = await callTool(served.origin, token, { name: 'list_changes', args });
    seen.push(...result.structuredContent.transactions.map(({ id }: Body) => id));
    const [, cursor] = /and cursor (\S+)\.$/.exec(result.content[1]?.text ?? '') ?? [];
    t.is(result.structuredContent.has_more, cursor !== undefined);
    if (cursor === undefined) break;
    t.is(cursor, result.structuredContent.cursor);
    args = { budget_id: 'b1', cursor };
  }
  t.is(new Set(seen).size, ROWS);
});

test('without budget_id the only budget is read; with several it is asked for', async t => {
  const carla = await served.issue('carla');
  const one = await callTool(served.origin, carla, { name: 'list_accounts' });
  t.is(one.structuredContent.accounts.length, 2);
  const narrowed = await served.issue('anna', { budgets: ['b2'] });
  const other = await callTool(served.origin, narrowed, { name: 'list_accounts' });
  t.deepEqual(other.structuredContent.accounts, []);
  for (const who of [token, await served.issue('nobody')]) {
    const error = errorOf(await callTool(served.origin, who, { name: 'list_accounts' }));
    t.is(error.code, 'missing_parameter');
    t.is(error.param, 'budget_id');
    t.regex(error.message, /list_budgets/);
  }
});

const REFUSED: readonly [tool: string, args: Record<string, unknown>, path: string][] = [
  ['list_accounts', { budget_id: 'foreign' }, '/accounts?budget_id=foreign'],
  ['list_accounts', { budget_id: 'nowhere' }, '/accounts?budget_id=nowhere'],
  ['list_accounts', { budget_id: '../b1' }, '/accounts?budget_id=..%2Fb1'],
  [
    'list_transactions',
    { budget_id: 'b1', account_id: 'none' },
    '/transactions?budget_id=b1&account_id=none',
  ],
  ['list_transactions', { budget_id: 'b1', limit: 1.5 }, '/transactions?limit=1.5&budget_id=b1'],
  [
    'list_transactions',
    { budget_id: 'b1', colour: 'red', start_date: '2024-02-30' },
    '/transactions?limit=100&budget_id=b1&colour=red&start_date=2024-02-30',
  ],
  [
    'list_transactions',
    { budget_id: 'b1', 'X-Projection-Wait-For': 5 },
    '/transactions?limit=100&budget_id=b1&X-Projection-Wait-For=5',
  ],
  ['get_month', { budget_id: 'b1', month: 'current' }, '/months/current?budget_id=b1'],
  ['get_month', { budget_id: 'b1', month: '2024-13/x' }, '/months/2024-13%2Fx?budget_id=b1'],
  ['sum_transactions', { budget_id: 'b1' }, '/sums?limit=100&budget_id=b1'],
  ['list_changes', { budget_id: 'b1', cursor: 'x' }, '/changes?limit=100&budget_id=b1&cursor=x'],
];

for (const [name, args, path] of REFUSED) {
  test(`${name} ${JSON.stringify(args)} is refused as ${path} is`, async t => {
    const error = errorOf(await callTool(served.origin, token, { name, args }));
    const direct = await served.api(path, { token });
    t.true(direct.status >= 400 && direct.status < 500);
    const { requestId: _a, ...expected } = direct.body.error;
    const { requestId, ...got } = error;
    t.deepEqual(got, expected);
    t.regex(requestId, /^[\da-f-]{36}$/);
  });
}

test('arguments that only the tool refuses', async t => {
  const refused = async (name: string, args: Record<string, unknown>) => {
    const result = await callTool(served.origin, token, { name, args });
    const { code, param } = errorOf(result);
    return `${code} ${param}`;
  };
  const list = 'list_transactions';
  t.is(await refused(list, { budget_id: ['b1'] }), 'invalid_parameter budget_id');
  t.is(await refused(list, { budget_id: 'b1', search: { a: 1 } }), 'invalid_parameter search');
  const find = 'find_by_name';
  t.is(await refused(find, { budget_id: 'b1', name: 'x' }), 'missing_parameter kind');
  t.is(await refused(find, { kind: 'months', name: 'x' }), 'invalid_parameter kind');
  t.is(await refused(find, { kind: 'payees', budget_id: 'b1' }), 'missing_parameter name');
  const more = { kind: 'payees', budget_id: 'b1', name: 'x', limit: 5 };
  t.is(await refused(find, more), 'unknown_parameter limit');
});

test('an unknown tool and arguments that are no object are errors of the protocol', async t => {
  for (const params of [{ name: 'delete_budget' }, {}, { name: 'list_budgets', arguments: [] }]) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const { status, body } = await post(served.origin, message, { token });
    t.is(status, 200);
    t.is(body.error.code, -32_602);
  }
});

test('a scope that the token lacks is refused as by HTTP', async t => {
  const narrow = await served.issue('anna', { scopes: ['accounts:read'] });
  const args = { budget_id: 'b1' };
  const open = await callTool(served.origin, narrow, { name: 'list_accounts', args });
  t.falsy(open.isError);
  for (const [name, path] of [
    ['list_transactions', '/transactions?budget_id=b1'],
    ['list_changes', '/changes?budget_id=b1'],
    ['list_budgets', '/budgets'],
  ] as const) {
    const given = name === 'list_budgets' ? {} : args;
    const error = errorOf(await callTool(served.origin, narrow, { name, args: given }));
    const direct = await served.api(path, { token: narrow });
    t.is(error.code, 'insufficient_scope');
    t.is(error.message, direct.body.error.message);
  }
});

test('a narrowed token reads its budgets alone', async t => {
  const narrowed = await served.issue('anna', { budgets: ['b2'] });
  const list = await callTool(served.origin, narrowed, { name: 'list_budgets' });
  t.deepEqual(
    list.structuredContent.budgets.map(({ id }: Body) => id),
    ['b2'],
  );
  const code = async (budgetId: string) => {
    const args = { budget_id: budgetId };
    return errorOf(await callTool(served.origin, narrowed, { name: 'list_accounts', args })).code;
  };
  t.is(await code('b1'), 'budget_not_allowed');
  t.is(await code('foreign'), 'not_found');
});

test('each request is one read of the limits, and beyond them 429', async t => {
  const limits = { tokenReadsPerMinute: 4, tokenWritesPerMinute: 1 };
  const there = await serve(mongo, 'http_mcp_limits', {
    readModel: served.db,
    limits,
    empty: true,
  });
  t.teardown(() => there.stop());
  const own = await there.issue('anna');
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'list_accounts', arguments: { budget_id: 'b1' } },
  };
  const remaining: (string | null)[] = [];
  for (let call = 0; call < 4; call += 1) {
    const { status, headers } = await post(there.origin, message, { token: own });
    t.is(status, 200);
    remaining.push(headers.get('x-ratelimit-remaining'));
  }
  t.deepEqual(remaining, ['3', '2', '1', '0']);
  const refused = await post(there.origin, message, { token: own });
  t.is(refused.status, 429);
  t.is(refused.body.error.code, 'rate_limited');
  t.truthy(refused.headers.get('retry-after'));
  t.is((await there.api('/accounts?budget_id=b1', { token: own })).status, 429, 'the same window');
});

test('a call is logged with its tool, without its arguments or its token', async t => {
  const name = 'list_transactions';
  const args = { budget_id: 'b1', search: 'secret words' };
  await callTool(served.origin, token, { name, args });
  const line = served.lines.findLast(({ msg, route }) => msg === 'request' && route.includes(name));
  t.like(line, { method: 'POST', route: '/mcp list_transactions', status: 200 });
  t.false(JSON.stringify(served.lines).includes('secret words'));
  t.false(JSON.stringify(served.lines).includes(token));
});

test('while the database is away a tool says so, and the log says why', async t => {
  const away = await serve(mongo, 'http_mcp_away', { empty: true });
  t.teardown(() => away.stop());
  const own = await away.issue('anna');
  const args = { budget_id: 'b1' };
  const result = await callTool(away.origin, own, { name: 'list_accounts', args });
  t.is(errorOf(result).code, 'unavailable');
});

test('MCP=off: there is no such path', async t => {
  const off = await serve(mongo, 'http_mcp_off', {
    readModel: served.db,
    config: { mcp: false },
    empty: true,
  });
  t.teardown(() => off.stop());
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const { status, body } = await post(off.origin, message, { token: await off.issue('anna') });
  t.is(status, 404);
  t.is(body.error.code, 'not_found');
});

test('tools stand on the page for people', t => {
  const page = readFileSync('docs/assistants.md', 'utf8');
  for (const { name } of TOOLS) t.true(page.includes(`\`${name}\``), name);
});
