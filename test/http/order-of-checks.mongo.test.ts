// The order of checks: the answer to a request with several errors names the first one.
import { createTokenValue } from '../../src/access/token-value.ts';
import { test } from '../helpers/file-test.ts';
import { budget, space } from '../model/scene.ts';
import { holdsTo } from './contract.ts';
import type { Answered } from './serve.ts';
import { useServed } from './use-served.ts';

const served = useServed(test, { name: 'http_order' }, async () => {
  const { project } = served.model;
  await project('s1', ...space(['anna']));
  await project('s2', ...space(['ben']));
  await project('own', budget('s1'));
  await project('own2', budget('s1'));
  await project('gone', budget('s1'), { type: 'budget.deleted', data: {} });
  await project('foreign', budget('s2'));
  await project('early', budget('not-created-yet'));
});

const codeOf = ({ status, body }: Answered) => `${status} ${body?.error?.code}`;
const unknownToken = () => createTokenValue(bytes => new Uint8Array(bytes).fill(7));

test('404 unknown path comes before 401, 405 and 400', async t => {
  for (const path of [
    '/nothing',
    '/accounts/',
    '/Accounts',
    '/accounts/x',
    '',
    '/',
    '/months/',
    '/months/2024-01/x',
    '/balances/x',
    '/transactions/',
    '/transactions/a/b',
    '/transactions/a/',
    '/budgets?x=1',
  ]) {
    const expected = path.startsWith('/budgets') ? '401 unauthenticated' : '404 not_found';
    t.is(codeOf(await served.api(path, { method: 'POST' })), expected, path);
  }
  for (const path of ['/', '/api', '/api/v1', '/api/v2/budgets', '/docs/', '/favicon.ico']) {
    t.is(codeOf(await served.ask(path)), '404 not_found', path);
  }
});

test('Paths are exact: //accounts, encoded letters and dots are 404', async t => {
  for (const path of [
    '/api/v1//accounts',
    '//api/v1/accounts',
    '/api/v1/%61ccounts',
    '/api/v1/x/../accounts',
    '/api/v1/./accounts',
    '/api/v1/accounts;x',
    '/api/v1/accounts%3Fx',
    '/api/v1/accounts%2F',
  ]) {
    const answer = await served.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    t.regex(answer, /^HTTP\/1.1 404 /, path);
    t.regex(answer, /"code":"not_found"/, path);
  }
});

test('401 unauthenticated: no header, another scheme, or no token after Bearer', async t => {
  for (const authorization of [
    undefined,
    'Basic YTpi',
    'Bearer',
    'Bearer ',
    'service_pat_x',
    'Bearertoken',
  ]) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await served.api('/budgets', { headers });
    t.is(codeOf(answer), '401 unauthenticated', authorization ?? 'nothing');
    t.is(answer.headers.get('www-authenticate'), 'Bearer realm="budgeting"');
    t.is(holdsTo('error', answer.body), null);
  }
});

test('401 invalid_token: wrong, revoked and expired alike', async t => {
  const revoked = await served.issue('anna');
  const [record] = (await served.tokens.list('anna')).filter(({ last4 }) =>
    revoked.endsWith(last4),
  );
  await served.tokens.revoke(record?.id ?? '', new Date());
  const expired = await served.issue('anna', { expiresInDays: 0 });
  for (const token of ['junk', 'service_pat_junk', unknownToken(), revoked, expired, 'two words']) {
    const answer = await served.api('/budgets', { token });
    t.is(codeOf(answer), '401 invalid_token', token);
    const challenge = 'Bearer realm="budgeting", error="invalid_token"';
    t.is(answer.headers.get('www-authenticate'), challenge);
    t.is(answer.headers.get('vary'), 'Accept-Encoding, Authorization');
  }
});

test('The word Bearer in any case is accepted', async t => {
  const token = await served.issue('anna');
  for (const word of ['bearer', 'BEARER', 'Bearer  ']) {
    const { status } = await served.api('/budgets', {
      headers: { authorization: `${word} ${token}` },
    });
    t.is(status, 200, word);
  }
});

test('A revocation applies from the next request', async t => {
  const token = await served.issue('dora');
  t.is((await served.api('/budgets', { token })).status, 200);
  const [record] = await served.tokens.list('dora');
  await served.tokens.revoke(record?.id ?? '', new Date());
  t.is((await served.api('/budgets', { token })).status, 401);
});

test('401 comes before 405', async t => {
  t.is(codeOf(await served.api('/accounts', { method: 'DELETE' })), '401 unauthenticated');
});

test('405 with Allow comes before 403 scope', async t => {
  const token = await served.issue('anna', { scopes: ['labels:read'] });
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
    const answer = await served.api('/accounts', { token, method });
    t.is(codeOf(answer), '405 method_not_allowed', method);
    t.is(answer.headers.get('allow'), 'GET, HEAD, OPTIONS');
  }
});

test('403 insufficient_scope comes before 400, for every endpoint', async t => {
  const all = {
    '/budgets': 'budgets:read',
    '/accounts': 'accounts:read',
    '/transactions': 'transactions:read',
    '/transactions/x': 'transactions:read',
    '/categories': 'categories:read',
    '/payees': 'payees:read',
    '/labels': 'labels:read',
    '/months/x': 'months:read',
    '/months': 'months:read',
    '/category-months': 'months:read',
    '/balances': 'accounts:read',
    '/sums': 'transactions:read',
    '/events': 'budgets:read',
  };
  for (const [path, scope] of Object.entries(all)) {
    const scopes = [...new Set(Object.values(all))].filter(other => other !== scope);
    const without = await served.issue('anna', { scopes });
    const answer = await served.api(`${path}?colour=1`, { token: without });
    t.is(codeOf(answer), '403 insufficient_scope', path);
    const challenge = `Bearer realm="budgeting", error="insufficient_scope", scope="${scope}"`;
    t.is(answer.headers.get('www-authenticate'), challenge);
    const only = await served.issue('anna', { scopes: [scope] });
    t.is((await served.api(`${path}?colour=1`, { token: only })).status, 400, path);
  }
});

test('400 comes before 404 and 403 for the budget', async t => {
  const token = await served.issue('anna', { budgets: ['own'] });
  for (const id of ['foreign', 'own2', 'nowhere']) {
    const answer = await served.api(`/transactions?budget_id=${id}&limit=0`, { token });
    t.is(codeOf(answer), '400 invalid_parameter');
    t.is(answer.body.error.param, 'limit');
  }
});

test("404 budget not the owner's comes before 403, for a narrowed token too", async t => {
  const narrowed = await served.issue('anna', { budgets: ['own', 'foreign', 'nowhere'] });
  const otherBudgets = await served.issue('anna', { budgets: ['own'] });
  for (const token of [narrowed, otherBudgets, await served.issue('anna')]) {
    for (const id of ['foreign', 'nowhere', 'gone', 'early', 's1']) {
      t.is(codeOf(await served.api(`/accounts?budget_id=${id}`, { token })), '404 not_found', id);
    }
  }
});

test("403 budget_not_allowed: the owner's own budget outside the token; it comes before 404 filter ids", async t => {
  const token = await served.issue('anna', { budgets: ['own'] });
  const answer = await served.api('/transactions?budget_id=own2&account_id=nowhere', { token });
  t.is(codeOf(answer), '403 budget_not_allowed');
  t.is(answer.headers.get('www-authenticate'), null);
  t.is(holdsTo('error', answer.body), null);
  t.is((await served.api('/accounts?budget_id=own', { token })).status, 200);
});
