// Each tool answers what its endpoint answers, under the same rules.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { TOOLS } from '../../../schemas/generated/tools.ts';
import { test } from '../../helpers/file-test.ts';
import { account, budget, category, group, label, payee, row, space } from '../../model/scene.ts';
import type { Body } from '../serve.ts';
import { useServed } from '../use-served.ts';
import { callTool, errorOf, newest, post } from './ask.ts';

let token: string;

const ROWS = 120;

const served = useServed(test, { name: 'http_mcp' }, async () => {
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

const RANGE = { start_month: '2024-01', end_month: '2024-03' };
const DAYS = { start_date: '2024-01-01', end_date: '2024-01-31' };
const FIND = 'find_by_name';
const CASES: readonly [tool: string, args: Record<string, unknown>, path: string][] = [
  ['list_budgets', {}, '/budgets'],
  ['list_accounts', {}, '/accounts?'],
  ['list_accounts', { name: 'HOME' }, '/accounts?name=home'],
  ['list_categories', { include_hidden: true }, '/categories?limit=100&include_hidden=true'],
  [FIND, { kind: 'accounts', name: 'home' }, '/accounts?name=home'],
  [FIND, { kind: 'categories', name: 'food' }, '/categories?limit=100&name=food'],
  [FIND, { kind: 'payees', name: 'corner market' }, '/payees?limit=100&name=corner+market'],
  [FIND, { kind: 'labels', name: 'Trip "2024"' }, '/labels?limit=100&name=Trip+%222024%22'],
  [FIND, { kind: 'labels', name: 'trip', offset: 1 }, '/labels?limit=100&name=trip&offset=1'],
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
  for (const [who, why] of [
    [token, 'the token reaches several, and list_budgets names them'],
    [await served.issue('nobody'), 'the token reaches no budget'],
  ] as const) {
    const error = errorOf(await callTool(served.origin, who, { name: 'list_accounts' }));
    t.is(error.code, 'missing_parameter');
    t.is(error.param, 'budget_id');
    t.is(error.message, `Expected budget_id, got none: ${why}`);
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
  t.is(await refused(FIND, { budget_id: 'b1', name: 'x' }), 'missing_parameter kind');
  t.is(await refused(FIND, { kind: 'months', name: 'x' }), 'invalid_parameter kind');
  t.is(await refused(FIND, { kind: 'payees', budget_id: 'b1' }), 'missing_parameter name');
  const more = { kind: 'payees', budget_id: 'b1', name: 'x', limit: 5 };
  t.is(await refused(FIND, more), 'unknown_parameter limit');
  t.is(await refused('get_month', { budget_id: 'b1' }), 'missing_parameter month');
  const half = '\ud800';
  t.is(await refused(list, { budget_id: 'b1', search: half }), 'invalid_parameter search');
  t.is(await refused(list, { budget_id: half }), 'invalid_parameter budget_id');
  t.is(await refused(list, { budget_id: 'b1', [half]: 'x' }), `unknown_parameter ${half}`);
});

test('a number for a text is refused: it may have lost digits', async t => {
  for (const [name, args, param] of [
    ['list_accounts', { budget_id: 2 ** 53 }, 'budget_id'],
    ['list_transactions', { budget_id: 'b1', min_amount: 12.5 }, 'min_amount'],
    ['get_month', { budget_id: 'b1', month: 2024 }, 'month'],
    [FIND, { kind: 'payees', budget_id: 'b1', name: 1e21 }, 'name'],
  ] as const) {
    const error = errorOf(await callTool(served.origin, token, { name, args }));
    t.is(error.code, 'invalid_parameter', name);
    t.is(error.message, `Expected ${param} to be text, got a number`);
  }
  for (const param of ['search', 'min_amount']) {
    const args = { budget_id: 'b1', [param]: false };
    const error = errorOf(
      await callTool(served.origin, token, { name: 'list_transactions', args }),
    );
    t.is(error.message, `Expected ${param} to be text, got a boolean`);
  }
  const args = { budget_id: 'b1', uncategorized: 1 };
  const error = errorOf(await callTool(served.origin, token, { name: 'list_transactions', args }));
  t.is(error.message, 'Expected uncategorized to be true or false, got "1"');
});

test('what a listed schema allows is answered: accounts come whole at the offset 0', async t => {
  const ask = async (args: Record<string, unknown>) =>
    await callTool(served.origin, token, { name: FIND, args });
  const { accounts } = (await served.api('/accounts?budget_id=b1', { token })).body;
  const [{ name }] = accounts;
  const found = await ask({ kind: 'accounts', budget_id: 'b1', name, offset: 0 });
  t.deepEqual(
    found.structuredContent.accounts.map((one: { name: string }) => one.name),
    [name],
  );
  const further = await ask({ kind: 'accounts', budget_id: 'b1', name, offset: 1 });
  t.is(errorOf(further).code, 'invalid_parameter');
  t.is(errorOf(further).message, 'Expected offset to be 0, as accounts have no pages, got "1"');
  const month = { name: 'get_month', args: { budget_id: 'b1', month: '2024-01', offset: 0 } };
  t.is(errorOf(await callTool(served.origin, token, month)).code, 'unknown_parameter');
});

test('a hint names arguments that the tool takes', async t => {
  const hint = async (name: string, args: Record<string, unknown>) =>
    errorOf(await callTool(served.origin, token, { name, args: { budget_id: 'b1', ...args } }))
      .message;
  for (const [tool, args] of [
    ['list_changes', { foo: 1 }],
    ['list_changes', { wait: 1 }],
    ['get_month', { month: '2024-01', foo: 1 }],
    [FIND, { kind: 'payees', name: 'x', limit: 1 }],
  ] as const) {
    const [, taken = ''] = /it takes (.*)$/i.exec(await hint(tool, args)) ?? [];
    const { takes } = TOOLS.find(one => one.name === tool) ?? { takes: [] };
    t.deepEqual(taken.split(', '), [...takes], tool);
  }
});

test('a scope that the token lacks is named before arguments that are wrong', async t => {
  const narrow = await served.issue('anna', { scopes: ['accounts:read'] });
  for (const args of [{}, { budget_id: ['b1'] }, { budget_id: 'b1', colour: 'red' }]) {
    const result = await callTool(served.origin, narrow, { name: 'list_transactions', args });
    t.is(errorOf(result).code, 'insufficient_scope');
  }
});

test('an unknown tool and arguments that are no object are errors of the protocol', async t => {
  for (const params of [{ name: 'delete_budget' }, {}, { name: 'list_budgets', arguments: [] }]) {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const { status, body } = await post(served.origin, message, { token });
    t.is(status, 200);
    t.is(body.error.code, -32_602);
  }
});
