// The documents of the read model, as the projections see them. Money is in hundredths of the budget's (or
// account's) currency, in safe integers; the read store writes it as 64-bit integers. Documents made from rows
// alone are declared by their aggregates (projections/aggregates); projections/document-kinds.ts lists all kinds.
import type { SequenceRange } from './skipped.ts';

/** An amount of money in integer hundredths, |amount| ≤ 2^51. */
export type Hundredths = number;

/** Why a stream is held: its events wait in its queue and its documents stay as they were. */
export interface Held {
  /** Time of the first event that waits, ISO 8601 UTC with milliseconds. */
  readonly since: string;
  /**
   * `parked`: that event is invalid; `gap`: an earlier sequence is missing; `change`: work is under way, which is a big
   * change, a rebuild, or the application of the queue. The owner of the partition goes on where nobody else does.
   */
  readonly why: 'parked' | 'gap' | 'change';
  /** The reason in words, for operators. */
  readonly reason: string;
  /** Events in the queue. */
  readonly queued: number;
  /**
   * The queue entry that parks the stream. Events with lower sequences may have arrived later, so it is not always the
   * first one.
   */
  readonly entry?: string;
}

/** The budget's own fields. They live in its head, so that a request needs only one look-up. */
export interface BudgetFields {
  readonly spaceId: string;
  readonly name: string;
  readonly nameKey: string;
  readonly currency: string;
  readonly createdAt: string;
  readonly archivedAt: string | null;
  /** Date of the newest live row, null without rows. */
  readonly lastDate: string | null;
  /** Sum of the absolute amounts of live rows, assignments and holds (the money guard). */
  readonly absolute: Hundredths;
}

export interface SpaceFields {
  readonly name: string | null;
  readonly members: readonly string[];
  readonly createdAt: string;
}

/** One document per stream (subject): the last applied event, and the fields of its budget or space. */
export interface Head {
  readonly id: string;
  readonly partition: number;
  /** Last applied sequence; 0 when only waiting events are known. */
  readonly sequence: number;
  /** Id of the last applied event; null before the first and after a deletion. */
  readonly eventId: string | null;
  /** Id of the current document set; null for a space, a budget that is not created yet, and a deleted one. */
  readonly set: string | null;
  readonly held: Held | null;
  readonly budget: BudgetFields | null;
  readonly space: SpaceFields | null;
  readonly deleted: boolean;
  /** The sequences that an operator's decision left without effect, in ascending order; missing where there are none. */
  readonly skipped?: readonly SequenceRange[];
  /** How often an operator has decided on the stream; missing for never. No drain takes it back, as it does a hold. */
  readonly decided?: number;
}

/** Common to every document of a budget: the id of its document set, and its own id within the set. */
export interface InSet {
  readonly set: string;
  readonly id: string;
}

/** Something that is served by itself. */
interface Thing extends InSet {
  /** Sequence of the event that last changed the form in which it is served (projections/changed.ts). */
  readonly changed: number;
}

/** Something that rows name by its id, so that sums are kept by it. */
interface NamedByRows extends Thing {
  /** Sequence of the event that made it; it decides which documents contain its sums. */
  readonly entry: number;
}

/** An account also changes with the rows that its sums include. */
export interface Account extends NamedByRows {
  readonly name: string;
  readonly nameKey: string;
  readonly type: string;
  /** The account's own currency; null means the budget's. */
  readonly currency: string | null;
  readonly onBudget: boolean;
  readonly closed: boolean;
  readonly position: number | null;
  readonly createdAt: string;
  /** Like the sums below, over all live rows: those with a future date too. */
  readonly count: number;
  readonly cleared: Hundredths;
  readonly uncleared: Hundredths;
  /** In the account's own currency; 0 for an account without one. */
  readonly native: Hundredths;
  readonly nativeAbsolute: Hundredths;
  readonly lastDate: string | null;
}

export interface CategoryGroup extends Thing {
  readonly name: string;
  readonly nameKey: string;
  readonly hidden: boolean;
  readonly budgetMode: string;
  readonly position: number | null;
  /** Live categories in the group. */
  readonly size: number;
}

export interface Category extends NamedByRows {
  readonly groupId: string;
  /** The mode of its group (a group's mode never changes). */
  readonly budgetMode: string;
  readonly name: string;
  readonly nameKey: string;
  readonly hidden: boolean;
  readonly note: string | null;
  readonly position: number | null;
}

export interface Payee extends NamedByRows {
  readonly name: string;
  readonly nameKey: string;
}

export type Label = Payee;

/** A transaction row. It contains the names it is served with, so a change to it needs no look-up. */
export interface Row extends Thing {
  /** Sequence of its transaction.entered; it orders the rows of one date. */
  readonly entry: number;
  readonly date: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly payeeId: string | null;
  readonly payeeName: string | null;
  readonly categoryId: string | null;
  readonly categoryName: string | null;
  readonly memo: string;
  readonly amount: Hundredths;
  readonly amountNative: Hundredths | null;
  readonly exchangeRate: number | null;
  readonly currency: string | null;
  readonly type: string;
  readonly cleared: boolean;
  readonly reconciled: boolean;
  readonly transferAccountId: string | null;
  readonly splitGroupId: string | null;
  /** Ordered by name key, then id. */
  readonly labels: readonly { readonly id: string; readonly name: string }[];
  readonly createdAt: string;
  /** Its account is on budget. */
  readonly onBudget: boolean;
  /** A transfer between two on-budget accounts. */
  readonly internal: boolean;
}

/** The kinds of things, as clients name them. */
export type ThingKind =
  | 'account'
  | 'categoryGroup'
  | 'category'
  | 'payee'
  | 'label'
  | 'transaction';

/**
 * A thing that was deleted. Its id is `kind/thingId`. It stays when the id is used again, so a tombstone whose thing is
 * there says nothing.
 */
export interface Tombstone extends InSet {
  readonly kind: ThingKind;
  readonly thingId: string;
  /** Sequence of the last event that deleted it. */
  readonly changed: number;
}

/** Sums over the rows of one account in a period. */
export interface RowSums {
  count: number;
  cleared: Hundredths;
  uncleared: Hundredths;
  native: Hundredths;
}

/**
 * Per category: the sparse cells (rules/months.md#cells-and-increments), and the months in which carry-over was
 * switched on or off.
 */
export interface CategoryMonths extends InSet {
  readonly cells: Record<string, Cell>;
  readonly carry: Record<string, boolean>;
}

export interface Cell {
  /** A(c,m) */
  assigned: Hundredths;
  /** S(c,m): on-budget rows only */
  spent: Hundredths;
  /** All rows of the category in the month, off-budget ones too. */
  count: number;
}

/** Increments of one month (rules/months.md#cells-and-increments): nothing here depends on another month. */
export interface MonthIncrements {
  /** I(m) */
  income: Hundredths;
  /** Σ A(·,m) over envelope categories */
  assigned: Hundredths;
  /** O(m), never above 0 */
  overspent: Hundredths;
  overspentCount: number;
  /** On-budget rows of the month. */
  cash: Hundredths;
  /** The part of `cash` that moves between two on-budget accounts (X). */
  internal: Hundredths;
  /** The uncategorized part of `cash` (U). */
  uncategorized: Hundredths;
  uncategorizedCount: number;
  /** H(m) */
  held: Hundredths;
  /** Number of rows by day (`'01'` to `'31'`), off-budget ones too: the counts that lead to a deep page. */
  days: Record<string, number>;
}

/** Sums of all earlier years. */
export interface YearStart {
  income: Hundredths;
  assigned: Hundredths;
  overspent: Hundredths;
  cash: Hundredths;
  internal: Hundredths;
  uncategorized: Hundredths;
}

/** Per year: the increments of its months (`'01'` to `'12'`), and the sums of earlier years. Its id is the year. */
export interface Year extends InSet {
  readonly start: YearStart;
  readonly months: Record<string, MonthIncrements>;
  /** Number of rows in the year, off-budget ones too. */
  readonly count: number;
}
