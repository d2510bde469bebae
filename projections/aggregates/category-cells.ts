// The sparse cells of months.md by category and month: what was assigned and what on-budget rows spent.
import { dictionary } from '../dictionary.ts';
import type { Cell, Row } from '../documents.ts';
import type { Tracked, WorkingSet } from '../working-set.ts';

const NO_CELL: Readonly<Cell> = { assigned: 0, spent: 0, count: 0 };

export function categoryCells(documents: WorkingSet, row: Row, sign: 1 | -1): void {
  if (row.categoryId === null) return;
  changeCell(documents, row.set, row.categoryId, row.date.slice(0, 7), cell => ({
    assigned: cell.assigned,
    spent: cell.spent + (row.onBudget ? sign * row.amount : 0),
    count: cell.count + sign,
  }));
}

/** Changes one cell; a cell of zeros is taken out, so that the document depends on what is live alone. */
export function changeCell(
  documents: WorkingSet,
  set: string,
  categoryId: string,
  month: string,
  change: (cell: Readonly<Cell>) => Cell,
): void {
  const entry = editCategoryMonths(documents, set, categoryId);
  const { cells } = entry.document;
  entry.was(`cells.${month}`, cells[month]);
  const cell = change(cells[month] ?? NO_CELL);
  if (cell.assigned === 0 && cell.spent === 0 && cell.count === 0) delete cells[month];
  else cells[month] = cell;
}

/** Sets where carry-over begins or ends; null takes the mark away. */
export function changeCarry(
  documents: WorkingSet,
  set: string,
  categoryId: string,
  month: string,
  carriesOver: boolean | null,
): void {
  const entry = editCategoryMonths(documents, set, categoryId);
  const { carry } = entry.document;
  entry.was(`carry.${month}`, carry[month]);
  if (carriesOver === null) delete carry[month];
  else carry[month] = carriesOver;
}

function editCategoryMonths(
  documents: WorkingSet,
  set: string,
  id: string,
): Tracked<'categoryMonths'> {
  return documents.edit('categoryMonths', set, id, stored => ({
    set,
    id,
    cells: dictionary(stored?.cells),
    carry: dictionary(stored?.carry),
  }));
}
