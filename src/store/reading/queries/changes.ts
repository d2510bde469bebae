// Reads what changed in a budget after a place in the order of changes, in the form in which it is served: of each kind
// as much as fits into the page. Rows are read as the bytes that the store sent, the other kinds as documents.
import type { Document } from 'mongodb';
import type { SetDocuments } from '../../../../projections/document-kinds.ts';
import type { ThingKind, Tombstone } from '../../../../projections/documents.ts';
import { keyOf } from '../../../../projections/working-set-entries.ts';
import type {
  Account,
  Category,
  CategoryGroupSummary,
  Deletion,
  Label,
  Payee,
} from '../../../../schemas/generated/api.ts';
import { documentsOf } from '../../collections.ts';
import { documentOf } from '../../document-storage.ts';
import { BY_CHANGED } from '../../row-codec.ts';
import type { Reading } from '../../snapshot.ts';
import { serveAccounts } from './accounts.ts';
import { asciiAt, eachField, fieldName, integerIn, isNamed, sizeOf } from './bson.ts';
import { serveCategory, serveGroup } from './categories.ts';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type ChangePlace,
  type ChangeStream,
  endOfChanges,
  mergeChanges,
  type Remaining,
  remainingAfter,
} from './change-order.ts';
import { documentsIn, firstRawBatch } from './raw-batches.ts';
import type { ReachedBudget } from './reach.ts';
import type { RoomySource } from './room.ts';

/** The first version of the projections that stores when things changed. */
export const CHANGES_VERSION_MIN = 3;

export interface ChangesQuery {
  /** Every change up to this place is known. */
  readonly place: ChangePlace;
  /** What was deleted up to this position was never known. */
  readonly base: number;
  readonly limit: number;
  /** The date in UTC. */
  readonly today: string;
}

/** A page of changes; each list is in the order of the changes. */
export interface ChangesPage {
  readonly accounts: readonly Account[];
  readonly categoryGroups: readonly CategoryGroupSummary[];
  readonly categories: readonly Category[];
  readonly payees: readonly Payee[];
  readonly labels: readonly Label[];
  /** As JSON texts. */
  readonly transactions: readonly Buffer[];
  readonly deleted: readonly Deletion[];
  /** The end of the page. */
  readonly place: ChangePlace;
  /** Whether more changes follow up to the budget's position. */
  readonly hasMore: boolean;
}

/** For each byte of a change: itself, its text, and the bytes of the answer. */
const COPIES = 3;
const NONE = { changes: [], isCut: false } as const;

/** Reads nothing if the place is the end of all changes. A page may have fewer changes where these are large. */
export async function readChanges(
  { reading, takeRoom }: Pick<RoomySource, 'reading' | 'takeRoom'>,
  { set, sequence }: ReachedBudget,
  { place, base, limit, today }: ChangesQuery,
): Promise<ChangesPage> {
  let bytes = 0;
  const makeRoom = (more: number) => {
    bytes += more;
    takeRoom(bytes * COPIES);
  };
  const streams = CHANGE_KINDS.map(kind => {
    const remaining = remainingAfter(place, kind, { base, sequence });
    return remaining && readStream(reading, { set, kind, remaining, limit, makeRoom });
  });
  const { changes, hasMore } = mergeChanges(
    (await Promise.all(streams)).map(stream => stream ?? NONE),
    limit,
  );
  const documents = <K extends ChangeKind>(kind: K): SetDocuments[K][] => {
    const index = CHANGE_KINDS.indexOf(kind);
    return changes.flatMap(change =>
      change.kind === index && 'document' in change ? documentOf(kind, change.document) : [],
    );
  };
  const [accounts, gone] = await Promise.all([
    serveAccounts(reading, set, { accounts: documents('accounts'), today }),
    withoutLiving(reading, set, documents('tombstones')),
  ]);
  const { changed, kind, id } = (hasMore && changes.at(-1)) || endOfChanges(sequence);
  return {
    accounts,
    categoryGroups: documents('groups').map(serveGroup),
    categories: documents('categories').map(serveCategory),
    payees: documents('payees').map(serveNamed),
    labels: documents('labels').map(serveNamed),
    transactions: changes.flatMap(change => ('text' in change ? change.text : [])),
    deleted: gone.map(tombstone => ({ kind: tombstone.kind, id: tombstone.thingId })),
    place: { changed, kind, id },
    hasMore,
  };
}

const COLLECTION_OF: Readonly<Record<ThingKind, ChangeKind>> = {
  account: 'accounts',
  categoryGroup: 'groups',
  category: 'categories',
  payee: 'payees',
  label: 'labels',
  transaction: 'rows',
};

/** Returns the tombstones of things that are still gone: an id may have been used again. */
async function withoutLiving(
  { collections, options }: Reading,
  set: string,
  tombstones: readonly Tombstone[],
): Promise<Tombstone[]> {
  const kinds = [...new Set(tombstones.map(({ kind }) => kind))];
  const living = await Promise.all(
    kinds.map(async kind => {
      const ids = tombstones.flatMap(one => (one.kind === kind ? keyOf(set, one.thingId) : []));
      const found = await documentsOf(collections, COLLECTION_OF[kind])
        .find({ _id: { $in: ids } }, { ...options, projection: { _id: 1 } })
        .batchSize(ids.length + 1)
        .toArray();
      return found.map(({ _id }) => `${kind} ${_id}`);
    }),
  );
  const isLiving = new Set(living.flat());
  return tombstones.filter(({ kind, thingId }) => !isLiving.has(`${kind} ${keyOf(set, thingId)}`));
}

function serveNamed({ id, name }: Payee): Payee {
  return { id, name };
}

interface ChangedDocument extends ChangePlace {
  readonly document: Document;
}

interface ChangedRow extends ChangePlace {
  /** The served transaction, as JSON text. */
  readonly text: Buffer;
}

interface Wanted {
  readonly set: string;
  readonly kind: ChangeKind;
  readonly remaining: Remaining;
  readonly limit: number;
  readonly makeRoom: (bytes: number) => void;
}

/** Kinds of which a budget has few: no index holds the order of their changes. */
const FEW: readonly ChangeKind[] = ['accounts', 'groups', 'categories'];
const ORDER = { changed: 1, _id: 1 } as const;

/** Returns the next changes of a kind, one more than the limit if there are so many; fewer where they are cut. */
async function readStream(
  reading: Reading,
  wanted: Wanted,
): Promise<ChangeStream<ChangedDocument | ChangedRow>> {
  const { set, kind, limit } = wanted;
  const isRows = kind === 'rows';
  const { batch, isCut } = await firstRawBatch(reading, {
    find: documentsOf(reading.collections, kind).collectionName,
    filter: filterOf(wanted),
    ...(isRows && { projection: { changed: 1, json: 1 } }),
    ...(!FEW.includes(kind) && { hint: BY_CHANGED }),
    sort: ORDER,
    limit: limit + 1,
    batchSize: limit + 2,
  });
  wanted.makeRoom(batch.length);
  return { changes: isRows ? changedRows(batch, set) : changedDocuments(batch, wanted), isCut };
}

function changedDocuments(batch: Buffer, { set, kind }: Wanted): ChangedDocument[] {
  const index = CHANGE_KINDS.indexOf(kind);
  return documentsIn(batch).map(document => ({
    changed: Number(document.changed),
    kind: index,
    id: document._id.slice(set.length + 1),
    document,
  }));
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
