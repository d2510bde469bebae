// Delivers a whole history to a model.
import type { HistoryEntry } from '../histories/history.ts';
import { createModel, type Model } from './model.ts';

/** Delivers all events; an operator skips refused ones at once. */
export function played(history: readonly HistoryEntry[]): Model {
  const model = createModel();
  for (const { event, isSchemaValid } of history) {
    model.deliver(event, { schemaValid: isSchemaValid });
    while (model.skip(event.subject));
  }
  return model;
}
