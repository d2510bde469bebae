// Transactions as lines of CSV (RFC 4180): a header line, then a line for each row, ended by CRLF (rules/api.md#csv).
import type { Transaction } from '../../../../schemas/generated/api.ts';

/** The columns in the order of the fields; a missing one does not compile. Null is an empty cell. */
const COLUMNS: {
  readonly [Field in keyof Transaction]: (value: Transaction[Field]) => string | null;
} = {
  id: asItIs,
  date: asItIs,
  accountId: asItIs,
  accountName: asItIs,
  payeeId: asItIs,
  payeeName: asItIs,
  categoryId: asItIs,
  categoryName: asItIs,
  memo: asItIs,
  amount: asItIs,
  amountNative: asItIs,
  exchangeRate: rate => (rate === null ? null : String(rate)),
  currency: asItIs,
  type: asItIs,
  cleared: String,
  reconciled: String,
  transferAccountId: asItIs,
  splitGroupId: asItIs,
  labels: labels => labels.map(({ name }) => name).join('; '),
  createdAt: asItIs,
};

const FIELDS = Object.keys(COLUMNS) as (keyof Transaction)[];

export const CSV_HEAD = lineOf(FIELDS);

export function csvLine(row: Transaction): string {
  return lineOf(FIELDS.map(field => cellOf(row, field) ?? ''));
}

function lineOf(cells: readonly string[]): string {
  return `${cells.map(quote).join(',')}\r\n`;
}

function cellOf<Field extends keyof Transaction>(row: Transaction, field: Field): string | null {
  return COLUMNS[field](row[field]);
}

function asItIs(text: string | null): string | null {
  return text;
}

/** Quotes a cell that contains a separator; every other text stays as it is. */
function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
