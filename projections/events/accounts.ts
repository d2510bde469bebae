// The effects of events on accounts.
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { NO_ROWS } from '../aggregates/account-totals.ts';
import { type Change, type Effect, put } from '../change.ts';
import type { Account } from '../documents.ts';
import { shownTime } from '../time.ts';
import { type BudgetContext, changeRows, find, madeTwice, nameFields, unknown } from './context.ts';

export type AccountEvent = Extract<BudgetEvent, { type: `account.${string}` }>;

export function evolveAccount(context: BudgetContext, event: AccountEvent): Effect {
  const { accountId } = event.data;
  const account = find(context, 'accounts', accountId);
  if (event.type === 'account.opened') {
    if (account) return madeTwice('accounts', accountId);
    return [put('accounts', accountId, opened(context, event))];
  }
  if (!account) return unknown('accounts', accountId);
  switch (event.type) {
    case 'account.renamed':
      return [
        ...changed(account, nameFields(event.data.name)),
        ...changeRows(context, event, () => ({ accountName: event.data.name })),
      ];
    case 'account.type-changed':
      return changed(account, { type: event.data.type });
    case 'account.moved':
      return changed(account, { position: event.data.position });
    case 'account.closed':
      return changed(account, { closed: true });
    case 'account.reopened':
      return changed(account, { closed: false });
    case 'account.deleted':
      // The account's own rows are deleted too; the other leg of a transfer becomes a standard row.
      return [
        ...changeRows(context, event, () => ({ type: 'standard', internal: false })),
        put('accounts', accountId, null),
      ];
  }
}

function opened(
  { set }: BudgetContext,
  { data, time, sequence }: Extract<AccountEvent, { type: 'account.opened' }>,
): Account {
  return {
    set,
    id: data.accountId,
    ...nameFields(data.name),
    type: data.type,
    currency: data.currency ?? null,
    onBudget: data.onBudget,
    closed: false,
    position: data.position ?? null,
    createdAt: shownTime(time),
    entry: sequence,
    changed: sequence,
    ...NO_ROWS,
  };
}

function changed(account: Account, fields: Partial<Account>): Change[] {
  return [put('accounts', account.id, { ...account, ...fields })];
}
