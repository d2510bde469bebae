// Marks things with the sequence of the event that last changed the form in which they are served, and leaves
// tombstones of those that are deleted.
import { KIND_TRAITS, type NamedKind, type PutKind, type SetDocuments } from './document-kinds.ts';
import type { Row, Tombstone } from './documents.ts';
import { SERVED_ROW_FIELDS } from './row.ts';
import { applyRowChange, type RowChange } from './row-change.ts';
import type { WorkingSet } from './working-set.ts';

/** The served fields of each kind, without the sums of an account. */
const SERVED: {
  readonly [K in PutKind]: { readonly served: readonly (keyof SetDocuments[K])[] };
} = KIND_TRAITS;

/** No projection knows which rows are dated ahead of today, so an account changes with each of these. */
const ACCOUNT_FIELDS = ['accountId', 'date', 'amount', 'amountNative', 'cleared'] as const;

/** The document set that an event changes. */
export interface Changing {
  readonly documents: WorkingSet;
  readonly set: string;
  /** The event's. */
  readonly sequence: number;
}

/** Puts a document, null to delete it. */
export function putThing<K extends PutKind>(
  { documents, set, sequence }: Changing,
  kind: K,
  { id, document }: { readonly id: string; readonly document: SetDocuments[K] | null },
): void {
  if (!document) {
    documents.remove(kind, set, id);
    putTombstone(documents, tombstoneOf(kind, { set, id }, sequence));
    return;
  }
  const before = documents.get(kind, set, id);
  const isSame = before && SERVED[kind].served.every(field => before[field] === document[field]);
  const changed = isSame ? before.changed : sequence;
  documents.put(kind, { ...document, changed });
}

/** Changes a row, with all sums that include it, and marks the accounts with those sums. */
export function changeRow({ documents, sequence }: Changing, change: RowChange): void {
  const { before } = change;
  const after = markedRow(change, sequence);
  applyRowChange(documents, { before, after });
  if (before && !after) putTombstone(documents, tombstoneOf('rows', before, sequence));
  if (before && after && ACCOUNT_FIELDS.every(field => before[field] === after[field])) return;
  if (before) markAccount(documents, before, sequence);
  if (after && after.accountId !== before?.accountId) markAccount(documents, after, sequence);
}

/** Returns the row as after the change, with the sequence of the event that last changed its served form. */
export function markedRow({ before, after }: RowChange, sequence: number): Row | null {
  if (!after) return null;
  const changed = before && isServedAlike(before, after) ? before.changed : sequence;
  return after.changed === changed ? after : { ...after, changed };
}

export function tombstoneOf(
  kind: NamedKind,
  { set, id: thingId }: Pick<Tombstone, 'set' | 'id'>,
  changed: number,
): Tombstone {
  const { thing } = KIND_TRAITS[kind];
  return { set, id: `${thing}/${thingId}`, kind: thing, thingId, changed };
}

export function putTombstone(documents: WorkingSet, tombstone: Tombstone): void {
  documents.put('tombstones', tombstone);
}

function isServedAlike(a: Row, b: Row): boolean {
  if (!SERVED_ROW_FIELDS.every(field => a[field] === b[field])) return false;
  if (a.labels === b.labels) return true;
  const isAlike = (label: Row['labels'][number], index: number) =>
    label.id === b.labels[index]?.id && label.name === b.labels[index]?.name;
  return a.labels.length === b.labels.length && a.labels.every(isAlike);
}

function markAccount(documents: WorkingSet, { set, accountId }: Row, sequence: number): void {
  const account = documents.get('accounts', set, accountId);
  if (!account) return;
  const { document } = documents.edit('accounts', account, () => ({ ...account }));
  document.changed = sequence;
}
