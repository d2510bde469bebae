// The labels inside a row.
import type { Row } from './documents.ts';
import { compareCodePoints, normalizeText } from './normalize-text.ts';

/** Returns the labels by name key, then id (rules/readings.md#are-names-normalised-in-answers). */
export function sortLabels(labels: Row['labels']): Row['labels'] {
  return [...labels].sort(
    (a, b) =>
      compareCodePoints(normalizeText(a.name), normalizeText(b.name)) ||
      compareCodePoints(a.id, b.id),
  );
}
