// The style sheet of the operators' page: the look of every page, and what tables and the chart need on top.
import { STYLE } from '../../page/style.ts';

export const MANAGEMENT_STYLE = `${STYLE}
:root { --danger: #a4161a; --warm: #8a5300; --second: #8a5300; }
@media (prefers-color-scheme: dark) { :root { --danger: #ff9d9d; --warm: #f0b866; --second: #f0b866; } }
header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; align-items: baseline; justify-content: space-between; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
header ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0; columns: auto; }
h3 { margin: 0 0 0.25rem; }
.quiet, caption { color: var(--quiet); }
.good { color: var(--method); }
.bad { color: var(--danger); font-weight: 600; }
.notice { margin: 1rem 0; padding: 0.75rem 1rem; border-left: 4px solid var(--method); background: var(--raised); }
.notice.waiting { border-color: var(--warm); }
.notice ul { padding-left: 1.2rem; }
[hidden] { display: none; }
.card { margin: 1rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.4rem; }
.plain { list-style: none; padding: 0; }
.state { padding: 0.1rem 0.5rem; border: 1px solid currentColor; border-radius: 1rem; font-size: 0.8rem; font-weight: 600; vertical-align: middle; white-space: nowrap; }
.state.active { color: var(--method); }
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
figure { margin: 0.5rem 0; }
figcaption { color: var(--quiet); }
.plot { display: flex; gap: 0.5rem; }
.plot svg { flex: 1; min-width: 0; height: 11rem; margin: 0.5rem 0; }
.scale, .times { display: flex; justify-content: space-between; margin: 0; color: var(--quiet); font-size: 0.85rem; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.scale { flex-direction: column; text-align: right; }
.line, .grid { fill: none; vector-effect: non-scaling-stroke; }
.grid { stroke: var(--line); }
.line { stroke-width: 2; stroke-linejoin: round; }
.line.first { stroke: var(--link); }
.line.second { stroke: var(--second); stroke-dasharray: 6 3; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; padding: 0; list-style: none; }
.legend svg { width: 1.5rem; height: 0.5rem; }
@media (max-width: 30rem) { body { padding: 1rem 0.75rem 3rem; } .card { padding: 0.75rem; } table { font-size: 0.85rem; } }
`;
