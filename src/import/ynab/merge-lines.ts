// Lines of the plan that are one category here.
import { groupBy } from '../../process/group-by.ts';
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
  const same = [...groupBy(lines, line => cellKey(line, line.month)).values()];
  const several = same.filter(({ length }) => length > 1).flat();
  return {
    lines: same.map(each => each.reduce(added)),
    merged: [...new Set(several.map(({ group, category }) => `${group}: ${category}`))],
  };
}

function added(one: PlanLine, other: PlanLine): PlanLine {
  const assigned = one.assigned + other.assigned;
  return { ...one, assigned, activity: one.activity + other.activity };
}

/** Returns the key of a category in a month. */
export function cellKey({ group, category }: Pick<PlanLine, 'group' | 'category'>, month: string) {
  return JSON.stringify([group, category, month]);
}
