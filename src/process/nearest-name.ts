// Finds the known name that somebody probably meant by an unknown one.

/** Longer names are nobody's typing error; the bound keeps the comparison cheap. */
const LENGTH_MAX = 40;

/**
 * Returns the known name with the fewest edits, or null if none is near: edits must be fewer than half of the letters.
 * Case, hyphens and underscores do not count, so `budgetId` is near `budget_id`.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  const typed = lettersOf(name);
  if (name.length > LENGTH_MAX || typed === '') return null;
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const letters = lettersOf(candidate);
    // People mostly get the first letter right: this keeps `from_date` away from `end_date`.
    const edits = editsBetween(typed, letters) + (typed[0] === letters[0] ? 0 : 1);
    if (edits * 2 >= Math.max(typed.length, letters.length) || edits >= fewest) continue;
    nearest = candidate;
    fewest = edits;
  }
  return nearest;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Levenshtein's distance: letters to add, drop or replace. */
function editsBetween(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const replaced = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
