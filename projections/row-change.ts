// The core idea: every change to rows is first turned into row changes, and every aggregate is a fold over them.
import { AGGREGATES } from './document-kinds.ts';
import type { Row } from './documents.ts';
import type { WorkingSet } from './working-set.ts';

export interface RowChange {
  readonly before: Row | null;
  readonly after: Row | null;
}

/** Applies a row change to the rows and to every aggregate. */
export function applyRowChange(documents: WorkingSet, { before, after }: RowChange): void {
  const row = after ?? before;
  if (!row) return;
  if (after) documents.put('rows', after);
  else documents.remove('rows', row.set, row.id);
  for (const { fields, take } of AGGREGATES) {
    // A change of names alone (a renamed payee, say) touches no sum.
    if (before && after && fields.every(field => before[field] === after[field])) continue;
    if (before) take(documents, before, -1);
    if (after) take(documents, after, 1);
  }
}
