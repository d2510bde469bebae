import test from 'ava';
import { SCOPES } from '../../schemas/generated/api.ts';
import { checkTokenRequest } from '../../src/access/token-request.ts';
import { UserError } from '../../src/process/errors.ts';

test('the defaults are all seven scopes, all budgets and 365 days', t => {
  t.deepEqual(checkTokenRequest({ owner: 'u1' }), {
    owner: 'u1',
    name: 'API token',
    scopes: SCOPES,
    budgets: null,
    expiresInDays: 365,
  });
  t.deepEqual(SCOPES, [
    'budgets:read',
    'accounts:read',
    'transactions:read',
    'categories:read',
    'payees:read',
    'labels:read',
    'months:read',
  ]);
});

test('duplicate scopes and budgets count once', t => {
  const scopes = ['months:read', 'budgets:read', 'months:read'];
  const checked = checkTokenRequest({ owner: 'u1', scopes, budgets: ['b2', 'b1', 'b2'] });
  t.deepEqual(checked.scopes, ['budgets:read', 'months:read']);
  t.deepEqual(checked.budgets, ['b2', 'b1']);
});

test('a lifetime is 0 to 365 whole days', t => {
  t.is(checkTokenRequest({ owner: 'u1', expiresInDays: 0 }).expiresInDays, 0);
  t.is(checkTokenRequest({ owner: 'u1', expiresInDays: 365 }).expiresInDays, 365);
  for (const expiresInDays of [-1, 366, 1.5, Number.NaN]) {
    const error = t.throws(() => checkTokenRequest({ owner: 'u1', expiresInDays }), {
      instanceOf: UserError,
    });
    t.is(error.message, `Expected a lifetime of 0 to 365 whole days, got ${expiresInDays}`);
  }
});

test('ids follow the grammar of ids', t => {
  const longest = 'aZ09_-.:~'.padEnd(128, 'x');
  t.is(checkTokenRequest({ owner: longest }).owner, longest);
  for (const bad of ['', 'a b', 'é', 'a/b', 'a\n', `${longest}x`]) {
    t.throws(() => checkTokenRequest({ owner: bad }), { message: /^Expected the id of a user, / });
    t.throws(() => checkTokenRequest({ owner: 'u1', budgets: [bad] }), {
      message: /^Expected the id of a budget, /,
    });
  }
});

test('unknown scopes and empty lists are refused', t => {
  t.throws(() => checkTokenRequest({ owner: 'u1', scopes: ['budgets:write'] }), {
    message: /^Expected scopes from budgets:read, .*, got "budgets:write"$/,
  });
  t.throws(() => checkTokenRequest({ owner: 'u1', scopes: [] }), { message: /got none$/ });
  t.throws(() => checkTokenRequest({ owner: 'u1', budgets: [] }), {
    message: 'Expected 1 to 1000 budgets, got 0',
  });
  const budgets = Array.from({ length: 1001 }, (_, index) => `b${index}`);
  t.throws(() => checkTokenRequest({ owner: 'u1', budgets }), { message: /got 1001$/ });
});

test('a name has 1 to 100 printable characters', t => {
  const name = '🦊'.repeat(100);
  t.is(checkTokenRequest({ owner: 'u1', name }).name, name);
  for (const bad of ['', ' ', `${name}a`, 'a\u001b[31m', 'a\nb', 'a\u2028b', '\ud800']) {
    t.throws(() => checkTokenRequest({ owner: 'u1', name: bad }), {
      message: /^Expected a name of 1 to 100 printable characters, got "/,
    });
  }
});
