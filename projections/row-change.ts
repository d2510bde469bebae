// The core idea: whatever changes rows is turned into row changes first, and every aggregate is a fold over them.
import { accountDays } from './aggregates/account-days.ts';
import { accountMonths } from './aggregates/account-months.ts';
import { accountTotals } from './aggregates/account-totals.ts';
import { categoryCells } from './aggregates/category-cells.ts';
import { memoBlocks } from './aggregates/memo-blocks.ts';
import { yearMonths } from './aggregates/year-months.ts';
import type { Row } from './documents.ts';
import type { WorkingSet } from './working-set.ts';

export interface RowChange {
  readonly before: Row | null;
  readonly after: Row | null;
}

/** An aggregate takes a row out (`sign` −1) or in (+1); a new aggregate is one small file and a line here. */
export type Aggregate = (documents: WorkingSet, row: Row, sign: 1 | -1) => void;

// Days come before months and months before totals: each takes its last date from the one before.
const SUMS: readonly Aggregate[] = [
  accountDays,
  accountMonths,
  accountTotals,
  categoryCells,
  yearMonths,
];

/** Applies a row change to the rows and to everything that is made from them. */
export function applyRowChange(documents: WorkingSet, change: RowChange): void {
  const { before, after } = change;
  const row = after ?? before;
  if (!row) return;
  documents.put('rows', row.set, row.id, after);
  if (!(before && after && isNotedAlike(before, after))) apply(documents, memoBlocks, change);
  if (before && after && countsAlike(before, after)) return;
  for (const aggregate of SUMS) apply(documents, aggregate, change);
}

function apply(documents: WorkingSet, aggregate: Aggregate, { before, after }: RowChange): void {
  if (before) aggregate(documents, before, -1);
  if (after) aggregate(documents, after, 1);
}

function isNotedAlike(a: Row, b: Row): boolean {
  return a.memo === b.memo && a.date === b.date;
}

// A change of names alone (a payee renamed, say) touches no sum.
function countsAlike(a: Row, b: Row): boolean {
  return (
    a.amount === b.amount &&
    a.amountNative === b.amountNative &&
    a.date === b.date &&
    a.accountId === b.accountId &&
    a.categoryId === b.categoryId &&
    a.cleared === b.cleared &&
    a.internal === b.internal
  );
}
