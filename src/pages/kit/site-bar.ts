// The top bar of every page for users of the API: the site's links, and what a page adds.
import { type Html, html } from './html.ts';

export function renderSiteBar(more: Html | null = null): Html {
  return html`<header class="bar">
<nav aria-label="Site"><ul>
<li><a class="home" href="/">Budgeting</a></li>
<li><a href="/settings/tokens">API tokens</a></li>
<li><a href="/docs">API docs</a></li>
</ul></nav>
${more}
</header>`;
}
