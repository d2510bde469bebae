// The rows of a sample budget: how they are entered and changed.
import type { Hundredths, Row } from '../../projections/documents.ts';
import { formatMoney } from '../../projections/money.ts';
import { dayNumber } from '../../projections/place.ts';
import type { TransactionEntered } from '../../schemas/generated/events.ts';
import { accountOf, type SampleBudget } from './budget.ts';

type MoneyFields = Pick<TransactionEntered, 'amount' | 'amountNative' | 'exchangeRate'>;

/** Fields left out are null, empty or false, and the type is `standard`. */
export interface NewRow extends Partial<Omit<TransactionEntered, keyof MoneyFields>> {
  readonly accountId: string;
  readonly date: string;
  /** In the account's own currency. */
  readonly amount: Hundredths;
}

export interface Transfer {
  readonly date: string;
  readonly from: string;
  readonly to: string;
  /** In the currency of the budget. */
  readonly amount: Hundredths;
  readonly categoryId?: string | null;
}

/** Returns the id of the row. */
export function enterRow(budget: SampleBudget, row: NewRow): string {
  const transactionId = budget.newId('transaction');
  budget.emit('transaction.entered', stateOf(budget, transactionId, row));
  budget.openRowIds.add(transactionId);
  return transactionId;
}

/** Returns the rows that are not reconciled, newest first. */
export function* openRows({ documents, id, openRowIds }: SampleBudget): Generator<Row> {
  for (const rowId of [...openRowIds].reverse()) {
    const row = documents.get('rows', id, rowId);
    if (row === null || row.reconciled) openRowIds.delete(rowId);
    else yield row;
  }
}

/** Changes a standard row that is not reconciled. */
export function amendRow(budget: SampleBudget, row: Row, changes: Partial<NewRow>): void {
  const { id, accountId, date, payeeId, categoryId, cleared, splitGroupId } = row;
  const before: NewRow = {
    ...{ accountId, date, payeeId, categoryId, cleared, splitGroupId },
    amount: row.amountNative ?? row.amount,
    memo: row.memo || null,
    labelIds: row.labels.map(label => label.id),
  };
  budget.emit('transaction.changed', stateOf(budget, id, { ...before, ...changes }));
}

/** Enters two legs of one amount in the budget's currency, whatever the currencies of the accounts. */
export function enterTransfer(budget: SampleBudget, transfer: Transfer): void {
  const { date, from, to, categoryId = null } = transfer;
  const [payer, receiver] = [accountOf(budget, from), accountOf(budget, to)];
  const native = toNativeCurrency(transfer.amount, date);
  const isForeign = payer.currency !== null || receiver.currency !== null;
  const amount = isForeign ? toBudgetCurrency(native, date) : transfer.amount;
  for (const [account, other, sign] of [
    [payer, receiver, -1],
    [receiver, payer, 1],
  ] as const) {
    enterRow(budget, {
      accountId: account.id,
      date,
      amount: sign * (account.currency === null ? amount : native),
      type: 'transfer',
      transferAccountId: other.id,
      // Between two on-budget accounts no money leaves the budget, so it has no category.
      categoryId: account.onBudget && !other.onBudget ? categoryId : null,
    });
  }
}

function stateOf(
  budget: SampleBudget,
  transactionId: string,
  { amount, ...row }: NewRow,
): TransactionEntered {
  const { currency } = accountOf(budget, row.accountId);
  const inBudget = currency === null ? amount : toBudgetCurrency(amount, row.date);
  return {
    payeeId: null,
    categoryId: null,
    memo: null,
    type: 'standard',
    cleared: false,
    reconciled: false,
    transferAccountId: null,
    splitGroupId: null,
    labelIds: [],
    ...row,
    transactionId,
    amount: formatMoney(inBudget),
    amountNative: currency === null ? null : formatMoney(amount),
    exchangeRate: currency === null ? null : exchangeRate(row.date),
  };
}

// Euros for one dollar on a date: invented, but the same for everybody and with four decimals.
const SCALE = 10_000;
const LOWEST = 8_900;
const SWING_DAYS = 400;

export function exchangeRate(date: string): number {
  return scaledRate(date) / SCALE;
}

/** Rounded half away from zero. */
function toBudgetCurrency(native: Hundredths, date: string): Hundredths {
  return Math.sign(native) * Math.round((Math.abs(native) * scaledRate(date)) / SCALE);
}

/** What buys so much of the budget's currency, nearly. */
function toNativeCurrency(amount: Hundredths, date: string): Hundredths {
  return Math.sign(amount) * Math.round((Math.abs(amount) * SCALE) / scaledRate(date));
}

/** A slow swing up and down, with a little unrest. */
function scaledRate(date: string): number {
  const day = dayNumber(date);
  const swing = Math.abs((day % (2 * SWING_DAYS)) - SWING_DAYS);
  return LOWEST + swing + ((day * 7) % 23);
}
