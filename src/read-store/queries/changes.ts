// Reads what changed in a budget after a place in the order of changes, in the form in which it is served: of each kind
// as much as fits into the page.
import type { Document } from 'mongodb';
import type { SetDocuments } from '../../../projections/document-kinds.ts';
import type { ThingKind, Tombstone } from '../../../projections/documents.ts';
import type {
  Account,
  Category,
  CategoryGroupSummary,
  Deletion,
  Label,
  Payee,
} from '../../../schemas/generated/api.ts';
import { documentsOf } from '../collections.ts';
import type { StoredDocument } from '../document-codec.ts';
import { documentOf } from '../document-storage.ts';
import { BY_CHANGED } from '../row-codec.ts';
import type { Reading } from '../snapshot.ts';
import { serveAccounts } from './accounts.ts';
import { serveCategory, serveGroup } from './categories.ts';
import {
  CHANGE_KINDS,
  type ChangeKind,
  type ChangePlace,
  endOfChanges,
  mergeChanges,
  type Remaining,
  remainingAfter,
} from './change-order.ts';
import type { ReachedBudget } from './reach.ts';
import { storedId } from './stored-id.ts';

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
  readonly transactions: readonly string[];
  readonly deleted: readonly Deletion[];
  /** The end of the page. */
  readonly place: ChangePlace;
  /** Whether more changes follow up to the budget's position. */
  readonly hasMore: boolean;
}

interface Change extends ChangePlace {
  readonly document: StoredDocument;
}

/** Reads nothing if the place is the end of all changes. */
export async function readChanges(
  reading: Reading,
  { set, sequence }: ReachedBudget,
  { place, base, limit, today }: ChangesQuery,
): Promise<ChangesPage> {
  const streams = CHANGE_KINDS.map(kind => {
    const remaining = remainingAfter(place, kind, { base, sequence });
    return remaining === null ? [] : readStream(reading, { set, kind, remaining, limit });
  });
  const { changes, hasMore } = mergeChanges(await Promise.all(streams), limit);
  const stored = (kind: ChangeKind) =>
    changes.flatMap(change => (CHANGE_KINDS[change.kind] === kind ? change.document : []));
  const documents = <K extends ChangeKind>(kind: K): SetDocuments[K][] =>
    stored(kind).map(document => documentOf(kind, document));
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
    transactions: stored('rows').map(({ json }) => String(json)),
    deleted: gone.map(tombstone => ({ kind: tombstone.kind, id: tombstone.thingId })),
    place: { changed, kind, id },
    hasMore,
  };
}

interface Stream {
  readonly set: string;
  readonly kind: ChangeKind;
  readonly remaining: Remaining;
  readonly limit: number;
}

/** Kinds of which a budget has few: no index holds the order of their changes. */
const FEW: readonly ChangeKind[] = ['accounts', 'groups', 'categories'];

/** Returns the next changes of a kind, one more than the limit if there are so many. */
async function readStream(
  { collections, options }: Reading,
  { set, kind, remaining: { after, within }, limit }: Stream,
): Promise<Change[]> {
  const later = { changed: { $gt: after } };
  const filter: Document =
    within === null
      ? { set, ...later }
      : {
          set,
          $or: [{ changed: within.changed, _id: { $gt: storedId(set, within.afterId) } }, later],
        };
  const found = await documentsOf(collections, kind)
    .find(filter, {
      ...options,
      ...(kind === 'rows' && { projection: { changed: 1, json: 1 } }),
      ...(!FEW.includes(kind) && { hint: BY_CHANGED }),
    })
    .sort({ changed: 1, _id: 1 })
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
      const ids = tombstones.flatMap(one => (one.kind === kind ? storedId(set, one.thingId) : []));
      const found = await documentsOf(collections, COLLECTION_OF[kind])
        .find({ _id: { $in: ids } }, { ...options, projection: { _id: 1 } })
        .batchSize(ids.length + 1)
        .toArray();
      return found.map(({ _id }) => `${kind} ${_id}`);
    }),
  );
  const isLiving = new Set(living.flat());
  return tombstones.filter(
    ({ kind, thingId }) => !isLiving.has(`${kind} ${storedId(set, thingId)}`),
  );
}

function serveNamed({ id, name }: Payee): Payee {
  return { id, name };
}
