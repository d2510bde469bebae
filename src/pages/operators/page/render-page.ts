// Renders the operators' page: the system as one process sees it. The page is read-only.
import { type Html, html, trustedHtml } from '../../kit/html.ts';
import { renderFrame, selfContainedPolicy } from '../../kit/page-parts.ts';
import { formatClock } from '../format.ts';
import { MANAGEMENT_STYLE } from './assets.ts';
import { renderGenerations } from './generations-section.ts';
import { renderHeld } from './held-section.ts';
import { renderLagChart } from './lag-chart.ts';
import type { OperatorsPageFacts } from './page-facts.ts';
import { renderRequests } from './requests-section.ts';

export interface PagePaths {
  readonly script: string;
  readonly ready: string;
  readonly metrics: string;
}

/** A browser without scripts reloads the page this often. */
const RELOAD_SECONDS = 10;

/** @param still whether the page stays as it is instead of refreshing by itself */
export function renderOperatorsPage(
  facts: OperatorsPageFacts,
  paths: PagePaths,
  still: boolean,
): string {
  const title = `${facts.waiting.length === 0 ? 'Ready' : 'Waiting'}: ${facts.command} – Budgeting`;
  const head = html`<style>${trustedHtml(MANAGEMENT_STYLE)}</style>
${still ? null : html`<noscript><meta http-equiv="refresh" content="${RELOAD_SECONDS}"></noscript>`}
${still ? null : html`<script src="${paths.script}" defer></script>`}`;
  const body = html`<header class="bar">
<h1>Operators</h1>
<nav aria-label="Site"><ul>
<li><a href="${paths.ready}">Readiness</a></li>
<li><a href="${paths.metrics}">Metrics</a></li>
<li>${still ? html`<a href="/">Refresh by itself</a>` : html`<a href="/?still">Stop refreshing</a>`}</li>
</ul></nav>
</header>
<p id="stale" class="notice waiting" role="status" hidden>The process does not answer: what follows is old.</p>
<main id="main" tabindex="-1">
${renderContent(facts)}
</main>`;
  return renderFrame({ title, head, body }).html;
}

function renderContent(facts: OperatorsPageFacts): Html {
  const { snapshot, history, requests, projects } = facts;
  const at = formatClock(snapshot.at);
  return html`<p class="quiet">Process of <code>budgeting ${facts.command}</code>, at <time datetime="${snapshot.at.toISOString()}">${at}</time></p>
${renderReadiness(facts)}
${projects ? html`<h2>Lag</h2>${renderLagChart(history)}` : null}
<h2>Generations</h2>
${renderGenerations(facts)}
${projects ? html`<h2>Held streams</h2>${renderHeld(facts)}` : html`<p class="quiet">Partitions, lag and held streams are on the page of a projector.</p>`}
${requests === null ? null : html`<h2>Requests</h2>${renderRequests(requests)}`}`;
}

function renderReadiness({ waiting }: OperatorsPageFacts): Html {
  if (waiting.length === 0) return html`<p class="notice">Ready.</p>`;
  return html`<div class="notice waiting"><p>Waiting:</p>
<ul>${waiting.map(({ message }) => html`<li>${message}</li>`)}</ul></div>`;
}

export const MANAGEMENT_POLICY = selfContainedPolicy(MANAGEMENT_STYLE);
