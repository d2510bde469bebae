// Renders the table of figures, as lines for a terminal and for docs/notebook.md (pure).
import { type Bound, type Goal, judge, type Measured } from './measured.ts';

const HEAD = ['Figure', 'Measured', 'Baseline', 'Ratio', 'Goal', ''];

/** Returns the lines of a Markdown table with aligned columns. */
export function table(measured: readonly Measured[]): string[] {
  const rows = [HEAD, ...measured.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  const rule = widths.map(width => '-'.repeat(width));
  const [head = HEAD, ...rest] = rows;
  return [head, rule, ...rest].map(row => {
    const padded = row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    return `| ${padded.join(' | ')} |`;
  });
}

function cells(measured: Measured): string[] {
  const { what, against, unit, goal } = measured;
  const { subject, baseline, ratio, reached } = judge(measured);
  return [
    what,
    `${formatNumber(subject)} ${unit}`,
    `${formatNumber(baseline)} ${unit} (${against})`,
    `${formatNumber(ratio)} x`,
    goalText(goal, unit),
    goalText(goal, unit) && (reached ? 'reached' : 'missed'),
  ];
}

function goalText({ ratio, value }: Goal, unit: string): string {
  const parts = [
    ...(ratio ? [`${boundText(ratio)} x`] : []),
    ...(value ? [`${boundText(value)} ${unit}`] : []),
  ];
  return parts.join(', ');
}

function boundText(bound: Bound): string {
  return 'atLeast' in bound ? `>= ${bound.atLeast}` : `<= ${bound.atMost}`;
}

/** Returns the number with three significant digits or as a whole number, without exponent. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}
