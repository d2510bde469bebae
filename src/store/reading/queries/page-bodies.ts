// Bodies of a page of transactions, made of the bytes that the store sent: the JSON texts of rows joined, or CSV (RFC
// 4180): a header line, then a line for each row, ended by CRLF.
import type { Transaction } from '../../../../schemas/generated/api.ts';
import { inTurns } from '../../../process/waiting.ts';
import { CSV_HEAD, csvLine } from './csv.ts';
import type { PageRange } from './named.ts';

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

/** Writes a page. `batches` contain rows with the field `json` alone. */
export async function csvRows(batches: readonly Buffer[]): Promise<RowsBody> {
  const texts: Buffer[] = [];
  const rows = visitTexts(batches, (batch, from, end) => texts.push(batch.subarray(from, end)));
  const lines = [Buffer.from(CSV_HEAD)];
  await inTurns(texts, text => {
    lines.push(Buffer.from(csvLine(JSON.parse(text.toString()) as Transaction)));
  });
  return { body: Buffer.concat(lines), rows };
}

// The JSON texts of rows are found in the bytes that the store sent, without decoding them.
// A batch is a BSON array: int32 length, then for each row its type, its index as zero-ended text, and the row. A row
// is a document with one string field, `json`: int32 length, type, zero-ended name, int32 length of the text with its
// zero, zero-ended text.
const TYPE_STRING = 0x02;
const TYPE_DOCUMENT = 0x03;
/** The name `json` as a number, so that one step compares it. */
const NAME = Buffer.from('json').readInt32LE();
const NAME_AT = 4 + 1;
const LENGTH_AT = NAME_AT + 'json\0'.length;
const TEXT_AT = LENGTH_AT + 4;

/** Receives the place of a text: from the byte `from` of the batch to the one before `end`. */
type Visit = (batch: Buffer, from: number, end: number) => void;

/** The body of a page, and its number of rows. */
export interface RowsBody {
  readonly body: Buffer;
  readonly rows: number;
}

/** Visits the text of each row. `batches` contain rows with the field `json` alone. Returns their number. */
function visitTexts(batches: readonly Buffer[], visit: Visit): number {
  let rows = 0;
  for (const batch of batches) {
    // A page of 1000 rows reads 4000 numbers: Buffer's own methods take twice as long for that.
    const view = new DataView(batch.buffer, batch.byteOffset, batch.length);
    for (let at = 4; at < batch.length - 1; ) {
      let row = at + 1;
      while (row < batch.length && batch[row] !== 0) row += 1;
      row += 1;
      checkForm(view, at, row);
      visit(batch, row + TEXT_AT, row + TEXT_AT + view.getInt32(row + LENGTH_AT, true) - 1);
      rows += 1;
      at = row + view.getInt32(row, true);
    }
  }
  return rows;
}

function checkForm(view: DataView, at: number, row: number): void {
  const isText =
    row + TEXT_AT < view.byteLength &&
    view.getUint8(at) === TYPE_DOCUMENT &&
    view.getInt32(row, true) > TEXT_AT &&
    view.getUint8(row + NAME_AT - 1) === TYPE_STRING &&
    view.getInt32(row + NAME_AT, true) === NAME &&
    view.getUint8(row + LENGTH_AT - 1) === 0;
  if (!isText) throw new Error('Expected a row of one field, json');
}
