// Renders the list of a user's tokens: active ones, then expired and revoked ones, each newest first.
import type { OwnToken, OwnTokens } from '../../../access/own-tokens.ts';
import { tokenState } from '../../../access/token.ts';
import { HISTORY_DAYS, HISTORY_MAX, type TokenEvent } from '../../../access/token-history.ts';
import { type Html, html } from '../../kit/html.ts';
import type { NamedBudget } from './budgets.ts';
import { renderBudgetName } from './create-form.ts';
import { nameScopes, renderTime } from './wording.ts';

export interface TokenList {
  readonly tokens: OwnTokens;
  /** Those that the user reaches. */
  readonly budgets: readonly NamedBudget[];
  /** What happened to the tokens, newest first. */
  readonly events: readonly TokenEvent[];
  readonly now: Date;
}

export function renderList({ tokens, budgets, events, now }: TokenList): Html {
  const { active, ended } = tokens;
  const madeHere = madeByOwner(events);
  const byId = new Map(budgets.map(budget => [budget.id, budget]));
  const render = (token: OwnToken) => {
    const shown = renderBudgets(token, { budgets: byId, madeHere: madeHere.has(token.id) });
    return renderToken(token, shown, now);
  };
  return html`<p>A token lets a program read your budgets through the <a href="/docs">API</a>. It acts as you, and changes nothing.</p>
<p class="actions"><a class="button" href="/settings/tokens/new">Create a token</a></p>
<h2>In use</h2>
${active.tokens.length === 0 ? html`<p>You have no tokens.</p>` : html`<ul class="plain-list">${active.tokens.map(render)}</ul>`}
${active.isCut ? OTHERS : null}
${ended.tokens.length === 0 ? null : html`<h2>Ended</h2><ul class="plain-list">${ended.tokens.map(render)}</ul>`}
${ended.isCut ? OTHERS : null}
${renderYourBudgets(budgets)}
${renderHistory(events, [...active.tokens, ...ended.tokens])}`;
}

const OTHERS = html`<p class="quiet">Others are not listed.</p>`;

function renderToken(token: OwnToken, budgets: Html, now: Date): Html {
  const state = tokenState(token, now);
  return html`<li class="card" id="token-${token.id}">
<h3><bdi>${token.name}</bdi> <span class="state ${state}">${STATES[state]}</span></h3>
<dl>
<div><dt>Value ends in</dt><dd><code>${token.last4}</code></dd></div>
<div><dt>Reads</dt><dd>${nameScopes(token.scopes)}</dd></div>
<div><dt>Budgets</dt><dd>${budgets}</dd></div>
<div><dt>Created</dt><dd>${renderTime(token.createdAt)}</dd></div>
<div><dt>Last used</dt><dd>${token.lastUsedAt === null ? 'Never' : renderTime(token.lastUsedAt)}</dd></div>
<div><dt>Expires</dt><dd>${renderTime(token.expiresAt)}</dd></div>
${token.revokedAt === null ? null : html`<div><dt>Revoked</dt><dd>${renderTime(token.revokedAt)}</dd></div>`}
</dl>
${state === 'active' ? renderRevokeLink(token) : null}
</li>`;
}

const STATES = { active: 'Active', expired: 'Expired', revoked: 'Revoked' } as const;

function renderRevokeLink({ id, name, last4 }: OwnToken): Html {
  return html`<p><a class="button danger" href="${revokePath(id)}">Revoke<span class="unseen"> “<bdi>${name}</bdi>”, ending in ${last4}</span></a></p>`;
}

export function revokePath(id: string): string {
  return `/settings/tokens/${id}/revoke`;
}

/** Returns the ids of the tokens that the user made on these pages. */
function madeByOwner(events: readonly TokenEvent[]): ReadonlySet<string> {
  const made = events.filter(({ what, by }) => what === 'made' && by === 'owner');
  return new Set(made.map(({ token }) => token.id));
}

interface Reached {
  /** By id. */
  readonly budgets: ReadonlyMap<string, NamedBudget>;
  /** The form offers only budgets that the user reaches, so such a token's budgets were reached once. */
  readonly madeHere: boolean;
}

function renderBudgets({ budgets: own }: OwnToken, { budgets, madeHere }: Reached): Html {
  if (own === null) return html`All, later ones too`;
  // Whether somebody else has a budget with that id must not show, so the words fit both.
  const absent = madeHere ? 'not within your reach any more' : 'you have no budget with this id';
  const more = own.count - own.first.length;
  const names = own.first.map(id => {
    const known = budgets.get(id);
    const name = known ? renderBudgetName(known.name, known.details) : null;
    return html`<li>${name} <code>${id}</code>${known ? null : html` <span class="quiet">${absent}</span>`}</li>`;
  });
  const rest = more > 0 ? html`<li class="quiet">and ${more} more</li>` : null;
  return html`<ul class="plain-list">${names}${rest}</ul>`;
}

/** At most this many budgets are listed; the page names the number of the others. */
const BUDGETS_MAX = 100;

/** Renders the budgets of a user with their ids, which requests to the API name. */
function renderYourBudgets(budgets: readonly NamedBudget[]): Html {
  const more = budgets.length - BUDGETS_MAX;
  const items = budgets.slice(0, BUDGETS_MAX).map(renderBudget);
  return html`<h2>Your budgets</h2>
<p>Requests name a budget by its id, as <code>budget_id</code>.</p>
${budgets.length === 0 ? html`<p class="quiet">You have no budgets yet.</p>` : html`<ul class="plain-list budgets">${items}</ul>`}
${more > 0 ? html`<p class="quiet">${more} more are not listed here; the form of a new token shows all.</p>` : null}`;
}

function renderBudget({ id, name, details }: NamedBudget, index: number): Html {
  const source = `budget-${index + 1}`;
  return html`<li><span>${renderBudgetName(name, details)}</span>
<span class="copied"><code id="${source}">${id}</code>
<button type="button" class="plain small" data-copies="${source}" hidden>Copy<span class="unseen"> ${id}</span></button>
<span class="quiet" role="status" id="${source}-status"></span></span></li>`;
}

/** At most this many lines are shown; the page names the number of the others. */
const SHOWN_MAX = 100;

interface Line {
  readonly at: Date;
  readonly what: string;
  readonly by: string;
  readonly token: TokenEvent['token'];
}

const WHAT = { made: 'Made', revoked: 'Revoked' } as const;
const BY = { owner: 'You, on this page', operator: 'An operator, by a command' } as const;

/**
 * Renders what happened to a user's tokens, newest first: made, last used or revoked, when, and who did it.
 *
 * @param events newest first
 */
function renderHistory(events: readonly TokenEvent[], tokens: readonly OwnToken[]): Html {
  const lines = toLines(events, tokens);
  const more = lines.length - SHOWN_MAX;
  return html`<h2 id="history">History</h2>
<p class="quiet">The newest ${HISTORY_MAX} changes are kept, for ${HISTORY_DAYS} days. A token’s last use is noted to the minute.</p>
${lines.length === 0 ? html`<p>Nothing has happened yet.</p>` : renderTable(lines.slice(0, SHOWN_MAX))}
${more > 0 ? html`<p class="quiet">${more} older ones are not shown.</p>` : null}`;
}

function toLines(events: readonly TokenEvent[], tokens: readonly OwnToken[]): Line[] {
  const changes = events.map(({ at, what, by, token }) => {
    return { at, what: WHAT[what], by: BY[by], token };
  });
  const uses = tokens.flatMap(token => {
    const { lastUsedAt: at } = token;
    return at === null ? [] : [{ at, what: 'Last used', by: 'A program with the token', token }];
  });
  return [...changes, ...uses].sort((a, b) => b.at.getTime() - a.at.getTime());
}

function renderTable(lines: readonly Line[]): Html {
  const rows = lines.map(
    ({ at, what, by, token }) => html`<tr>
<td>${renderTime(at)}</td><td>${what}</td><td><bdi>${token.name}</bdi>, ending in <code>${token.last4}</code></td><td>${by}</td>
</tr>`,
  );
  return html`<table aria-labelledby="history">
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Token</th><th scope="col">By</th></tr></thead>
<tbody>${rows}</tbody>
</table>`;
}
