// The effects of events on envelopes: assigned amounts, carry-over, and money held for next month.
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import type { Effect } from '../change.ts';
import { parseMoney } from '../money.ts';
import { type BudgetContext, find, unknown } from './context.ts';

export type EnvelopeEvent = Extract<BudgetEvent, { type: `envelope.${string}` | 'month.held' }>;

export function evolveEnvelope(context: BudgetContext, event: EnvelopeEvent): Effect {
  const { month } = event.data;
  if (event.type === 'month.held') {
    return [{ kind: 'held', month, amount: parseMoney(event.data.amount) }];
  }
  const { categoryId } = event.data;
  if (!find(context, 'categories', categoryId)) return unknown('categories', categoryId);
  switch (event.type) {
    case 'envelope.assigned':
      return [{ kind: 'assigned', categoryId, month, amount: parseMoney(event.data.amount) }];
    case 'envelope.carryover-set':
      return [{ kind: 'carry', categoryId, month, carriesOver: event.data.carriesOver }];
  }
}
