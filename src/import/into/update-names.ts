// Brings payees and labels up to date.
import type { NameIds } from '../name-ids.ts';
import { createNameIds } from '../name-ids.ts';
import type { BudgetPlan } from '../plan.ts';
import type { Changes } from './changes.ts';

/** A payee that the file merged into another is merged here too, so its rows need no events of their own. */
export function updatePayees({ payees, successors }: BudgetPlan, changes: Changes): void {
  const { documents, set, add } = changes;
  const wanted = new Set(payees.map(({ id }) => id));
  for (const { id: payeeId, name, origin } of payees) {
    const before = documents.get('payees', set, payeeId);
    if (!before) add(origin, 'payee.added', { payeeId, name });
    else if (before.name !== name) add(origin, 'payee.renamed', { payeeId, name });
  }
  for (const { id: payeeId, name } of documents.all('payees', set)) {
    if (wanted.has(payeeId)) continue;
    const intoPayeeId = successors.payees.get(payeeId);
    const origin = `the payee ${JSON.stringify(name)}`;
    if (intoPayeeId !== undefined && wanted.has(intoPayeeId)) {
      add(origin, 'payee.merged', { payeeId, intoPayeeId });
    } else add(origin, 'payee.deleted', { payeeId });
  }
}

/** Files have no ids of labels, so they are found again by name. Returns the ids of all names in the plan. */
export function updateLabels({ rows }: BudgetPlan, changes: Changes): NameIds {
  const { documents, set, add } = changes;
  const current = documents.all('labels', set);
  const labels = createNameIds('label', current);
  const wanted = new Set<string>();
  for (const { labels: names, origin } of rows) {
    for (const name of names) wanted.add(labels.idOf(name, origin));
  }
  for (const { id: labelId, name, origin } of labels.all()) {
    const isThere = documents.get('labels', set, labelId) !== null;
    if (wanted.has(labelId) && !isThere) add(origin, 'label.added', { labelId, name });
  }
  for (const { id: labelId, name } of current) {
    if (wanted.has(labelId)) continue;
    add(`the label ${JSON.stringify(name)}`, 'label.deleted', { labelId });
  }
  return labels;
}
