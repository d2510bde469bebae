// Turns a plan into the events of a new budget, numbered from 1. The same plan and target give the same events. They are
// applied in memory, so that an event that a projector would park is never appended.
import { isInvalid } from '../../projections/change.ts';
import type { Head } from '../../projections/documents.ts';
import { formatMoney } from '../../projections/money.ts';
import { newHead } from '../../projections/new-head.ts';
import { project } from '../../projections/project.ts';
import { createWorkingSet } from '../../projections/working-set.ts';
import type {
  AccountOpened,
  DomainEvent,
  TransactionEntered,
} from '../../schemas/generated/events.ts';
import { createEventBuilder, type DataOf, type EventType } from '../process/event-builder.ts';
import { inTurns } from '../process/waiting.ts';
import { createImportProblems } from './import-problems.ts';
import { createNameIds, type NameIds } from './name-ids.ts';
import type { BudgetPlan, PlannedAccount, PlannedGroup, PlannedRow } from './plan.ts';

export interface Target {
  readonly budgetId: string;
  readonly name: string;
  readonly currency: string;
  readonly spaceId: string;
  /** The space that is created for the budget, with its first member; null: the space already exists. */
  readonly newSpace: { readonly name: string; readonly memberId: string } | null;
  /** CloudEvents `source` of every event. */
  readonly source: string;
  /** `time` of every event, and so `createdAt` of everything in the budget. */
  readonly time: string;
}

export interface ImportedEvent {
  readonly event: DomainEvent;
  /** Its place in the file. */
  readonly origin: string;
}

/** Adds the next event of a stream. `origin` is its place in the file. */
export type AddEvent = <T extends EventType>(origin: string, type: T, data: DataOf<T>) => void;

export function importEvents(plan: BudgetPlan, target: Target): ImportedEvent[] {
  const events: ImportedEvent[] = [];
  const { budgetId, spaceId, newSpace, name, currency } = target;
  if (newSpace !== null) {
    const add = createAddEvent(spaceId, target, events);
    add('the new space', 'space.created', { name: newSpace.name });
    add('--user', 'space.member-added', { userId: newSpace.memberId });
  }
  const add = createAddEvent(budgetId, target, events);
  add('the new budget', 'budget.created', { spaceId, name, currency });
  addAccounts(add, plan);
  for (const [position, group] of plan.groups.entries()) addGroup(add, group, position);
  for (const { id: payeeId, name, origin } of plan.payees) {
    add(origin, 'payee.added', { payeeId, name });
  }
  addRows(add, plan.rows);
  for (const { origin, amount, month, categoryId } of plan.assigned) {
    add(origin, 'envelope.assigned', { month, categoryId, amount: formatMoney(amount) });
  }
  for (const { origin, ...data } of plan.carryOvers) add(origin, 'envelope.carryover-set', data);
  for (const { origin, month, amount } of plan.holds) {
    add(origin, 'month.held', { month, amount: formatMoney(amount) });
  }
  for (const { id: accountId, closed, origin } of plan.accounts) {
    if (closed) add(origin, 'account.closed', { accountId });
  }
  return events;
}

/** Returns a function that adds the next event of a stream to `events`. */
function createAddEvent(
  subject: string,
  { source, time }: Target,
  events: ImportedEvent[],
): AddEvent {
  const build = createEventBuilder({ subject, source });
  return (origin, type, data) => {
    events.push({ event: build(type, data, time), origin });
  };
}

function addAccounts(add: AddEvent, { accounts }: BudgetPlan): void {
  for (const [position, account] of accounts.entries()) {
    add(account.origin, 'account.opened', openedAccount(account, position));
  }
}

export function openedAccount(account: PlannedAccount, position: number): AccountOpened {
  const { id: accountId, name, type, onBudget } = account;
  return { accountId, name, type, onBudget, currency: null, position };
}

function addGroup(add: AddEvent, group: PlannedGroup, position: number): void {
  const { id: groupId, name, mode: budgetMode, origin } = group;
  add(origin, 'category-group.added', { groupId, name, budgetMode, position });
  for (const [index, category] of group.categories.entries()) {
    const { id: categoryId, name, note, origin } = category;
    add(origin, 'category.added', { categoryId, groupId, name, note, position: index });
    if (category.hidden) add(origin, 'category.hidden', { categoryId });
  }
  if (group.hidden) add(origin, 'category-group.hidden', { groupId });
}

function addRows(add: AddEvent, rows: readonly PlannedRow[]): void {
  const labels = createNameIds('label');
  for (const { labels: names, origin } of rows) for (const name of names) labels.idOf(name, origin);
  for (const { id: labelId, name, origin } of labels.all()) {
    add(origin, 'label.added', { labelId, name });
  }
  for (const row of rows) add(row.origin, 'transaction.entered', transactionOf(row, labels));
}

export function transactionOf(row: PlannedRow, labels: NameIds): TransactionEntered {
  return {
    transactionId: row.id,
    date: row.date,
    accountId: row.accountId,
    payeeId: row.payeeId,
    categoryId: row.categoryId,
    memo: row.memo,
    amount: formatMoney(row.amount),
    type: typeOf(row),
    cleared: row.cleared,
    reconciled: row.reconciled,
    transferAccountId: row.transferAccountId,
    splitGroupId: row.splitGroupId,
    labelIds: row.labels.map(name => labels.idOf(name, row.origin)),
  };
}

export function typeOf({ type, transferAccountId }: PlannedRow): TransactionEntered['type'] {
  return transferAccountId === null ? type : 'transfer';
}

/**
 * Applies the events in memory, in turns with other code.
 *
 * @param events begin with the first event of each of their streams
 * @throws UserError that lists each event that contradicts earlier ones, with its place in the file
 */
export async function checkApplied(events: readonly ImportedEvent[]): Promise<void> {
  const documents = createWorkingSet();
  const heads = new Map<string, Head>();
  const problems = createImportProblems();
  await inTurns(events, ({ event, origin }) => {
    const head = heads.get(event.subject) ?? newHead(event.subject, 0);
    const after = project(documents, head, { event, newSet: event.subject });
    if (isInvalid(after)) problems.add(origin, after.invalid);
    else heads.set(event.subject, after);
  });
  problems.throwIfAny();
}
