// Joins the JSON texts of rows into a page, straight from the bytes that came from the store.
import type { Page } from './named.ts';

// A BSON document of one string field `json`: int32 length, type, name, int32 length of the text with its end.
const TYPE_STRING = 0x02;
const NAME = Buffer.from('json\0');
const LENGTH_AT = 4 + 1 + NAME.length;
const TEXT_AT = LENGTH_AT + 4;

const HEAD = Buffer.from('{"transactions":[');
const COMMA = Buffer.from(',');

/** `rows` are documents in BSON that hold the field `json` alone. */
export function joinRows(rows: readonly Buffer[], { limit, offset }: Page): Buffer {
  const pagination = { limit, offset, has_more: rows.length === limit };
  const parts: Buffer[] = [HEAD];
  for (const row of rows) {
    if (parts.length > 1) parts.push(COMMA);
    parts.push(textOf(row));
  }
  parts.push(Buffer.from(`],"pagination":${JSON.stringify(pagination)}}`));
  return Buffer.concat(parts);
}

function textOf(row: Buffer): Buffer {
  const isText = row[4] === TYPE_STRING && NAME.equals(row.subarray(5, LENGTH_AT));
  if (!isText) throw new Error('Expected a row of one field, json');
  return row.subarray(TEXT_AT, TEXT_AT + row.readInt32LE(LENGTH_AT) - 1);
}
