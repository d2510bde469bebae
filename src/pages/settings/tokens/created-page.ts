// Renders the page after a token was created, the only one that ever shows the token's value.
import { ROUTES } from '../../../../schemas/generated/api.ts';
import type { Token } from '../../../access/token.ts';
import { type Html, html } from '../../kit/html.ts';
import { formatDay } from './wording.ts';

export interface CreatedToken {
  readonly token: string;
  readonly record: Token;
  /** Address of the API, such as `http://127.0.0.1:3000/api/v1`. */
  readonly apiAddress: string;
  /** A budget that the token can read; null if there is none. */
  readonly budgetId: string | null;
  readonly now: Date;
}

export function renderCreated(created: CreatedToken): Html {
  const { token, record } = created;
  return html`<p class="notice"><strong>Copy it now.</strong> It is shown this once and cannot be recovered: only a hash of it is kept.</p>
<h2 id="value-title">Value of “<bdi>${record.name}</bdi>”</h2>
${renderCopied('token-value', token, 'Copy the token')}
<p>Valid until ${formatDay(record.expiresAt)}. Whoever has it can read your budgets: keep it as you keep a password.</p>
<h2>Try it</h2>
${renderCopied('curl-line', curlLine(created), 'Copy the curl line')}
<p>More on the API is in the <a href="/docs">API docs</a>.</p>
<p class="actions"><a class="button" href="/settings/tokens">Done, to the list</a></p>`;
}

function renderCopied(id: string, text: string, label: string): Html {
  return html`<pre class="value"><code id="${id}">${text}</code></pre>
<p class="actions"><button type="button" class="plain" data-copies="${id}" hidden>${label}</button>
<span class="quiet" role="status" id="${id}-status"></span></p>`;
}

/** Returns a request that the token may make. Ids hold no shell metacharacters, so they need no escaping. */
function curlLine({ token, record, apiAddress, budgetId, now }: CreatedToken): string {
  // Takes the first route of the API that the token may read: the list of budgets, which needs no id, comes first.
  const route = ROUTES.find(({ scopes }) => scopes.every(scope => record.scopes.includes(scope)));
  const path = (route?.path ?? '/budgets').replace('{month}', now.toISOString().slice(0, 7));
  const query = path === '/budgets' ? '' : `?budget_id=${budgetId ?? 'BUDGET_ID'}`;
  return `curl -H "Authorization: Bearer ${token}" "${apiAddress}${path}${query}"`;
}
