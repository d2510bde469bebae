// Reads all rows of a document set as bytes: three times as fast as by decoded documents.
import type { Row } from '../../../../projections/documents.ts';
import { type RowSource, rowOf } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import { booleanAt, eachField, fieldName, isNamed, numberAt, textAt } from './bson.ts';
import { BATCH_SIZE, eachRawBatch } from './raw-batches.ts';

const PLACE = fieldName('place');
const ON_BUDGET = fieldName('onBudget');
const INTERNAL = fieldName('internal');
const CHANGED = fieldName('changed');
const JSON_TEXT = fieldName('json');
const PROJECTION = { _id: 0, place: 1, onBudget: 1, internal: 1, changed: 1, json: 1 };

/** Calls `visit` for each row of the set, in no order. */
export async function eachRow(
  reading: Reading,
  set: string,
  visit: (row: Row) => void,
): Promise<void> {
  const find = reading.collections.rows.collectionName;
  const command = { find, filter: { set }, projection: PROJECTION, batchSize: BATCH_SIZE };
  for await (const batch of eachRawBatch(reading, command)) {
    eachField(batch, 0, (_, start) => visit(rowOf(sourceAt(batch, start, set))));
  }
}

function sourceAt(bytes: Buffer, start: number, set: string): RowSource {
  const source = { set, place: 0, onBudget: false, internal: false, changed: 0, json: '' };
  eachField(bytes, start, (name, value, type) => {
    if (isNamed(bytes, name, JSON_TEXT)) source.json = textAt(bytes, value);
    else if (isNamed(bytes, name, PLACE)) source.place = numberAt(bytes, value, type);
    else if (isNamed(bytes, name, CHANGED)) source.changed = numberAt(bytes, value, type);
    else if (isNamed(bytes, name, ON_BUDGET)) source.onBudget = booleanAt(bytes, value);
    else if (isNamed(bytes, name, INTERNAL)) source.internal = booleanAt(bytes, value);
  });
  return source;
}
