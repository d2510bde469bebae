// Reads the next changes of one kind in their order: rows as the bytes that the store sent, the others as documents.
import type { Document } from 'mongodb';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import { documentsOf } from '../../collections.ts';
import type { StoredDocument } from '../../document-codec.ts';
import { BY_CHANGED } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import { asciiAt, eachField, fieldName, integerIn, isNamed, sizeOf } from './bson.ts';
import { CHANGE_KINDS, type ChangeKind, type ChangePlace, type Remaining } from './change-order.ts';
import { rawBatches } from './raw-batches.ts';

export interface ChangedDocument extends ChangePlace {
  readonly document: StoredDocument;
}

export interface ChangedRow extends ChangePlace {
  /** The served transaction, as JSON text. */
  readonly text: Buffer;
}

export interface Wanted {
  readonly set: string;
  readonly kind: ChangeKind;
  readonly remaining: Remaining;
  readonly limit: number;
}

/** Kinds of which a budget has few: no index holds the order of their changes. */
const FEW: readonly ChangeKind[] = ['accounts', 'groups', 'categories'];
const ORDER = { changed: 1, _id: 1 } as const;

/** Returns the next changes of a kind, one more than the limit if there are so many. */
export async function readStream(
  reading: Reading,
  wanted: Wanted,
): Promise<(ChangedDocument | ChangedRow)[]> {
  return wanted.kind === 'rows'
    ? await readRows(reading, wanted)
    : await readDocuments(reading, wanted);
}

async function readDocuments(
  { collections, options }: Reading,
  wanted: Wanted,
): Promise<ChangedDocument[]> {
  const { set, kind, limit } = wanted;
  const found = await documentsOf(collections, kind)
    .find(filterOf(wanted), { ...options, ...(!FEW.includes(kind) && { hint: BY_CHANGED }) })
    .sort(ORDER)
    .limit(limit + 1)
    .batchSize(limit + 2)
    .toArray();
  const index = CHANGE_KINDS.indexOf(kind);
  return found.map(document => ({
    changed: Number(document.changed),
    kind: index,
    id: document._id.slice(set.length + 1),
    document,
  }));
}

async function readRows(reading: Reading, wanted: Wanted): Promise<ChangedRow[]> {
  const { set, limit } = wanted;
  const batches = await rawBatches(reading, {
    find: reading.collections.rows.collectionName,
    filter: filterOf(wanted),
    projection: { changed: 1, json: 1 },
    sort: ORDER,
    hint: BY_CHANGED,
    limit: limit + 1,
    batchSize: limit + 2,
  });
  return batches.flatMap(batch => changedRows(batch, set));
}

function filterOf({ set, remaining: { after, within } }: Wanted): Document {
  const later = { changed: { $gt: after } };
  if (within === null) return { set, ...later };
  const rest = { changed: within.changed, _id: { $gt: keyOf(set, within.afterId) } };
  return { set, $or: [rest, later] };
}

const ID = fieldName('_id');
const CHANGED = fieldName('changed');
const JSON_TEXT = fieldName('json');
const ROWS = CHANGE_KINDS.indexOf('rows');

/** `batch` contains rows with the fields `_id`, `changed` and `json`. */
function changedRows(batch: Buffer, set: string): ChangedRow[] {
  const rows: ChangedRow[] = [];
  eachField(batch, 0, (_index, row) => {
    const changed = integerIn(batch, row, CHANGED);
    let id: string | undefined;
    let text: Buffer | undefined;
    eachField(batch, row, (name, value, type) => {
      if (isNamed(batch, name, ID)) id = asciiAt(batch, value).slice(set.length + 1);
      else if (isNamed(batch, name, JSON_TEXT)) {
        // A text has its length before it, and a zero at its end.
        text = batch.subarray(value + 4, value + sizeOf(batch, value, type) - 1);
      }
    });
    if (id === undefined || text === undefined) throw new Error('Expected a row with its text');
    rows.push({ changed, kind: ROWS, id, text });
  });
  return rows;
}
