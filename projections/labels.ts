// The labels inside a row.
import type { Row } from './documents.ts';
import { compareCodePoints, foldText } from './fold.ts';

/** By name key, then id (readings.md, Answers). */
export function sortLabels(labels: Row['labels']): Row['labels'] {
  return [...labels].sort(
    (a, b) =>
      compareCodePoints(foldText(a.name), foldText(b.name)) || compareCodePoints(a.id, b.id),
  );
}
