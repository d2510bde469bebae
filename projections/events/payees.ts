// The effects of events on payees and labels, whose names rows contain.
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import type { CascadeEvent } from '../cascades.ts';
import { type Change, type Effect, invalid, put } from '../change.ts';
import type { Payee, Row } from '../documents.ts';
import { sortLabels } from '../row.ts';
import { type BudgetContext, changeRows, find, madeTwice, nameFields, unknown } from './context.ts';

export type PayeeEvent = Extract<BudgetEvent, { type: `payee.${string}` }>;
export type LabelEvent = Extract<BudgetEvent, { type: `label.${string}` }>;

export function evolvePayee(context: BudgetContext, event: PayeeEvent): Effect {
  const { payeeId } = event.data;
  const payee = find(context, 'payees', payeeId);
  if (event.type === 'payee.added') {
    if (payee) return madeTwice('payees', payeeId);
    return [put('payees', payeeId, added(context, payeeId, event))];
  }
  if (!payee) return unknown('payees', payeeId);
  switch (event.type) {
    case 'payee.renamed': {
      const renamed = { ...payee, ...nameFields(event.data.name) };
      return [put('payees', payeeId, renamed), ...payTo(context, event, renamed)];
    }
    case 'payee.merged': {
      const into = find(context, 'payees', event.data.intoPayeeId);
      if (!into) return unknown('payees', event.data.intoPayeeId);
      if (into.id === payeeId) return invalid(`Payee ${payeeId} cannot be merged into itself`);
      return [...payTo(context, event, into), put('payees', payeeId, null)];
    }
    case 'payee.deleted':
      return [...payTo(context, event, null), put('payees', payeeId, null)];
  }
}

export function evolveLabel(context: BudgetContext, event: LabelEvent): Effect {
  const { labelId } = event.data;
  const label = find(context, 'labels', labelId);
  if (event.type === 'label.added') {
    if (label) return madeTwice('labels', labelId);
    return [put('labels', labelId, added(context, labelId, event))];
  }
  if (!label) return unknown('labels', labelId);
  switch (event.type) {
    case 'label.renamed': {
      const renamed = { ...label, ...nameFields(event.data.name) };
      const { name } = renamed;
      const rename = (label: Row['labels'][number]) =>
        label.id === labelId ? { id: labelId, name } : label;
      const rows = changeRows(context, event, ({ labels }) => ({
        labels: sortLabels(labels.map(rename)),
      }));
      return [put('labels', labelId, renamed), ...rows];
    }
    case 'label.deleted':
      return [...changeRows(context, event, () => ({})), put('labels', labelId, null)];
  }
}

function added(
  { set }: BudgetContext,
  id: string,
  { data, sequence }: Extract<BudgetEvent, { type: 'payee.added' | 'label.added' }>,
): Payee {
  return { set, id, ...nameFields(data.name), entry: sequence, changed: sequence };
}

function payTo(context: BudgetContext, event: CascadeEvent, payee: Payee | null): Change[] {
  return changeRows(context, event, () => ({ payeeName: payee?.name ?? null }));
}
