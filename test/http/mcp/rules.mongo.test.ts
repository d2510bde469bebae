// The rules of the API hold for tools: scopes, narrowed tokens, limits, the log.
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TOOLS } from '../../../schemas/generated/tools.ts';
import { test } from '../../helpers/file-test.ts';
import { account, budget, category, group, space } from '../../model/scene.ts';
import { type Body, serve } from '../serve.ts';
import { useServed } from '../use-served.ts';
import { callTool, errorOf, post } from './ask.ts';

let token: string;

const served = useServed(test, { name: 'http_mcp_rules' }, async () => {
  token = await served.issue('anna');
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project('s2', ...space(['dora']));
  await project('b1', budget('s1'), account('home'));
  await project('b2', budget('s1', 'Other'));
  await project('foreign', budget('s2', 'Foreign'));
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

test.serial(
  'an answer that no assistant could read is refused, and its room given back',
  async t => {
    const name = '🐷'.repeat(200);
    const categories = Array.from({ length: 150 }, (_, index) =>
      category(`c${index}`, 'long', { name }),
    );
    await served.model.project(
      'b-long',
      ...[budget('s1', 'Long'), group('long', 'envelope', { name }), ...categories],
    );
    const months = (end: string) =>
      callTool(served.origin, token, {
        name: 'get_envelopes',
        args: { budget_id: 'b-long', start_month: '2020-01', end_month: end },
      });
    const error = errorOf(await months('2024-12'));
    t.is(error.code, 'invalid_parameter');
    t.regex(
      error.message,
      /^Expected an answer of at most 2000000 bytes, got 1[5-9]\d{6}: ask for fewer months, rows or categories, or ask the API without a tool$/,
    );
    t.is((await months('2020-02')).structuredContent.months.length, 2);
    // Without an end, the test fails by the time that a test may take.
    while (served.bounds.answers.taken() > 0) await nextTurn();
    t.pass();
  },
);

test('each request is one read of the limits, and beyond them 429', async t => {
  // By day, because a minute may end meanwhile.
  const limits = { userPerDay: 5, tokenWritesPerMinute: 1 };
  const there = await serve(served.mongo, 'http_mcp_limits', {
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
  const headers = { authorization: `Bearer ${own}` };
  const write = await fetch(`${there.origin}/mcp`, { method: 'DELETE', headers });
  t.is(write.status, 405);
  t.is(write.headers.get('x-ratelimit-limit'), '1', 'other methods count against the writes');
  const remaining: (string | null)[] = [];
  for (let call = 0; call < 4; call += 1) {
    const answer = await post(there.origin, message, { token: own });
    t.is(answer.status, 200);
    remaining.push(answer.headers.get('x-ratelimit-remaining'));
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
  const away = await serve(served.mongo, 'http_mcp_away', { empty: true });
  t.teardown(() => away.stop());
  const own = await away.issue('anna');
  const args = { budget_id: 'b1' };
  const result = await callTool(away.origin, own, { name: 'list_accounts', args });
  t.is(errorOf(result).code, 'unavailable');
});

test('MCP=off: there is no such path', async t => {
  const off = await serve(served.mongo, 'http_mcp_off', {
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
