// The effects of events on payees and labels, whose names rows contain.
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { type Change, type Effect, invalid, put } from '../change.ts';
import type { Label, Payee, Row } from '../documents.ts';
import { sortLabels } from '../labels.ts';
import { normalizeText } from '../normalize-text.ts';
import { type BudgetContext, find, madeTwice, rowsWhere, unknown } from './context.ts';

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
      return [put('payees', payeeId, renamed), ...payTo(context, payeeId, renamed)];
    }
    case 'payee.merged': {
      const into = find(context, 'payees', event.data.intoPayeeId);
      if (!into) return unknown('payees', event.data.intoPayeeId);
      if (into.id === payeeId) return invalid(`Payee ${payeeId} cannot be merged into itself`);
      return [...payTo(context, payeeId, into), put('payees', payeeId, null)];
    }
    case 'payee.deleted':
      return [...payTo(context, payeeId, null), put('payees', payeeId, null)];
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
      return [put('labels', labelId, renamed), ...relabel(context, labelId, renamed)];
    }
    case 'label.deleted':
      return [...relabel(context, labelId, null), put('labels', labelId, null)];
  }
}

function added(
  { set }: BudgetContext,
  id: string,
  { data, sequence }: Extract<BudgetEvent, { type: 'payee.added' | 'label.added' }>,
): Payee {
  return { set, id, ...nameFields(data.name), entry: sequence, changed: sequence };
}

function nameFields(name: string): { name: string; nameKey: string } {
  return { name, nameKey: normalizeText(name) };
}

function payTo(context: BudgetContext, payeeId: string, payee: Payee | null): Change[] {
  return rowsWhere(context, row => row.payeeId === payeeId).map(before => {
    const after: Row = { ...before, payeeId: payee?.id ?? null, payeeName: payee?.name ?? null };
    return { kind: 'row', before, after };
  });
}

function relabel(context: BudgetContext, labelId: string, label: Label | null): Change[] {
  const rows = rowsWhere(context, row => row.labels.some(({ id }) => id === labelId));
  return rows.map(before => {
    const others = before.labels.filter(({ id }) => id !== labelId);
    const labels = label ? [...others, { id: label.id, name: label.name }] : others;
    return { kind: 'row', before, after: { ...before, labels: sortLabels(labels) } };
  });
}
