// The sparse cells (rules/months.md#cells-and-increments) by category and month: the assigned amount, and the sum of
// on-budget rows.
import { dictionary } from '../dictionary.ts';
import type { CategoryMonths, Cell, InSet } from '../documents.ts';
import type { EditableDocuments, Tracked } from '../editable-documents.ts';
import { overRows, type Sign } from './aggregate.ts';
import { SUMMED_FIELDS, type SummedRow } from './row-sums.ts';

type Cells = EditableDocuments<{ categoryMonths: CategoryMonths }>;

const NO_CELL: Readonly<Cell> = { assigned: 0, spent: 0, count: 0 };

export const categoryCells = overRows('categoryMonths', SUMMED_FIELDS, {
  idOf: ({ categoryId }) => categoryId,
  take: takeRow,
});

function takeRow(documents: Cells, row: SummedRow, sign: Sign): void {
  if (row.categoryId === null) return;
  const entry = editCells(documents, row.set, row.categoryId);
  changeCell(entry, row.date.slice(0, 7), cell => ({
    assigned: cell.assigned,
    spent: cell.spent + (row.onBudget ? sign * row.amount : 0),
    count: cell.count + sign,
  }));
}

/** Changes one cell. A cell of zeros is removed, so that the document follows from live rows and assignments alone. */
export function changeCell(
  entry: Tracked<CategoryMonths>,
  month: string,
  change: (cell: Readonly<Cell>) => Cell,
): void {
  const { cells } = entry.document;
  entry.was('cells', month, cells[month]);
  const cell = change(cells[month] ?? NO_CELL);
  if (cell.assigned === 0 && cell.spent === 0 && cell.count === 0) delete cells[month];
  else cells[month] = cell;
}

/** Switches carry-over on or off from a month on; null removes the mark. */
export function changeCarry(
  entry: Tracked<CategoryMonths>,
  month: string,
  carriesOver: boolean | null,
): void {
  const { carry } = entry.document;
  entry.was('carry', month, carry[month]);
  if (carriesOver === null) delete carry[month];
  else carry[month] = carriesOver;
}

/** Returns a category's document to change in place. */
export function editCells(documents: Cells, set: string, id: string): Tracked<CategoryMonths> {
  return documents.edit('categoryMonths', { set, id }, copy);
}

function copy(stored: CategoryMonths | null, { set, id }: InSet): CategoryMonths {
  return { set, id, cells: dictionary(stored?.cells), carry: dictionary(stored?.carry) };
}
