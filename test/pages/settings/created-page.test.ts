import test from 'ava';
import { SCOPES, type Scope } from '../../../schemas/generated/api.ts';
import { renderCreated } from '../../../src/pages/settings/tokens/create-form.ts';

const NOW = new Date('2026-03-14T09:26:53.589Z');

function curlLine(scopes: readonly Scope[], budgetId: string | null): string {
  const record = {
    id: 'id',
    last4: 'abcd',
    name: 'Sheet',
    owner: 'anna',
    scopes,
    budgets: null,
    createdAt: NOW,
    expiresAt: NOW,
    lastUsedAt: null,
    revokedAt: null,
  };
  const apiAddress = 'https://budgeting.example/api/v1';
  const page = renderCreated({ token: 'VALUE', record, apiAddress, budgetId, now: NOW }).html;
  return /<code id="curl-line">([^<]*)</.exec(page)?.[1]?.replaceAll('&quot;', '"') ?? '';
}

test('the curl line asks for what the token may read', t => {
  const begin = 'curl -H "Authorization: Bearer VALUE" "https://budgeting.example/api/v1';
  t.is(curlLine(SCOPES, 'b-1'), `${begin}/budgets"`);
  t.is(curlLine(['labels:read', 'payees:read'], 'b-1'), `${begin}/payees?budget_id=b-1"`);
  t.is(curlLine(['months:read'], 'b-1'), `${begin}/months/2026-03?budget_id=b-1"`);
  t.is(curlLine(['accounts:read'], null), `${begin}/accounts?budget_id=BUDGET_ID"`);
});
