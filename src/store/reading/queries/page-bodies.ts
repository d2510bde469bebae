// Bodies of a page of transactions, made of the bytes that the store sent: the JSON texts of rows joined, or CSV (RFC
// 4180): a header line, then a line for each row, ended by CRLF.
import type { Transaction } from '../../../../schemas/generated/api.ts';
import type { PageRange } from './named.ts';
import { type RowsBody, visitTexts } from './row-texts.ts';

const HEAD = '{"transactions":[';
const COMMA = 0x2c;

/** Joins a page. `batches` contain rows with the field `json` alone. */
export function joinRows(batches: readonly Buffer[], { limit, offset }: PageRange): RowsBody {
  const tail = (rows: number) =>
    `],"pagination":${JSON.stringify({ limit, offset, has_more: rows === limit })}}`;
  // The batches are long enough: around its text each row has more bytes than the comma that replaces them.
  const texts = batches.reduce((total, batch) => total + batch.length, 0);
  const body = Buffer.allocUnsafe(HEAD.length + texts + tail(-1).length);
  let end = body.write(HEAD);
  const rows = visitTexts(batches, (batch, from, textEnd) => {
    if (end > HEAD.length) end = body.writeUInt8(COMMA, end);
    end += batch.copy(body, end, from, textEnd);
  });
  end += body.write(tail(rows), end);
  return { body: body.subarray(0, end), rows };
}

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

/** Writes a page. `batches` contain rows with the field `json` alone. */
export function csvRows(batches: readonly Buffer[]): RowsBody {
  const rows: Transaction[] = [];
  visitTexts(batches, (batch, from, end) => {
    rows.push(JSON.parse(batch.toString('utf8', from, end)) as Transaction);
  });
  return { body: Buffer.from(csvText(rows)), rows: rows.length };
}

export function csvText(rows: readonly Transaction[]): string {
  const lines = rows.map(row => FIELDS.map(field => quote(cellOf(row, field) ?? '')).join(','));
  return [FIELDS.join(','), ...lines].map(line => `${line}\r\n`).join('');
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
