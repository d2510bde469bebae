// The changes that an event makes, as data. Pure functions return them first; then all of them are applied, or none.
import { changeCarry, changeCell, editCells } from './aggregates/category-cells.ts';
import { editMonth, editYear } from './aggregates/year-months.ts';
import { type Changing, changeRow, putThing } from './changed.ts';
import type { PutKind, SetDocuments } from './document-kinds.ts';
import type { BudgetFields, Hundredths } from './documents.ts';
import { MONEY_MAX } from './money.ts';
import type { RowChange } from './row-change.ts';

/** A row change, a whole document, or one of the three facts behind envelopes. */
export type Change =
  | ({ readonly kind: 'row' } & RowChange)
  | PutChange
  | { readonly kind: 'assigned'; categoryId: string; month: string; amount: Hundredths }
  | { readonly kind: 'carry'; categoryId: string; month: string; carriesOver: boolean | null }
  | { readonly kind: 'held'; month: string; amount: Hundredths };

/** A whole document; null removes it. */
type PutChange<K extends PutKind = PutKind> = {
  readonly [P in K]: {
    readonly kind: 'put';
    readonly documentKind: P;
    readonly id: string;
    readonly document: SetDocuments[P] | null;
  };
}[K];

/** The event contradicts earlier ones: its stream is parked with this reason. */
export interface Invalid {
  readonly invalid: string;
}

/** The changes that a budget's event makes, or the reason why it is invalid. */
export type Effect = readonly Change[] | Invalid;

export function invalid(reason: string): Invalid {
  return { invalid: reason };
}

export function isInvalid(effect: object): effect is Invalid {
  return 'invalid' in effect;
}

export function put<K extends PutKind>(
  documentKind: K,
  id: string,
  document: SetDocuments[K] | null,
): PutChange<K> {
  return { kind: 'put', documentKind, id, document };
}

/** The budget that an event changes. */
interface ChangingBudget extends Changing {
  readonly budget: BudgetFields;
}

/**
 * Applies the changes of one event and returns the budget after it. Changes that would exceed the money guard
 * (rules/events.md#the-money-guard) are not applied at all; the reason is returned instead.
 */
export function applyChanges(
  changing: ChangingBudget,
  changes: readonly Change[],
): BudgetFields | Invalid {
  const guarded = guard(changing, changes);
  if (isInvalid(guarded)) return guarded;
  for (const change of changes) applyChange(changing, change);
  const { budget } = changing;
  return guarded.absolute === budget.absolute ? budget : { ...budget, absolute: guarded.absolute };
}

function applyChange(changing: Changing, change: Change): void {
  const { documents, set } = changing;
  switch (change.kind) {
    case 'row':
      changeRow(changing, change);
      return;
    case 'put':
      putThing(changing, change.documentKind, change);
      return;
    case 'assigned':
      changeCell(editCells(documents, set, change.categoryId), change.month, cell => ({
        ...cell,
        assigned: change.amount,
      }));
      return;
    case 'carry':
      changeCarry(editCells(documents, set, change.categoryId), change.month, change.carriesOver);
      return;
    case 'held':
      heldOf(changing, change.month).held = change.amount;
      return;
  }
}

function heldOf({ documents, set }: Changing, month: string) {
  return editMonth(editYear(documents, set, month.slice(0, 4)), month.slice(5));
}

function guard(
  changing: ChangingBudget,
  changes: readonly Change[],
): { absolute: Hundredths } | Invalid {
  const { documents, set, budget } = changing;
  let absolute = budget.absolute;
  let native: Map<string, number> | null = null;
  for (const change of changes) {
    absolute += absoluteDelta(changing, change);
    if (change.kind === 'row' && changesNative(change)) {
      native ??= new Map();
      addNative(native, change);
    }
  }
  if (absolute > MONEY_MAX) {
    return invalid(tooMuch('The amounts of the budget', absolute));
  }
  for (const [accountId, delta] of native ?? []) {
    const account = documents.get('accounts', set, accountId);
    const sum = (account?.nativeAbsolute ?? 0) + delta;
    if (sum > MONEY_MAX) {
      return invalid(tooMuch(`The native amounts of account ${accountId}`, sum));
    }
  }
  return { absolute };
}

function tooMuch(what: string, sum: number): string {
  return `${what} would add up to ${sum} hundredths, more than 2^51`;
}

function absoluteDelta({ documents, set }: Changing, change: Change): number {
  switch (change.kind) {
    case 'row':
      return Math.abs(change.after?.amount ?? 0) - Math.abs(change.before?.amount ?? 0);
    case 'assigned': {
      const cells = documents.get('categoryMonths', set, change.categoryId)?.cells;
      return Math.abs(change.amount) - Math.abs(cells?.[change.month]?.assigned ?? 0);
    }
    case 'held': {
      const year = documents.get('years', set, change.month.slice(0, 4));
      return change.amount - (year?.months[change.month.slice(5)]?.held ?? 0);
    }
    case 'put':
    case 'carry':
      return 0;
  }
}

function changesNative({ before, after }: RowChange): boolean {
  if (before?.accountId !== after?.accountId) {
    return Boolean(before?.amountNative || after?.amountNative);
  }
  return (before?.amountNative ?? 0) !== (after?.amountNative ?? 0);
}

function addNative(sums: Map<string, number>, { before, after }: RowChange): void {
  for (const [row, sign] of [[before, -1] as const, [after, 1] as const]) {
    if (row?.amountNative) {
      const delta = sign * Math.abs(row.amountNative);
      sums.set(row.accountId, (sums.get(row.accountId) ?? 0) + delta);
    }
  }
}
