// The effects of events on transactions, the only rows.
import type { BudgetEvent } from '../../schemas/generated/events.ts';
import { type Change, type Effect, type Invalid, invalid, isInvalid } from '../change.ts';
import type { Account, Row } from '../documents.ts';
import { parseMoney } from '../money.ts';
import { type MARKS, sortLabels } from '../row.ts';
import { shownTime } from '../time.ts';
import { type BudgetContext, find, madeTwice, unknown } from './context.ts';

export type TransactionEvent = Extract<BudgetEvent, { type: `transaction.${string}` }>;

/** A transaction as an event describes it. */
export type TransactionState = Extract<BudgetEvent, { type: 'transaction.entered' }>['data'];
type Origin = Pick<Row, 'entry' | 'createdAt' | 'changed'>;

export function evolveTransaction(context: BudgetContext, event: TransactionEvent): Effect {
  switch (event.type) {
    case 'transaction.entered': {
      const { transactionId } = event.data;
      if (find(context, 'rows', transactionId)) return madeTwice('rows', transactionId);
      const { sequence } = event;
      const origin = { entry: sequence, createdAt: shownTime(event.time), changed: sequence };
      return rowChange(null, stateOf(context, event.data, origin));
    }
    case 'transaction.changed':
    case 'transaction.deleted': {
      const before = find(context, 'rows', event.data.transactionId);
      if (!before) return unknown('rows', event.data.transactionId);
      const isDeleted = event.type === 'transaction.deleted';
      return rowChange(before, isDeleted ? null : stateOf(context, event.data, before));
    }
    case 'transaction.cleared':
      return marked(context, event.data.transactionIds, { cleared: true });
    case 'transaction.uncleared':
      return marked(context, event.data.transactionIds, { cleared: false, reconciled: false });
    case 'transaction.reconciled':
      return marked(context, event.data.transactionIds, { cleared: true, reconciled: true });
  }
}

function rowChange(before: Row | null, after: Row | Invalid | null): Effect {
  if (after && isInvalid(after)) return after;
  return [{ kind: 'row', before, after }];
}

// One unknown row makes the whole event invalid.
function marked(
  context: BudgetContext,
  ids: readonly string[],
  mark: Partial<Pick<Row, (typeof MARKS)[number]>>,
): Effect {
  const changes: Change[] = [];
  for (const id of ids) {
    const before = find(context, 'rows', id);
    if (!before) return unknown('rows', id);
    changes.push({ kind: 'row', before, after: { ...before, ...mark } });
  }
  return changes;
}

/** Returns the row that an event describes, with the names it is served with, or why the event is invalid. */
function stateOf(
  context: BudgetContext,
  data: TransactionState,
  { entry, createdAt, changed }: Origin,
): Row | Invalid {
  const account = find(context, 'accounts', data.accountId);
  if (!account) return unknown('accounts', data.accountId);
  const native = nativeOf(account, data);
  if (isInvalid(native)) return native;
  const transfer = transferOf(context, account, data);
  if (isInvalid(transfer)) return transfer;
  const names = namesOf(context, data);
  if (isInvalid(names)) return names;
  // Each field by its name: copying those of inner objects takes longer, and makes more garbage.
  return {
    set: context.set,
    id: data.transactionId,
    entry,
    date: data.date,
    accountId: account.id,
    accountName: account.name,
    payeeId: names.payeeId,
    payeeName: names.payeeName,
    categoryId: names.categoryId,
    categoryName: names.categoryName,
    labels: names.labels,
    memo: data.memo ?? '',
    amount: parseMoney(data.amount),
    amountNative: native.amountNative,
    exchangeRate: native.exchangeRate,
    currency: native.currency,
    type: data.type,
    cleared: data.cleared,
    reconciled: data.reconciled,
    transferAccountId: transfer.transferAccountId,
    internal: transfer.internal,
    splitGroupId: data.splitGroupId ?? null,
    createdAt,
    onBudget: account.onBudget,
    changed,
  };
}

function nativeOf(
  account: Account,
  data: TransactionState,
): Pick<Row, 'amountNative' | 'exchangeRate' | 'currency'> | Invalid {
  const amount = data.amountNative ?? null;
  const exchangeRate = data.exchangeRate ?? null;
  if (account.currency === null) {
    if (amount === null && exchangeRate === null) {
      return { amountNative: null, exchangeRate: null, currency: null };
    }
    return invalid(`Account ${account.id} has no currency of its own, but native fields came`);
  }
  if (amount === null || exchangeRate === null) {
    return invalid(
      `Account ${account.id} is in ${account.currency}: expected amountNative and exchangeRate`,
    );
  }
  return { amountNative: parseMoney(amount), exchangeRate, currency: account.currency };
}

function transferOf(
  context: BudgetContext,
  account: Account,
  data: TransactionState,
): Pick<Row, 'transferAccountId' | 'internal'> | Invalid {
  const transferAccountId = data.transferAccountId ?? null;
  if ((data.type === 'transfer') !== (transferAccountId !== null)) {
    return invalid(`Type ${data.type} does not fit transferAccountId ${transferAccountId}`);
  }
  if (transferAccountId === null) return { transferAccountId, internal: false };
  const other = find(context, 'accounts', transferAccountId);
  if (!other) return unknown('accounts', transferAccountId);
  if (other.id === account.id) return invalid(`Account ${account.id} cannot transfer to itself`);
  const internal = account.onBudget && other.onBudget;
  if (internal && (data.categoryId ?? null) !== null) {
    return invalid('A transfer between two on-budget accounts has no category');
  }
  return { transferAccountId, internal };
}

function namesOf(
  context: BudgetContext,
  data: TransactionState,
): Pick<Row, 'payeeId' | 'payeeName' | 'categoryId' | 'categoryName' | 'labels'> | Invalid {
  const payeeId = data.payeeId ?? null;
  const categoryId = data.categoryId ?? null;
  const payee = payeeId === null ? null : find(context, 'payees', payeeId);
  if (payeeId !== null && !payee) return unknown('payees', payeeId);
  const category = categoryId === null ? null : find(context, 'categories', categoryId);
  if (categoryId !== null && !category) return unknown('categories', categoryId);
  const labels: { id: string; name: string }[] = [];
  for (const labelId of data.labelIds ?? []) {
    const label = find(context, 'labels', labelId);
    if (!label) return unknown('labels', labelId);
    labels.push({ id: label.id, name: label.name });
  }
  return {
    payeeId,
    payeeName: payee?.name ?? null,
    categoryId,
    categoryName: category?.name ?? null,
    labels: labels.length > 1 ? sortLabels(labels) : labels,
  };
}
