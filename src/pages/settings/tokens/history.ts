// Renders what happened to a user's tokens, newest first: made, last used or revoked, when, and who did it.
import type { Token } from '../../../access/token.ts';
import { HISTORY_DAYS, HISTORY_MAX, type TokenEvent } from '../../../access/token-history.ts';
import { type Html, html } from '../../kit/html.ts';
import { renderTime } from './wording.ts';

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

/** @param events newest first */
export function renderHistory(events: readonly TokenEvent[], tokens: readonly Token[]): Html {
  const lines = toLines(events, tokens);
  const more = lines.length - SHOWN_MAX;
  return html`<h2 id="history">History</h2>
<p class="quiet">The newest ${HISTORY_MAX} changes are kept, for ${HISTORY_DAYS} days. A token’s last use is noted to the minute.</p>
${lines.length === 0 ? html`<p>Nothing has happened yet.</p>` : renderTable(lines.slice(0, SHOWN_MAX))}
${more > 0 ? html`<p class="quiet">${more} older ones are not shown.</p>` : null}`;
}

function toLines(events: readonly TokenEvent[], tokens: readonly Token[]): Line[] {
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
