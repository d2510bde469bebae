// The rows of a sample budget: enters, changes and clears them, and keeps balances and envelopes in step.
import type { Hundredths } from '../../../projections/documents.ts';
import { formatMoney } from '../../../projections/money.ts';
import type { TransactionEntered } from '../../../schemas/generated/events.ts';
import { exchangeRate, toBudgetCurrency } from './exchange-rate.ts';
import type { DataOf, EventType } from './timeline.ts';

export interface AccountState {
  readonly id: string;
  /** Null: the budget's. */
  readonly currency: string | null;
  readonly onBudget: boolean;
  /** In the account's own currency. */
  balance: Hundredths;
  /** Ids of rows that are not cleared yet, and of cleared ones that are not reconciled yet. */
  readonly uncleared: Set<string>;
  readonly unreconciled: Set<string>;
}

/** A row with the amounts it was entered with. */
export interface Row {
  readonly id: string;
  readonly account: AccountState;
  readonly date: string;
  /** In the account's own currency. */
  readonly amount: Hundredths;
  /** In the budget's currency, where it is not to be computed by the rate of the day. */
  readonly budgetAmount?: Hundredths | undefined;
  readonly type: TransactionEntered['type'];
  readonly payeeId: string | null;
  readonly categoryId: string | null;
  readonly memo: string | null;
  readonly labelIds: readonly string[];
  readonly splitGroupId: string | null;
  readonly transferAccountId: string | null;
  readonly cleared: boolean;
  readonly reconciled: boolean;
}

export type NewRow = Pick<Row, 'account' | 'date' | 'amount'> & Partial<Omit<Row, 'id'>>;
export type RowPatch = Partial<
  Pick<Row, 'amount' | 'payeeId' | 'categoryId' | 'memo' | 'labelIds'>
>;

export interface RowBook {
  /** How many rows were ever entered. */
  entered(): number;
  enter(row: NewRow): Row;
  change(id: string, patch: RowPatch): void;
  delete(id: string): void;
  /** Nothing happens where no row of the account is meant. */
  clear(account: AccountState, upTo: string): void;
  unclear(id: string): void;
  reconcile(account: AccountState, upTo: string): void;
  find(wanted: (row: Row) => boolean): Row | undefined;
  /** What an event about another thing did to rows; says nothing itself. */
  replace(wanted: (row: Row) => boolean, substitute: (row: Row) => Row | null): void;
}

export type Emit = <T extends EventType>(type: T, data: DataOf<T>) => void;

/** events.md: transaction.cleared and its like name at most 1000 rows. */
const IDS_MAX = 1000;

const DEFAULTS = {
  type: 'standard',
  payeeId: null,
  categoryId: null,
  memo: null,
  labelIds: [],
  splitGroupId: null,
  transferAccountId: null,
  cleared: false,
  reconciled: false,
} as const satisfies Partial<Row>;

/** `book` takes what an on-budget row adds to its category. */
export function createRowBook(
  emit: Emit,
  book: (categoryId: string, amount: Hundredths) => void,
): RowBook {
  const rows = new Map<string, Row>();
  let count = 0;
  const addToTotals = (row: Row, sign: 1 | -1): void => {
    row.account.balance += sign * row.amount;
    if (row.account.onBudget && row.categoryId !== null) {
      book(row.categoryId, sign * budgetAmountOf(row));
    }
  };
  const put = (row: Row): Row => {
    rows.set(row.id, row);
    const { uncleared, unreconciled } = row.account;
    uncleared.delete(row.id);
    unreconciled.delete(row.id);
    if (!row.cleared) uncleared.add(row.id);
    else if (!row.reconciled) unreconciled.add(row.id);
    return row;
  };
  const take = (row: Row): void => {
    rows.delete(row.id);
    row.account.uncleared.delete(row.id);
    row.account.unreconciled.delete(row.id);
  };
  const get = (id: string): Row => {
    const row = rows.get(id);
    if (row === undefined) throw new Error(`No row ${id}`);
    return row;
  };
  /** Rows of a set up to a date, marked; answers their ids. */
  const mark = (ids: Set<string>, upTo: string, marks: Partial<Row>): string[] => {
    const meant = [...ids].filter(id => get(id).date <= upTo).slice(0, IDS_MAX);
    for (const id of meant) put({ ...get(id), ...marks });
    return meant;
  };
  return {
    entered: () => count,
    enter(fields) {
      count++;
      const row = { ...DEFAULTS, ...fields, id: `transaction-${count}` };
      emit('transaction.entered', dataOf(row));
      addToTotals(row, 1);
      return put(row);
    },
    change(id, patch) {
      const before = get(id);
      const after = { ...before, ...patch };
      emit('transaction.changed', dataOf(after));
      addToTotals(before, -1);
      addToTotals(put(after), 1);
    },
    delete(id) {
      const row = get(id);
      emit('transaction.deleted', { transactionId: id });
      addToTotals(row, -1);
      take(row);
    },
    clear(account, upTo) {
      const transactionIds = mark(account.uncleared, upTo, { cleared: true });
      if (transactionIds.length > 0) emit('transaction.cleared', { transactionIds });
    },
    unclear(id) {
      put({ ...get(id), cleared: false, reconciled: false });
      emit('transaction.uncleared', { transactionIds: [id] });
    },
    reconcile(account, upTo) {
      const transactionIds = mark(account.unreconciled, upTo, { reconciled: true });
      if (transactionIds.length > 0) emit('transaction.reconciled', { transactionIds });
    },
    find: wanted => [...rows.values()].findLast(wanted),
    replace(wanted, substitute) {
      for (const row of [...rows.values()].filter(wanted)) {
        const replacement = substitute(row);
        if (replacement === null) take(row);
        else put(replacement);
      }
    },
  };
}

function budgetAmountOf(row: Row): Hundredths {
  if (row.account.currency === null) return row.amount;
  return row.budgetAmount ?? toBudgetCurrency(row.amount, row.date);
}

function dataOf(row: Row): TransactionEntered {
  const foreign = row.account.currency !== null;
  return {
    transactionId: row.id,
    date: row.date,
    accountId: row.account.id,
    payeeId: row.payeeId,
    categoryId: row.categoryId,
    memo: row.memo,
    amount: formatMoney(budgetAmountOf(row)),
    amountNative: foreign ? formatMoney(row.amount) : null,
    exchangeRate: foreign ? exchangeRate(row.date) : null,
    type: row.type,
    cleared: row.cleared,
    reconciled: row.reconciled,
    transferAccountId: row.transferAccountId,
    splitGroupId: row.splitGroupId,
    labelIds: [...row.labelIds],
  };
}
