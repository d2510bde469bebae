// The chart: one line for each generation, with a break where samples are missing.
import test from 'ava';
import { renderLagChart } from '../../../../src/pages/operators/page/render-page.ts';
import type { Sample } from '../../../../src/pages/operators/samples.ts';

const START_MS = Date.parse('2026-11-20T12:00:00Z');

function sample(second: number, lags: Readonly<Record<string, number>>): Sample {
  const generations = Object.entries(lags).map(
    ([id, lagEvents]) => [id, { applied: 0, lagEvents }] as const,
  );
  return { atMs: START_MS + second * 1000, generations: new Map(generations) };
}

test('a chart needs at least two samples', t => {
  t.regex(renderLagChart([]).html, /begins within some seconds/);
  t.regex(renderLagChart([sample(0, { g1: 1 })]).html, /begins within some seconds/);
});

test('each generation has a line, on a common scale', t => {
  const { html } = renderLagChart([
    sample(0, { g1: 0 }),
    sample(5, { g1: 5, g2: 20 }),
    sample(10, { g1: 0, g2: 10 }),
  ]);
  t.regex(html, /d="M0,100h0L500,75L1000,100"/);
  t.regex(html, /d="M500,0h0L1000,50"/);
  t.regex(html, /over the last 10 s: g1 at most 5, now 0; g2 at most 20, now 10"/);
  t.regex(html, /<span>12:00:00 UTC<\/span><span>12:00:10 UTC<\/span>/);
});

test('a line breaks where samples are missing', t => {
  const { html } = renderLagChart([
    sample(0, { g1: 10 }),
    sample(5, { g1: 10 }),
    sample(100, { g1: 10 }),
  ]);
  t.regex(html, /d="M0,0h0L50,0M1000,0h0"/);
});

for (const [title, before, now] of [
  ['the answering one, beside a new build', { g1: 7, g2: 8 }, { g1: 9, g3: 2 }],
  ['a build that was switched to', { g1: 7, g2: 8 }, { g2: 8, g3: 9 }],
] as const) {
  test(`only the generations of now are drawn: ${title}`, t => {
    const { html } = renderLagChart([sample(0, before), sample(5, before), sample(10, now)]);
    const named = [...new Set(html.match(/g\d(?= at most)/g))];
    t.deepEqual(named, Object.keys(now));
  });
}

test('the scale ends at a round number', t => {
  for (const [most, top] of [
    [0, '10'],
    [11, '15'],
    [22_241, '25,000'],
    [999_999, '1,000,000'],
  ] as const) {
    const { html } = renderLagChart([sample(0, { g1: most }), sample(5, { g1: 0 })]);
    t.true(html.includes(`<span>${top}</span><span>0</span>`), `${most}: ${top}`);
  }
});
