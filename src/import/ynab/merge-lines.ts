// Lines of the plan that are one category here.
import type { PlanLine } from './read-ynab.ts';

interface MergedLines {
  /** One for each month and category, in the order of the first. */
  readonly lines: readonly PlanLine[];
  /** `Group: Category` of those that stand for several. */
  readonly merged: readonly string[];
}

/**
 * Adds up the lines of one month, group and category. YNAB lists hidden categories in one group, whatever their own was, so
 * two of one name are the same one, here as in the register.
 */
export function mergeLines(lines: readonly PlanLine[]): MergedLines {
  const byKey = new Map<string, PlanLine>();
  const merged = new Set<string>();
  for (const line of lines) {
    const { month, group, category } = line;
    const key = JSON.stringify([month, group, category]);
    const before = byKey.get(key);
    if (before) {
      merged.add(`${group}: ${category}`);
      const assigned = before.assigned + line.assigned;
      const activity = before.activity + line.activity;
      byKey.set(key, { ...before, assigned, activity });
    } else byKey.set(key, line);
  }
  return { lines: [...byKey.values()], merged: [...merged] };
}
