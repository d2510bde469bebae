// The effects of a budget's events: on its own fields, or on its documents.
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { applyChanges, type Effect, type Invalid, invalid, isInvalid } from '../change.ts';
import type { BudgetFields, Head } from '../documents.ts';
import { newHead } from '../new-head.ts';
import { shownTime } from '../time.ts';
import type { WorkingSet } from '../working-set.ts';
import { type AccountEvent, evolveAccount } from './accounts.ts';
import {
  type CategoryEvent,
  type EnvelopeEvent,
  evolveCategory,
  evolveEnvelope,
  evolveGroup,
  type GroupEvent,
} from './categories.ts';
import { type BudgetContext, type NextEvent, nameFields } from './context.ts';
import { evolveLabel, evolvePayee, type LabelEvent, type PayeeEvent } from './payees.ts';
import { evolveTransaction, type TransactionEvent } from './transactions.ts';

type OwnEvent = Extract<BudgetEvent, { type: `budget.${string}` }>;
type InnerEvent = Exclude<BudgetEvent, OwnEvent>;

/** Returns the head after the event, or why it is invalid. */
export function projectBudgetEvent(
  documents: WorkingSet,
  head: Head,
  { event, newSet }: NextEvent<BudgetEvent>,
): Head | Invalid {
  if (event.type === 'budget.created') {
    const budget = created(head, event);
    if (isInvalid(budget)) return budget;
    documents.provideNothing(newSet);
    return { ...head, set: newSet, budget };
  }
  const { budget, set } = head;
  if (!budget || set === null) return invalid(`${event.type} came before budget.created`);
  if (event.type === 'budget.deleted') {
    documents.drop(set);
    return deletedHead(head);
  }
  if (isOwn(event)) return { ...head, budget: evolveOwn(budget, event) };
  const effect = evolve({ documents, set, budget }, event);
  if (isInvalid(effect)) return effect;
  const changed = applyChanges({ documents, set, budget, sequence: event.sequence }, effect);
  return isInvalid(changed) ? changed : { ...head, budget: changed };
}

function isOwn(event: BudgetEvent): event is OwnEvent {
  return event.type.startsWith('budget.');
}

function created(
  head: Head,
  { data, time }: Extract<OwnEvent, { type: 'budget.created' }>,
): BudgetFields | Invalid {
  if (head.budget) return invalid('The budget is created already');
  if (head.space) return invalid('The stream is that of a space');
  return {
    spaceId: data.spaceId,
    ...nameFields(data.name),
    currency: data.currency,
    createdAt: shownTime(time),
    archivedAt: null,
    lastDate: null,
    absolute: 0,
  };
}

function evolveOwn(
  budget: BudgetFields,
  event: Exclude<OwnEvent, { type: 'budget.created' | 'budget.deleted' }>,
): BudgetFields {
  switch (event.type) {
    case 'budget.renamed':
      return { ...budget, ...nameFields(event.data.name) };
    case 'budget.archived':
      return { ...budget, archivedAt: budget.archivedAt ?? shownTime(event.time) };
  }
}

/** A deleted budget leaves only its id and last sequence (rules/events.md#removals-and-deletions). */
export function deletedHead({ id, partition, sequence }: Head): Head {
  return { ...newHead(id, partition), sequence, deleted: true };
}

/** Returns the effect of an event on the documents of a budget; an event about the budget itself changes none. */
export function evolveInBudget(context: BudgetContext, event: BudgetEvent): Effect {
  return isOwn(event) ? [] : evolve(context, event);
}

function evolve(context: BudgetContext, event: InnerEvent): Effect {
  const family = event.type.slice(0, event.type.indexOf('.')) as Family;
  // The family comes from the event's own type, so the event is of that family.
  switch (family) {
    case 'account':
      return evolveAccount(context, event as AccountEvent);
    case 'category-group':
      return evolveGroup(context, event as GroupEvent);
    case 'category':
      return evolveCategory(context, event as CategoryEvent);
    case 'payee':
      return evolvePayee(context, event as PayeeEvent);
    case 'label':
      return evolveLabel(context, event as LabelEvent);
    case 'transaction':
      return evolveTransaction(context, event as TransactionEvent);
    case 'envelope':
    case 'month':
      return evolveEnvelope(context, event as EnvelopeEvent);
  }
}

type Family = InnerEvent['type'] extends `${infer F}.${string}` ? F : never;
