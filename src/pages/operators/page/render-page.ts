// Renders the operators' page: the system as one process sees it. The page is read-only.
import { type Html, html, trustedHtml } from '../../kit/html.ts';
import { renderFrame, selfContainedPolicy } from '../../kit/page-parts.ts';
import { formatClock, formatCount, formatDuration } from '../format.ts';
import { SAMPLE_MS, type Sample } from '../samples.ts';
import { MANAGEMENT_STYLE } from './assets.ts';
import { renderGenerations } from './generations-section.ts';
import { renderHeld } from './held-section.ts';
import type { OperatorsPageFacts } from './page-facts.ts';
import { renderRequests } from './requests-section.ts';

export interface PagePaths {
  readonly script: string;
  readonly ready: string;
  readonly metrics: string;
}

/** A browser without scripts reloads the page this often. */
const RELOAD_SECONDS = 10;

export const MANAGEMENT_POLICY = selfContainedPolicy(MANAGEMENT_STYLE);

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

/** At most two generations exist at a time; colour and dashes tell them apart. */
const STYLES = ['first', 'second'] as const;
/** The line is interrupted if samples are further apart than this. */
const GAP_MS = 3 * SAMPLE_MS;
const WIDTH = 1000;
const HEIGHT = 100;

/**
 * Draws the lag over time, one line per generation. The drawing stretches to the page width, so its labels are outside.
 */
export function renderLagChart(samples: readonly Sample[]): Html {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || first === last) {
    return html`<p class="quiet">The chart begins within some seconds.</p>`;
  }
  // Earlier samples may name generations that are gone.
  const lines = [...last.generations.keys()].map((id, index) => ({
    id,
    style: STYLES[index] ?? 'first',
    most: Math.max(...samples.map(sample => lagOf(sample, id) ?? 0)),
  }));
  const top = niceTop(Math.max(...lines.map(({ most }) => most)));
  const spanMs = last.atMs - first.atMs;
  const pointOf = ({ atMs }: Sample, lag: number) =>
    `${rounded(((atMs - first.atMs) / spanMs) * WIDTH)},${rounded(HEIGHT - (lag / top) * HEIGHT)}`;
  const words = `Events not applied over the last ${formatDuration(spanMs / 1000)}`;
  return html`<figure>
<figcaption>${words}</figcaption>
<div class="plot">
<p class="scale" aria-hidden="true"><span>${formatCount(top)}</span><span>0</span></p>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}: ${lines.map(({ id, most }) => `${id} at most ${formatCount(most)}, now ${formatCount(lagOf(last, id) ?? 0)}`).join('; ')}">
<path class="grid" d="M0,0H${WIDTH}M0,${HEIGHT / 2}H${WIDTH}M0,${HEIGHT}H${WIDTH}"/>
${lines.map(({ id, style }) => html`<path class="line ${style}" d="${pathOf(samples, id, pointOf)}"/>`)}
</svg>
</div>
<p class="times" aria-hidden="true"><span>${formatClock(new Date(first.atMs))}</span><span>${formatClock(new Date(last.atMs))}</span></p>
<ul class="legend">${lines.map(
    ({ id, style, most }) =>
      html`<li><svg viewBox="0 0 24 8" aria-hidden="true"><path class="line ${style}" d="M0,4H24"/></svg> ${id}: ${formatCount(lagOf(last, id) ?? 0)} now, at most ${formatCount(most)}</li>`,
  )}</ul>
</figure>`;
}

function lagOf({ generations }: Sample, id: string): number | null {
  return generations.get(id)?.lagEvents ?? null;
}

function pathOf(
  samples: readonly Sample[],
  id: string,
  pointOf: (sample: Sample, lag: number) => string,
): string {
  let path = '';
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const sample of samples) {
    const lag = lagOf(sample, id);
    if (lag === null) continue;
    const point = pointOf(sample, lag);
    // A line begins with a dot, so that a single sample is visible.
    path += sample.atMs - lastMs > GAP_MS ? `M${point}h0` : `L${point}`;
    lastMs = sample.atMs;
  }
  return path;
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** Returns the smallest round number that is at least `most` and at least 10. */
function niceTop(most: number): number {
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(1, most))));
  return unit * (STEPS.find(step => unit * step >= most) ?? 10);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
