// Lag over time as a drawing: a line for each generation. It stretches with its frame, so its words are outside of it.
import { type Html, html } from '../../page/html.ts';
import { SAMPLE_MS, type Sample } from '../samples.ts';
import { clockWords, countWords, durationWords } from './words.ts';

/** Two generations exist at most; they differ by colour and by dashes. */
const STYLES = ['first', 'second'] as const;
/** Where so many samples are missing the line is broken. */
const GAP_MS = 3 * SAMPLE_MS;
const WIDTH = 1000;
const HEIGHT = 100;

export function renderLagChart(samples: readonly Sample[]): Html {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || first === last) {
    return html`<p class="quiet">The chart begins within some seconds.</p>`;
  }
  const ids = [...new Set(samples.flatMap(({ generations }) => [...generations.keys()]))];
  // Those of now are the newest.
  const lines = ids.slice(-STYLES.length).map((id, index) => ({
    id,
    style: STYLES[index] ?? 'first',
    most: Math.max(...samples.map(sample => lagOf(sample, id) ?? 0)),
  }));
  const top = niceTop(Math.max(...lines.map(({ most }) => most)));
  const spanMs = last.atMs - first.atMs;
  const pointOf = ({ atMs }: Sample, lag: number) =>
    `${rounded(((atMs - first.atMs) / spanMs) * WIDTH)},${rounded(HEIGHT - (lag / top) * HEIGHT)}`;
  const words = `Events not applied over the last ${durationWords(spanMs / 1000)}`;
  return html`<figure>
<figcaption>${words}</figcaption>
<div class="plot">
<p class="scale" aria-hidden="true"><span>${countWords(top)}</span><span>0</span></p>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words}: ${lines.map(({ id, most }) => `${id} at most ${countWords(most)}, now ${countWords(lagOf(last, id) ?? 0)}`).join('; ')}">
<path class="grid" d="M0,0H${WIDTH}M0,${HEIGHT / 2}H${WIDTH}M0,${HEIGHT}H${WIDTH}"/>
${lines.map(({ id, style }) => html`<path class="line ${style}" d="${pathOf(samples, id, pointOf)}"/>`)}
</svg>
</div>
<p class="times" aria-hidden="true"><span>${clockWords(new Date(first.atMs))}</span><span>${clockWords(new Date(last.atMs))}</span></p>
<ul class="legend">${lines.map(
    ({ id, style, most }) =>
      html`<li><svg viewBox="0 0 24 8" aria-hidden="true"><path class="line ${style}" d="M0,4H24"/></svg> ${id}: ${countWords(lagOf(last, id) ?? 0)} now, at most ${countWords(most)}</li>`,
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
    // A beginning is a dot, seen before the second sample comes.
    path += sample.atMs - lastMs > GAP_MS ? `M${point}h0` : `L${point}`;
    lastMs = sample.atMs;
  }
  return path;
}

const STEPS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];

/** The next round number, at least 10. */
function niceTop(most: number): number {
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(Math.max(1, most))));
  return unit * (STEPS.find(step => unit * step >= most) ?? 10);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
