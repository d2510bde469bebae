// The guide: what somebody needs, in the order in which they need it. Figures come from the code that applies them.
import { SCOPES } from '../../../schemas/generated/api.ts';
import { LIFETIME_DAYS_MAX } from '../../access/token-request.ts';
import { WINDOWS } from '../../access/windows.ts';
import { type Html, html } from '../../pages/kit/html.ts';
import type { RateLimits } from '../../process/config.ts';
import { ERRORS, type ErrorCode } from '../api-error.ts';
import { renderCode, renderPrograms } from './code-block.ts';
import { parameterOf, responsesOf } from './endpoints.ts';
import {
  pagingInJavaScript,
  pagingInPython,
  syncInJavaScript,
  syncInPython,
} from './guide-programs.ts';
import type { Response } from './openapi-document.ts';
import { apiAddress, type DocsPageFacts } from './page-facts.ts';
import { curlLine, javaScriptProgram, pythonProgram } from './request-programs.ts';
import { renderText, type Section } from './text.ts';

/** The budget of all examples; the sample of `npm start` has it. */
const BUDGET = 'budget_id=household';
/** Parameters that are no filters. */
const NO_FILTERS = ['budget_id', 'limit', 'offset'];

export function guideSections(facts: DocsPageFacts): Section[] {
  return [
    tokenSection(),
    firstCallSection(facts),
    pagingSection(facts),
    filtersSection(facts),
    sumsSection(facts),
    limitsSection(facts),
    errorsSection(facts),
    etagSection(facts),
    positionsSection(facts),
    syncSection(facts),
    followSection(facts),
  ];
}

function tokenSection(): Section {
  const scopes = SCOPES.map(scope => html`<code>${scope}</code>`);
  const content = html`<p>Make a token on the page <a href="/settings/tokens">API tokens</a>; it is shown once. It reads what you may read, changes nothing, and ends after at most ${LIFETIME_DAYS_MAX} days or when you revoke it. Give each program a token of its own, with just the scopes that it needs:</p>
<p class="names">${scopes}</p>
<p>All examples take it from the environment:</p>
${renderCode({ id: 'guide-token', language: 'sh', name: 'the line for the shell', text: 'export TOKEN=service_pat_…' })}`;
  return { id: 'token', title: 'Get a token', content };
}

function firstCallSection(facts: DocsPageFacts): Section {
  const budgets = `${apiAddress(facts)}/budgets`;
  const accounts = `${apiAddress(facts)}/accounts?${BUDGET}`;
  const content = html`<p>Which budgets does the token read?</p>
${renderCode({ id: 'guide-first', language: 'sh', name: 'the first request', text: curlLine(budgets) })}
<div class="closed">${renderPrograms({ id: 'guide-first', name: 'the first request', javaScript: javaScriptProgram(budgets), python: pythonProgram(budgets) })}</div>
<p>Everything else belongs to one budget, and names it by its <code>id</code>. The examples name <code>household</code>, which the sample has: put your own in its place.</p>
${renderCode({ id: 'guide-accounts', language: 'sh', name: 'the request for accounts', text: curlLine(accounts) })}`;
  return { id: 'first-call', title: 'First call', content };
}

function pagingSection(facts: DocsPageFacts): Section {
  const { document } = facts;
  const api = apiAddress(facts);
  const { maximum = 0 } = parameterOf(document, '/transactions', 'limit').schema;
  const { maximum: fewer = 0 } = parameterOf(document, '/payees', 'limit').schema;
  const content = html`<p>A page has at most ${maximum} transactions, or ${fewer} payees, labels or category groups. While <code>pagination.has_more</code> is true, ask for the next page, with <code>offset</code> moved on by <code>limit</code>; it may be empty. The header <code>Link</code> with <code>rel="next"</code> has its address. A larger <code>limit</code> is refused with 400.</p>
${renderCode({ id: 'guide-paging', language: 'sh', name: 'the request for a page', text: curlLine(`${api}/transactions?${BUDGET}&limit=100&offset=100`) })}
<div class="closed">${renderPrograms({ id: 'guide-paging', name: 'the loop', javaScript: pagingInJavaScript(api, maximum), python: pagingInPython(api, maximum) })}</div>
<p>Pages with the same <code>X-Projection-Position</code> are pages of one list. If it changes between two pages, the budget has changed: start again, or accept that a row may be missing or come twice.</p>`;
  return { id: 'paging', title: 'All pages of a list', content };
}

function filtersSection(facts: DocsPageFacts): Section {
  const filters = (facts.document.paths['/transactions']?.get?.parameters ?? []).flatMap(given =>
    '$ref' in given || NO_FILTERS.includes(given.name) ? [] : [given],
  );
  const address = `${apiAddress(facts)}/transactions?${BUDGET}&start_date=2026-01-01&search=coffee&limit=50`;
  const named = `${apiAddress(facts)}/payees?${BUDGET}&name=rewe`;
  const content = html`<p>Filters of <a href="#get-transactions"><code>/transactions</code></a> apply together, and before paging:</p>
<dl class="pairs">${filters.map(
    ({ name, description }) =>
      html`<dt><code>${name}</code></dt><dd>${renderText(description)}</dd>`,
  )}</dl>
${renderCode({ id: 'guide-filters', language: 'sh', name: 'the request with filters', text: curlLine(address) })}
<p>By a name, <a href="#get-payees"><code>/payees</code></a>, <a href="#get-labels"><code>/labels</code></a>, <a href="#get-accounts"><code>/accounts</code></a> and <a href="#get-categories"><code>/categories</code></a> give the id that a filter takes:</p>
${renderCode({ id: 'guide-name', language: 'sh', name: 'the request for a payee by its name', text: curlLine(named) })}
<p>Nothing is guessed: a parameter that is unknown, empty, repeated, out of range or impossible is refused with 400. Percent-encode values.</p>`;
  return { id: 'filters', title: 'Filters', content };
}

function sumsSection(facts: DocsPageFacts): Section {
  const query = 'group_by=payee&interval=month&start_date=2026-01-01&end_date=2026-03-31';
  const address = `${apiAddress(facts)}/sums?${BUDGET}&${query}`;
  const content = html`<p><a href="#get-sums"><code>/sums</code></a> adds up transactions by account, category, group of categories, payee or label: as a whole, or by month or year. What costs most comes first.</p>
${renderCode({ id: 'guide-sums', language: 'sh', name: 'the request for sums', text: curlLine(address) })}
<div class="closed">${renderPrograms({ id: 'guide-sums', name: 'the request for sums', javaScript: javaScriptProgram(address), python: pythonProgram(address) })}</div>
<p>Transfers are left out unless you ask for them with <code>transfers</code>, payments to off-budget accounts too. A transaction with several labels counts under each of them.</p>`;
  return { id: 'sums', title: 'What did I spend?', content };
}

const COUNTED: Readonly<Record<keyof RateLimits, string>> = {
  addressPerMinute: 'of one address, before the token is checked',
  tokenReadsPerMinute: 'with one token, reads',
  tokenWritesPerMinute: 'with one token, other methods',
  userPerMinute: 'of one user, with all tokens',
  userPerDay: 'of one user, with all tokens',
};

function limitsSection({ limits }: DocsPageFacts): Section {
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

function errorsSection(facts: DocsPageFacts): Section {
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

function etagSection(facts: DocsPageFacts): Section {
  const { example } = facts.document.components?.headers?.ETag ?? {};
  // The shell removes a backslash before a quote.
  const etag = String(example).replaceAll('"', '\\"');
  const address = `${apiAddress(facts)}/payees?${BUDGET}`;
  const content = html`<p>Every 200 but that of <code>/token</code> has an <code>ETag</code>. Keep it with the answer, and send it with the next request: while nothing has changed, the answer is an empty 304, which is cheap for both sides. It counts for the limits like any other.</p>
${renderCode({ id: 'guide-etag', language: 'sh', name: 'the request with an ETag', text: curlLine(address, [`If-None-Match: ${etag}`]) })}`;
  return { id: 'etag', title: 'Only what has changed', content };
}

function positionsSection(facts: DocsPageFacts): Section {
  const seconds = 'X-Projection-Wait-Seconds';
  const { default: byDefault, maximum } = parameterOf(facts.document, '/accounts', seconds).schema;
  const headers = ['X-Projection-Wait-For: 42', `${seconds}: 5`];
  const address = `${apiAddress(facts)}/accounts?${BUDGET}`;
  const content = html`<p>Answers follow the event log, mostly by less than a second. <code>X-Projection-Position</code> is the sequence of the budget's last event that an answer contains. If you know the sequence of an event that was just written, wait for it:</p>
${renderCode({ id: 'guide-wait', language: 'sh', name: 'the request that waits', text: curlLine(address, headers) })}
<p>The answer comes as soon as it contains event 42. If that takes longer than <code>${seconds}</code> (default ${String(byDefault)}, at most ${maximum ?? 0}, 0 for no wait), it is 503 <code>unavailable</code>.</p>
<p><code>X-Projection-Parked-Since</code> says that an event of the budget could not be applied yet: answers are as of before it until an operator has looked.</p>`;
  return { id: 'positions', title: 'Positions and waiting', content };
}

function syncSection(facts: DocsPageFacts): Section {
  const api = apiAddress(facts);
  const { maxLength } = parameterOf(facts.document, '/changes', 'cursor').schema;
  const content: Html = html`<p><a href="#get-changes"><code>/changes</code></a> keeps a copy of a budget, at the price of what changed:</p>
<ol>
<li>Ask without <code>cursor</code>: that is everything from the start.</li>
<li>Of each page, first remove what <code>deleted</code> names, then add or replace the rest by <code>id</code>. Store the page's <code>cursor</code> together with it.</li>
<li>While <code>has_more</code> is true, ask again with that cursor. Then the copy is complete: keep the cursor for the next time.</li>
<li>If the <code>cursor</code> is refused with 400, throw the copy away and start again.</li>
</ol>
<p>A cursor is opaque, at most ${maxLength ?? 0} characters long, and stays valid over upgrades and rebuilds of the service.</p>
${renderCode({ id: 'guide-sync', language: 'sh', name: 'the request for changes', text: curlLine(`${api}/changes?${BUDGET}&limit=100`) })}
<div class="closed">${renderPrograms({ id: 'guide-sync', name: 'the copy', javaScript: syncInJavaScript(api), python: syncInPython(api) })}</div>`;
  return { id: 'sync', title: 'Keeping in sync', content };
}

function followSection(facts: DocsPageFacts): Section {
  const { maximum } = parameterOf(facts.document, '/changes', 'wait').schema;
  const content = html`<p>Nobody has to poll. A program that follows one budget adds <code>wait</code> (seconds, at most ${maximum ?? 0}) to <a href="#get-changes"><code>/changes</code></a> beside its <code>cursor</code>: the answer comes as soon as the budget has changed, or as a usual empty page once that time is over.</p>
<p>A program that follows many budgets, or a page that shows them, keeps a stream of <a href="#get-events"><code>/events</code></a> open. It names each budget with its new position, and nothing else: then ask for what you show. When the stream ends, or no line has come for a minute, open another one.</p>
<p>Both count as one read of the limits, however long they last.</p>`;
  return { id: 'told', title: 'Told instead of asked', content };
}
