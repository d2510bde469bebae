// A plan as the events of a new budget, numbered from 1: the same plan and target give the same events.
import { formatMoney } from '../../projections/money.ts';
import type { DomainEvent, TransactionEntered } from '../../schemas/generated/events.ts';
import { createEventBuilder, type DataOf, type EventType } from '../event-builder.ts';
import { createNumbered, type Numbered } from './numbered.ts';
import type { BudgetPlan, PlannedGroup, PlannedRow } from './plan.ts';

export interface Target {
  readonly budgetId: string;
  readonly name: string;
  readonly currency: string;
  readonly spaceId: string;
  /** The first member of a space that is made for the budget; null: the space is there already. */
  readonly memberId: string | null;
  /** CloudEvents: who published it. */
  readonly source: string;
  /** `createdAt` of everything. */
  readonly time: string;
}

export interface ImportedEvent {
  readonly event: DomainEvent;
  /** Where in the file it comes from. */
  readonly origin: string;
}

type Tell = <T extends EventType>(origin: string, type: T, data: DataOf<T>) => void;

export function importEvents(plan: BudgetPlan, target: Target): ImportedEvent[] {
  const events: ImportedEvent[] = [];
  const { budgetId, spaceId, memberId, name, currency } = target;
  if (memberId !== null) {
    const tell = teller(spaceId, target, events);
    tell('the new space', 'space.created', { name: null });
    tell('--user', 'space.member-added', { userId: memberId });
  }
  const tell = teller(budgetId, target, events);
  tell('the new budget', 'budget.created', { spaceId, name, currency });
  tellAccounts(tell, plan);
  for (const [position, group] of plan.groups.entries()) tellGroup(tell, group, position);
  for (const { id: payeeId, name, origin } of plan.payees) {
    tell(origin, 'payee.added', { payeeId, name });
  }
  tellRows(tell, plan.rows);
  for (const { origin, amount, month, categoryId } of plan.assigned) {
    tell(origin, 'envelope.assigned', { month, categoryId, amount: formatMoney(amount) });
  }
  for (const { origin, ...data } of plan.carryOvers) tell(origin, 'envelope.carryover-set', data);
  for (const { origin, month, amount } of plan.holds) {
    tell(origin, 'month.held', { month, amount: formatMoney(amount) });
  }
  for (const { id: accountId, closed, origin } of plan.accounts) {
    if (closed) tell(origin, 'account.closed', { accountId });
  }
  return events;
}

function teller(subject: string, { source, time }: Target, events: ImportedEvent[]): Tell {
  const build = createEventBuilder({ subject, source });
  return (origin, type, data) => {
    events.push({ event: build(type, data, time), origin });
  };
}

function tellAccounts(tell: Tell, { accounts }: BudgetPlan): void {
  for (const [position, account] of accounts.entries()) {
    const { id: accountId, name, type, onBudget, origin } = account;
    const opened = { accountId, name, type, onBudget, currency: null, position };
    tell(origin, 'account.opened', opened);
  }
}

function tellGroup(tell: Tell, group: PlannedGroup, position: number): void {
  const { id: groupId, name, mode: budgetMode, origin } = group;
  tell(origin, 'category-group.added', { groupId, name, budgetMode, position });
  for (const [index, category] of group.categories.entries()) {
    const { id: categoryId, name, note, origin } = category;
    tell(origin, 'category.added', { categoryId, groupId, name, note, position: index });
    if (category.hidden) tell(origin, 'category.hidden', { categoryId });
  }
  if (group.hidden) tell(origin, 'category-group.hidden', { groupId });
}

function tellRows(tell: Tell, rows: readonly PlannedRow[]): void {
  const labels = createNumbered('label');
  for (const { labels: names, origin } of rows) for (const name of names) labels.idOf(name, origin);
  for (const { id: labelId, name, origin } of labels.all()) {
    tell(origin, 'label.added', { labelId, name });
  }
  for (const row of rows) tell(row.origin, 'transaction.entered', dataOf(row, labels));
}

function dataOf(row: PlannedRow, labels: Numbered): TransactionEntered {
  return {
    transactionId: row.id,
    date: row.date,
    accountId: row.accountId,
    payeeId: row.payeeId,
    categoryId: row.categoryId,
    memo: row.memo,
    amount: formatMoney(row.amount),
    type: row.transferAccountId === null ? row.type : 'transfer',
    cleared: row.cleared,
    reconciled: row.reconciled,
    transferAccountId: row.transferAccountId,
    splitGroupId: row.splitGroupId,
    labelIds: row.labels.map(name => labels.idOf(name, row.origin)),
  };
}
