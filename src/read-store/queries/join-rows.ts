// Joins the JSON texts of rows into a page, straight from the bytes that the store sent.
import type { Page } from './named.ts';

// A batch is a BSON array: int32 length, then for each row its type, its index as zero-ended text, and the row. A row
// is a document with one string field, `json`: int32 length, type, zero-ended name, int32 length of the text with its
// zero, zero-ended text.
const TYPE_STRING = 0x02;
const TYPE_DOCUMENT = 0x03;
const NAME_AND_ZERO = Buffer.from('json\0');
const NAME_AT = 4 + 1;
const LENGTH_AT = NAME_AT + NAME_AND_ZERO.length;
const TEXT_AT = LENGTH_AT + 4;

const HEAD = '{"transactions":[';
const COMMA = 0x2c;

/** Returns the body of a page. `batches` contain rows with the field `json` alone. */
export function joinRows(batches: readonly Buffer[], { limit, offset }: Page): Buffer {
  const tail = (rows: number) =>
    `],"pagination":${JSON.stringify({ limit, offset, has_more: rows === limit })}}`;
  // The batches are long enough: around its text each row has more bytes than the comma that replaces them.
  const texts = batches.reduce((total, batch) => total + batch.length, 0);
  const body = Buffer.allocUnsafe(HEAD.length + texts + tail(-1).length);
  let end = body.write(HEAD);
  let rows = 0;
  for (const batch of batches) {
    for (let at = 4; at < batch.length - 1; ) {
      const row = batch.indexOf(0, at + 1) + 1;
      checkForm(batch, at, row);
      const textEnd = row + TEXT_AT + batch.readInt32LE(row + LENGTH_AT) - 1;
      if (rows > 0) end = body.writeUInt8(COMMA, end);
      end += batch.copy(body, end, row + TEXT_AT, textEnd);
      rows += 1;
      at = row + batch.readInt32LE(row);
    }
  }
  end += body.write(tail(rows), end);
  return body.subarray(0, end);
}

function checkForm(batch: Buffer, at: number, row: number): void {
  const isText =
    batch[at] === TYPE_DOCUMENT &&
    batch.readInt32LE(row) > TEXT_AT &&
    batch[row + NAME_AT - 1] === TYPE_STRING &&
    batch.compare(NAME_AND_ZERO, 0, NAME_AND_ZERO.length, row + NAME_AT, row + LENGTH_AT) === 0;
  if (!isText) throw new Error('Expected a row of one field, json');
}
