// Renders the budgets of a user with their ids, which requests to the API name.
import { type Html, html } from '../../kit/html.ts';
import type { NamedBudget } from './budgets.ts';
import { renderBudgetName } from './create-form.ts';

/** At most this many budgets are listed; the page names the number of the others. */
const BUDGETS_MAX = 100;

export function renderYourBudgets(budgets: readonly NamedBudget[]): Html {
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
