// The envelopes of a sample budget in the current month (rules/months.md#available), from the cells that the projections keep.
import type { Hundredths } from '../../projections/documents.ts';
import { contributions, envelopeOf } from '../../projections/envelope-chain.ts';
import { formatMoney } from '../../projections/money.ts';
import { monthOf } from '../process/calendar.ts';
import type { SampleBudget } from './budget.ts';

/** Assigns more to an envelope than it has now. */
export function assignMore(budget: SampleBudget, categoryId: string, more: Hundredths): void {
  const month = monthOf(budget.today);
  const months = budget.documents.get('categoryMonths', budget.id, categoryId);
  const amount = formatMoney((months?.cells[month]?.assigned ?? 0) + more);
  budget.emit('envelope.assigned', { month, categoryId, amount });
}

/** V(c,m): the amounts up to this month, less the overspending that earlier months left behind. */
export function availableIn(budget: SampleBudget, categoryId: string): Hundredths {
  const month = monthOf(budget.today);
  const months = budget.documents.get('categoryMonths', budget.id, categoryId);
  if (months === null) return 0;
  let available = 0;
  for (const [of, { assigned, spent }] of Object.entries(months.cells)) {
    if (of <= month) available += assigned + spent;
  }
  for (const [of, { overspent }] of contributions(envelopeOf(months), 'envelope')) {
    if (of < month) available -= overspent;
  }
  return available;
}

/** R(m): income less what is assigned, overspent in earlier months, and held for the next one. */
export function readyToAssign({ documents, id, today }: SampleBudget): Hundredths {
  const month = monthOf(today);
  const year = documents.get('years', id, month.slice(0, 4));
  let ready = -(year?.months[month.slice(5)]?.held ?? 0);
  for (const months of documents.all('categoryMonths', id)) {
    const mode = documents.get('categories', id, months.id)?.budgetMode ?? null;
    for (const [of, part] of contributions(envelopeOf(months), mode)) {
      if (of <= month) ready += part.income - part.assigned;
      if (of < month) ready += part.overspent;
    }
  }
  return ready;
}
