// Joins the JSON texts of rows into a page, straight from the bytes that the store sent.
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
