// The style sheet of the operators' page, which is the common style with additions for tables and the chart, and its
// only script.
import { STYLE } from '../../kit/style.ts';

export const MANAGEMENT_STYLE = `${STYLE}
.bar h1, .bar + * { margin: 0; }
caption { color: var(--quiet); }
.good { color: var(--method); }
.bad { color: var(--danger); font-weight: 600; }
.notice { border-color: var(--method); }
.notice.waiting { border-color: var(--warm); }
[hidden] { display: none; }
.state.building, .state.verifying, .state.gap, .state.change { color: var(--warm); }
.state.failed, .state.rejected, .state.parked { color: var(--danger); }
.state.retired { color: var(--quiet); }
progress { display: block; width: 100%; height: 0.9rem; accent-color: var(--link); }
table { width: 100%; margin-top: 0.75rem; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { padding: 0.25rem 0; text-align: left; }
th, td { padding: 0.3rem 0.4rem; border-top: 1px solid var(--line); text-align: right; vertical-align: top; }
th:first-child { padding-left: 0; text-align: left; }
td:last-child, th:last-child { padding-right: 0; }
tbody th { font-weight: 400; }
.texts, .requests { table-layout: fixed; }
.texts td, .texts thead th { text-align: left; }
.texts th:first-child { width: 23%; }
.texts th:nth-child(2) { width: 30%; }
.texts th:last-child { width: 24%; }
.requests th:first-child { width: 29%; }
.requests th:nth-child(n + 6) { width: 14%; }
figure { margin: 0.5rem 0; }
figcaption { color: var(--quiet); }
.plot { display: flex; gap: 0.5rem; }
.plot svg { flex: 1; min-width: 0; height: 11rem; margin: 0.5rem 0; }
.scale, .times { display: flex; justify-content: space-between; margin: 0; color: var(--quiet); font-size: 0.85rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.scale { flex-direction: column; text-align: right; }
.line, .grid { fill: none; vector-effect: non-scaling-stroke; }
.grid { stroke: var(--line); }
.line { stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.line.first { stroke: var(--link); }
.line.second { stroke: var(--warm); stroke-dasharray: 6 5; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0; list-style: none; }
.legend svg { width: 1.5rem; height: 0.5rem; }
@media (max-width: 30rem) { body { padding: 1rem 0.75rem 3rem; } .card { padding: 0.75rem; } table { font-size: 0.85rem; } .texts, .requests { font-size: 0.8rem; } .texts th, .texts td, .requests th, .requests td { padding-inline: 0 0.2rem; } }
`;

/** Refreshes the content every 2 s. Without it the browser reloads the page. */
export const REFRESH_SCRIPT = `'use strict';
const EVERY_MS = 2000;
const ANSWER_MS_MAX = 5000;
const stale = document.getElementById('stale');

// A refresh would drop a text selection and the keyboard focus.
function isInUse(main) {
  const selection = getSelection();
  const selects = selection && !selection.isCollapsed && selection.containsNode(main, true);
  return selects || (main !== document.activeElement && main.contains(document.activeElement));
}

async function refresh() {
  const main = document.getElementById('main');
  if (document.hidden || isInUse(main)) return;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const response = await fetch('/', { cache: 'no-store', signal });
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    stale.hidden = true;
    // The selection or the focus may have changed during the request.
    if (isInUse(main)) return;
    document.title = page.title;
    main.replaceChildren(...page.getElementById('main').childNodes);
  } catch {
    stale.hidden = false;
  }
}

async function run() {
  await refresh();
  setTimeout(run, EVERY_MS);
}
setTimeout(run, EVERY_MS);
`;
