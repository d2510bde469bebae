// The effects of events on accounts.
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { NO_ROWS } from '../aggregates/account-totals.ts';
import { type Change, type Effect, put } from '../change.ts';
import type { Account } from '../documents.ts';
import { normalizeText } from '../normalize-text.ts';
import { shownTime } from '../time.ts';
import { type BudgetContext, find, madeTwice, rowsWhere, unknown } from './context.ts';

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
      return renamed(context, account, event.data.name);
    case 'account.type-changed':
      return changed(account, { type: event.data.type });
    case 'account.moved':
      return changed(account, { position: event.data.position });
    case 'account.closed':
      return changed(account, { closed: true });
    case 'account.reopened':
      return changed(account, { closed: false });
    case 'account.deleted':
      return deleted(context, account);
  }
}

function opened(
  { set }: BudgetContext,
  { data, time, sequence }: Extract<AccountEvent, { type: 'account.opened' }>,
): Account {
  return {
    set,
    id: data.accountId,
    name: data.name,
    nameKey: normalizeText(data.name),
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

function renamed(context: BudgetContext, account: Account, name: string): Change[] {
  const rows = rowsWhere(context, row => row.accountId === account.id);
  return [
    ...changed(account, { name, nameKey: normalizeText(name) }),
    ...rows.map(
      (before): Change => ({ kind: 'row', before, after: { ...before, accountName: name } }),
    ),
  ];
}

// The account's own rows are deleted too; the other leg of a transfer becomes a standard row.
function deleted(context: BudgetContext, { id }: Account): Change[] {
  const rows = rowsWhere(context, row => row.accountId === id || row.transferAccountId === id);
  const changes = rows.map((before): Change => {
    if (before.accountId === id) return { kind: 'row', before, after: null };
    const after = { ...before, type: 'standard', transferAccountId: null, internal: false };
    return { kind: 'row', before, after };
  });
  return [...changes, put('accounts', id, null)];
}
