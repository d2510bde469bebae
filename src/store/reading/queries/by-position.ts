// The order of accounts, groups and categories, and of budgets by their names (rules/api.md#order).
import { compareCodePoints } from '../../../../projections/normalize-text.ts';

interface NamedThing {
  readonly nameKey: string;
  readonly id: string;
}

/** Orders by name key, then id, both by code point. */
export function byName(a: NamedThing, b: NamedThing): number {
  return compareCodePoints(a.nameKey, b.nameKey) || compareCodePoints(a.id, b.id);
}

/** Orders by position, then as `byName`; documents without a position come last. */
export function byPosition(
  a: NamedThing & { readonly position: number | null },
  b: NamedThing & { readonly position: number | null },
): number {
  return comparePositions(a.position, b.position) || byName(a, b);
}

function comparePositions(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a - b;
}
