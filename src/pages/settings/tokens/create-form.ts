// Renders the form that creates a token, and the page after it was created, the only one that ever shows the token's
// value.
import { ROUTES, SCOPES } from '../../../../schemas/generated/api.ts';
import { createSecret } from '../../../access/secret.ts';
import type { Issued } from '../../../access/tokens.ts';
import { DAY_MS } from '../../../process/calendar.ts';
import { counted } from '../../../process/printable.ts';
import { type Html, html } from '../../kit/html.ts';
import { FORM_KEY, type Session } from '../session.ts';
import type { NamedBudget } from './budgets.ts';
import { DAYS, type Problems, type TokenDraft } from './token-draft.ts';
import { formatDay, SCOPE_NAMES } from './wording.ts';

export interface CreateForm {
  readonly session: Session;
  readonly draft: TokenDraft;
  readonly problems: Problems;
  readonly budgets: readonly NamedBudget[];
  readonly now: Date;
}

/** The field with a secret that is new each time the form is shown, so that sending it twice makes one token. */
export const FORM_NUMBER = 'form_number';

const FIELDS: readonly (readonly [keyof Problems, string])[] = [
  ['name', 'name'],
  ['scopes', 'access'],
  ['budgets', 'reach'],
];

export function renderCreateForm({ session, draft, problems, budgets, now }: CreateForm): Html {
  return html`${renderSummary(problems)}
<form method="post" action="/settings/tokens">
<input type="hidden" name="${FORM_KEY}" value="${session.formKey}">
<input type="hidden" name="${FORM_NUMBER}" value="${createSecret()}">
${renderName(draft, problems)}
${renderScopes(draft, problems)}
${renderBudgets(draft, problems, budgets)}
${renderDays(draft, now)}
<p class="actions"><button>Create token</button> <a class="button plain" href="/settings/tokens">Cancel</a></p>
</form>`;
}

function renderSummary(problems: Problems): Html | null {
  if (Object.keys(problems).length === 0) return null;
  const links = FIELDS.map(([field, target]) => {
    const text = problems[field];
    return text === undefined ? null : html`<li><a href="#${target}">${text}</a></li>`;
  });
  return html`<div class="notice bad" role="alert" tabindex="-1" autofocus>
<p><strong>No token was made.</strong> ${problems.whole ?? ''}</p>
<ul>${links}</ul>
</div>`;
}

function renderName({ name }: TokenDraft, { name: problem }: Problems): Html {
  const invalid = problem === undefined ? null : html` aria-invalid="true"`;
  return html`<p class="field">
<label for="name">Name</label>
<span class="hint" id="name-hint">What will use it, such as “Spreadsheet at home”.</span>
${renderProblem('name', problem)}
<input id="name" name="name" value="${name}" required autocomplete="off" aria-describedby="${described('name', problem)}"${invalid}>
</p>`;
}

function renderScopes({ access, scopes }: TokenDraft, { scopes: problem }: Problems): Html {
  const boxes = SCOPES.map(scope =>
    renderChoice('checkbox', {
      name: 'scope',
      value: scope,
      isTicked: scopes.includes(scope),
      label: html`${SCOPE_NAMES[scope]} <code>${scope}</code>`,
    }),
  );
  return html`<fieldset id="access" aria-describedby="${described('access', problem)}">
<legend>What it may read</legend>
<span class="hint" id="access-hint">A token only reads. It changes nothing.</span>
${renderProblem('access', problem)}
${renderChoice('radio', { name: 'access', value: 'all', isTicked: access === 'all', label: 'Read everything' })}
${renderChoice('radio', { name: 'access', value: 'picked', isTicked: access === 'picked', label: 'Only what is ticked:' })}
<div class="boxes">${boxes}</div>
</fieldset>`;
}

function renderBudgets(
  { reach, budgets: picked }: TokenDraft,
  { budgets: problem }: Problems,
  budgets: readonly NamedBudget[],
): Html {
  const boxes = budgets.map(({ id, name, details }) =>
    renderChoice('checkbox', {
      name: 'budget',
      value: id,
      isTicked: picked.includes(id),
      label: html`${renderBudgetName(name, details)} <code>${id}</code>`,
    }),
  );
  const choices =
    budgets.length === 0
      ? html`<p class="quiet">You have no budgets yet, so there are none to choose from.</p>`
      : html`${renderChoice('radio', { name: 'reach', value: 'picked', isTicked: reach === 'picked', label: 'Only what is ticked:' })}
<div class="boxes">${boxes}</div>`;
  return html`<fieldset id="reach" aria-describedby="${described('reach', problem)}">
<legend>Which budgets</legend>
<span class="hint" id="reach-hint">It never reaches more than you do yourself.</span>
${renderProblem('reach', problem)}
${renderChoice('radio', { name: 'reach', value: 'all', isTicked: reach === 'all', label: 'All my budgets, later ones too' })}
${choices}
</fieldset>`;
}

function renderDays({ days }: TokenDraft, now: Date): Html {
  const choices = DAYS.map(choice => {
    const until = formatDay(new Date(now.getTime() + choice * DAY_MS));
    const selected = choice === days ? html` selected` : null;
    const lifetime = counted(choice, 'day');
    return html`<option value="${choice}"${selected}>${lifetime}, until ${until}</option>`;
  });
  return html`<p class="field">
<label for="days">Valid for</label>
<span class="hint" id="days-hint">You can revoke it at any time.</span>
<select id="days" name="days" aria-describedby="days-hint">${choices}</select>
</p>`;
}

export function renderBudgetName(name: string, details: readonly string[]): Html {
  const more =
    details.length === 0
      ? null
      : html` <span class="quiet"><bdi>${details.join(', ')}</bdi></span>`;
  return html`<bdi>${name}</bdi>${more}`;
}

interface Choice {
  readonly name: string;
  readonly value: string;
  readonly isTicked: boolean;
  readonly label: Html | string;
}

function renderChoice(type: 'checkbox' | 'radio', { name, value, isTicked, label }: Choice): Html {
  const ticked = isTicked ? html` checked` : null;
  return html`<label class="choice"><input type="${type}" name="${name}" value="${value}"${ticked}> <span>${label}</span></label>`;
}

function renderProblem(field: string, problem: string | undefined): Html | null {
  return problem === undefined
    ? null
    : html`<span class="problem" id="${field}-problem">${problem}</span>`;
}

function described(field: string, problem: string | undefined): string {
  return problem === undefined ? `${field}-hint` : `${field}-hint ${field}-problem`;
}

export interface CreatedToken extends Issued {
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
