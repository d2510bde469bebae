// A small budget for cases by hand: events get their envelope and are delivered to a model.

import type {
  AccountOpened,
  CategoryAdded,
  CategoryGroupAdded,
  TransactionEntered,
} from '../../schemas/generated/events.ts';
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
  for (const draft of space(['user-1'])) model.deliver(eventOf('space-1', draft));
  tell(budget('space-1'));
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

/** A space with its members. */
export function space(members: readonly string[], name: string | null = 'Home'): Draft[] {
  return [{ type: 'space.created', data: { name } }, ...members.map(member)];
}

export function member(userId: string): Draft {
  return { type: 'space.member-added', data: { userId } };
}

export function budget(spaceId: string, name = 'Ours'): Draft {
  return { type: 'budget.created', data: { spaceId, name, currency: 'EUR' } };
}

/** Events that move the position of a budget on and change nothing else. */
export function steps(count: number, name = 'Ours'): Draft[] {
  return Array.from({ length: count }, () => ({ type: 'budget.renamed', data: { name } }));
}

export function account(
  accountId: string,
  onBudget = true,
  changes: Partial<AccountOpened> = {},
): Draft {
  const plain = { accountId, name: accountId, type: 'checking', onBudget, currency: null } as const;
  return { type: 'account.opened', data: { ...plain, ...changes } };
}

export function group(
  groupId: string,
  budgetMode: CategoryGroupAdded['budgetMode'] = 'envelope',
  changes: Partial<CategoryGroupAdded> = {},
): Draft {
  return { type: 'category-group.added', data: { groupId, name: groupId, budgetMode, ...changes } };
}

export function category(
  categoryId: string,
  groupId: string,
  changes: Partial<CategoryAdded> = {},
): Draft {
  return { type: 'category.added', data: { categoryId, groupId, name: categoryId, ...changes } };
}

export function payee(payeeId: string, name = payeeId): Draft {
  return { type: 'payee.added', data: { payeeId, name } };
}

export function label(labelId: string, name = labelId): Draft {
  return { type: 'label.added', data: { labelId, name } };
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
  [accountId, transferAccountId]: readonly [from: string, to: string],
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
  account('dollars', true, { currency: 'USD' }),
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
