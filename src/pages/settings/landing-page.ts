// The landing page at the root: describes the service and links to its parts.
import { BASE_PATH } from '../../http/create-router.ts';
import { html } from '../kit/html.ts';
import { renderSettingsPage } from './send-page.ts';

export function renderLanding(): string {
  const content = html`<p>Your budgets, accounts, transactions, categories, payees, labels, budget months and envelopes, over HTTP. This service only reads: it changes nothing.</p>
<dl>
<div class="card"><dt><a href="/settings/tokens">API tokens</a></dt>
<dd>Create a token, see when it was last used, revoke it. A program that reads your budgets needs one.</dd></div>
<div class="card"><dt><a href="/docs">API docs</a></dt>
<dd>Every endpoint with its parameters and answers, and how to begin.</dd></div>
<div class="card"><dt><a href="${BASE_PATH}/openapi.json">API description</a></dt>
<dd>The same as an OpenAPI 3.1 document, for programs.</dd></div>
</dl>`;
  return renderSettingsPage({ title: 'Budgeting Read API', content }).html;
}
