// The guide's sections on limits and errors.
import { WINDOWS } from '../../access/windows.ts';
import { html } from '../../pages/kit/html.ts';
import type { RateLimits } from '../../process/config.ts';
import { ERRORS, type ErrorCode } from '../api-error.ts';
import { renderCode } from './code-block.ts';
import { responsesOf } from './endpoints.ts';
import type { Response } from './openapi-document.ts';
import type { DocsPageFacts } from './page-facts.ts';
import { renderText, type Section } from './text.ts';

const COUNTED: Readonly<Record<keyof RateLimits, string>> = {
  addressPerMinute: 'of one address, before the token is checked',
  tokenReadsPerMinute: 'with one token, reads',
  tokenWritesPerMinute: 'with one token, other methods',
  userPerMinute: 'of one user, with all tokens',
  userPerDay: 'of one user, with all tokens',
};

export function limitsSection({ limits }: DocsPageFacts): Section {
  const rows = (Object.keys(WINDOWS) as (keyof RateLimits)[]).map(
    name =>
      html`<tr><td>${COUNTED[name]}</td><td>${limits[name].toLocaleString('en-US')} a ${WINDOWS[name].unit}</td></tr>`,
  );
  const content = html`<table>
<thead><tr><th scope="col">Requests</th><th scope="col">At most</th></tr></thead>
<tbody>${rows}</tbody>
</table>
<p>Beyond a limit, requests get 429 <code>rate_limited</code>: wait as many seconds as <code>Retry-After</code> says, then go on. The <a href="#paging">programs for all pages</a> do so. Minutes begin at the full minute, days at 00:00 UTC.</p>
<p>Every answer says in <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code> and <code>X-RateLimit-Reset</code> (UTC epoch seconds) how much is left in the window that will refuse first.</p>`;
  return { id: 'limits', title: 'Limits and 429', content };
}

/** What a program does about each code. */
const REMEDIES: Readonly<Record<ErrorCode, string>> = {
  missing_parameter: 'Send what `param` and `details` name.',
  invalid_parameter: 'Correct what `param` and `details` name; `message` says what was expected.',
  unknown_parameter: 'Leave out or rename what `param` and `details` name.',
  unauthenticated: 'Send the header `Authorization`.',
  invalid_token: 'Ask for a new token; trying again does not help.',
  insufficient_scope: 'Make a token with the scopes that `WWW-Authenticate` names.',
  budget_not_allowed: 'The budget is yours, but the token is narrowed to others: make another one.',
  not_found: 'Check the id. What belongs to somebody else answers the same.',
  method_not_allowed: 'Only read: `Allow` names the methods.',
  rate_limited: 'Wait as many seconds as `Retry-After` says, then try again.',
  internal_error: 'A fault of the service: report the `requestId`, and try again later.',
  unavailable: 'Wait as many seconds as `Retry-After` says, then try again.',
};

export function errorsSection(facts: DocsPageFacts): Section {
  const codes = (Object.keys(ERRORS) as ErrorCode[]).map(code => {
    const { status } = ERRORS[code];
    return html`<dt><code>${code}</code> <span class="type"><a href="#status-${status}">${status}</a></span></dt><dd>${renderText(REMEDIES[code])}</dd>`;
  });
  const text = JSON.stringify(exampleOf(facts, 'invalid_parameter'), null, 2);
  const content = html`<p>Let a program decide by <code>code</code>; <code>message</code> is for people and may change. <code>requestId</code> is also the header <code>X-Request-Id</code>: quote it when you report a problem.</p>
<dl class="pairs">${codes}</dl>
<details><summary>An error as it comes</summary>
${renderCode({ id: 'guide-error', language: 'json', name: 'the error', text })}</details>`;
  return { id: 'errors', title: 'Errors by code', content };
}

/** Returns the document's example of an error. */
function exampleOf({ document }: DocsPageFacts, code: ErrorCode): unknown {
  const operation = document.paths['/transactions']?.get;
  if (operation === undefined) throw new Error('Expected GET /transactions in the document');
  const answers = responsesOf(document, { path: '/transactions', method: 'get', operation });
  const response: Response | undefined = answers.find(
    ([status]) => status === String(ERRORS[code].status),
  )?.[1];
  return response?.content?.['application/json']?.examples?.[code]?.value;
}
