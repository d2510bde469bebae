// The result of a chaos run as text.
import type { ChaosResult } from './run-chaos.ts';

export function describeResult(result: ChaosResult): string[] {
  const {
    faults,
    leftOut,
    scenarios,
    answers,
    exits,
    starts,
    written,
    aborted,
    documents,
    copies,
    last,
    differences,
  } = result;
  return [
    `${total(faults)} faults:`,
    ...listed(faults),
    ...[...leftOut].map(([name, why]) => `      -  ${name}: ${why}`),
    `${scenarios.run.length} scenarios:`,
    ...scenarios.run.map(name => `      1  ${name}`),
    ...scenarios.left.map(name => `      -  ${name}: in long runs alone`),
    `${written} records written, ${aborted} in aborted transactions; ${last.records} visible in the log (${last.strays} of no stream), ${last.streams} streams, ${last.held} held`,
    `${documents} documents compared with those of an undisturbed run`,
    `${copies} copies of clients that follow /changes are equal to the lists`,
    `${starts} processes started again; ended by themselves: ${total(exits)}`,
    ...listed(exits),
    `The machine stalled ${result.starved} times`,
    `${total(answers)} reads by answer:`,
    ...listed(answers),
    `${differences.length} differences`,
    ...differences.slice(0, 50).map(difference => `  ${difference}`),
  ];
}

function listed(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([what, times]) => `${String(times).padStart(7)}  ${what}`);
}

function total(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, times) => sum + times, 0);
}
