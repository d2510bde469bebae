// Finds the JSON texts of rows in the bytes that the store sent, without decoding them.

// A batch is a BSON array: int32 length, then for each row its type, its index as zero-ended text, and the row. A row
// is a document with one string field, `json`: int32 length, type, zero-ended name, int32 length of the text with its
// zero, zero-ended text.
const TYPE_STRING = 0x02;
const TYPE_DOCUMENT = 0x03;
const NAME_AND_ZERO = Buffer.from('json\0');
const NAME_AT = 4 + 1;
const LENGTH_AT = NAME_AT + NAME_AND_ZERO.length;
const TEXT_AT = LENGTH_AT + 4;

/** Receives the place of a text: from the byte `from` of the batch to the one before `end`. */
type Visit = (batch: Buffer, from: number, end: number) => void;

/** Visits the text of each row. `batches` contain rows with the field `json` alone. Returns their number. */
export function visitTexts(batches: readonly Buffer[], visit: Visit): number {
  let rows = 0;
  for (const batch of batches) {
    for (let at = 4; at < batch.length - 1; ) {
      const row = batch.indexOf(0, at + 1) + 1;
      checkForm(batch, at, row);
      visit(batch, row + TEXT_AT, row + TEXT_AT + batch.readInt32LE(row + LENGTH_AT) - 1);
      rows += 1;
      at = row + batch.readInt32LE(row);
    }
  }
  return rows;
}

/** Returns the number of rows. */
export function countTexts(batches: readonly Buffer[]): number {
  return visitTexts(batches, () => {});
}

function checkForm(batch: Buffer, at: number, row: number): void {
  const isText =
    batch[at] === TYPE_DOCUMENT &&
    batch.readInt32LE(row) > TEXT_AT &&
    batch[row + NAME_AT - 1] === TYPE_STRING &&
    batch.compare(NAME_AND_ZERO, 0, NAME_AND_ZERO.length, row + NAME_AT, row + LENGTH_AT) === 0;
  if (!isText) throw new Error('Expected a row of one field, json');
}
