// A small budget for cases by hand: events get their envelope and are delivered to a model.

import type { TransactionEntered } from '../../schemas/generated/events.ts';
import type { Draft } from '../histories/row-actions.ts';
import type { Answers } from './answers.ts';
import { createModel, type Model, type Outcome } from './model.ts';
import type { LogEvent } from './stream.ts';

export interface Scene {
  model: Model;
  answers: Answers;
  /** Returns the next event of `subject`; `changes` override the envelope. */
  eventOf(
    subject: string,
    draft: Draft | { type: string; data?: unknown },
    changes?: Partial<LogEvent>,
  ): LogEvent;
  /** Delivers the next event of `budget-1`. */
  tell(draft: Draft): Outcome;
  tellAll(...drafts: Draft[]): void;
}

export const TODAY = '2024-03-01';

/** Returns the time of the event with this sequence. */
export function timeOf(sequence: number): string {
  return new Date(Date.UTC(2024, 0, 1) + sequence * 60_000).toISOString();
}

/** Returns a scene with `user-1` in `space-1`, and the empty `budget-1` in that space. */
export function createScene(): Scene {
  const model = createModel();
  const sequences = new Map<string, number>();
  const eventOf: Scene['eventOf'] = (subject, draft, changes = {}) => {
    const sequence = changes.sequence ?? (sequences.get(subject) ?? 0) + 1;
    sequences.set(subject, sequence);
    return {
      specversion: '1.0',
      id: `${subject}.${sequence}`,
      source: 'urn:budgeting:scene',
      time: timeOf(sequence),
      subject,
      sequence,
      schemaversion: 1,
      ...draft,
      ...changes,
    };
  };
  const tell = (draft: Draft) => model.deliver(eventOf('budget-1', draft));
  const space: Draft[] = [
    { type: 'space.created', data: { name: 'Home' } },
    { type: 'space.member-added', data: { userId: 'user-1' } },
  ];
  for (const draft of space) model.deliver(eventOf('space-1', draft));
  tell({ type: 'budget.created', data: { spaceId: 'space-1', name: 'Ours', currency: 'EUR' } });
  return {
    model,
    answers: model.answers('user-1', { today: TODAY }),
    eventOf,
    tell,
    tellAll: (...drafts) => {
      for (const draft of drafts) tell(draft);
    },
  };
}

export function account(
  accountId: string,
  onBudget: boolean,
  currency: string | null = null,
): Draft {
  const data = { accountId, name: accountId, type: 'checking', onBudget, currency } as const;
  return {
    type: 'account.opened',
    data: data as Extract<Draft, { type: 'account.opened' }>['data'],
  };
}

export function group(groupId: string, budgetMode: 'envelope' | 'income' | 'unfunded'): Draft {
  return { type: 'category-group.added', data: { groupId, name: groupId, budgetMode } };
}

export function category(categoryId: string, groupId: string): Draft {
  return { type: 'category.added', data: { categoryId, groupId, name: categoryId } };
}

export function payee(payeeId: string): Draft {
  return { type: 'payee.added', data: { payeeId, name: payeeId } };
}

export function label(labelId: string): Draft {
  return { type: 'label.added', data: { labelId, name: labelId } };
}

/** Returns a plain row on `home`: 1.00 out, today. */
export function row(transactionId: string, changes: Partial<TransactionEntered> = {}): Draft {
  return {
    type: 'transaction.entered',
    data: {
      transactionId,
      date: TODAY,
      accountId: 'home',
      amount: '-1.00',
      type: 'standard',
      cleared: false,
      reconciled: false,
      ...changes,
    },
  };
}

export function transfer(
  transactionId: string,
  accountId: string,
  transferAccountId: string,
  changes: Partial<TransactionEntered> = {},
): Draft {
  return row(transactionId, { accountId, transferAccountId, type: 'transfer', ...changes });
}

/**
 * One of each kind in a budget. On budget: `home`, `cash`, `dollars` (in USD). Off budget: `house`. Groups of each
 * mode and an empty one; categories `food` and `rent` (envelope), `wage` (income), `tax` (unfunded); payees `shop` and
 * `mall`; labels `red` and `blue`; one row, `row-1`.
 */
export const FURNITURE: readonly Draft[] = [
  account('home', true),
  account('cash', true),
  account('house', false),
  account('dollars', true, 'USD'),
  group('needs', 'envelope'),
  group('wages', 'income'),
  group('direct', 'unfunded'),
  group('empty', 'envelope'),
  category('food', 'needs'),
  category('rent', 'needs'),
  category('wage', 'wages'),
  category('tax', 'direct'),
  payee('shop'),
  payee('mall'),
  label('red'),
  label('blue'),
  row('row-1', { categoryId: 'food', payeeId: 'shop', labelIds: ['red', 'blue'] }),
];

export function furnish(scene: Scene): Scene {
  scene.tellAll(...FURNITURE);
  return scene;
}
