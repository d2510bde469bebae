// The context of a budget's event: the budget and its loaded documents, and look-ups in them.
import { type Invalid, invalid } from '../change.ts';
import type { KindMadeFrom, SetDocuments } from '../document-kinds.ts';
import type { BudgetFields, Row } from '../documents.ts';
import type { WorkingSet } from '../working-set.ts';

export interface BudgetContext {
  readonly documents: WorkingSet;
  readonly set: string;
  readonly budget: BudgetFields;
}

/** The next event of a stream. */
export interface NextEvent<E> {
  readonly event: E;
  /** Id of the document set that the event begins if it creates a budget. */
  readonly newSet: string;
}

/** The kinds whose documents events name by their ids. */
type NamedKind = KindMadeFrom<'events' | 'transactions'>;

const NOUNS: Readonly<Record<NamedKind, string>> = {
  accounts: 'account',
  groups: 'category group',
  categories: 'category',
  payees: 'payee',
  labels: 'label',
  rows: 'transaction',
};

export function find<K extends NamedKind>(
  { documents, set }: BudgetContext,
  kind: K,
  id: string,
): SetDocuments[K] | null {
  return documents.get(kind, set, id);
}

export function unknown(kind: NamedKind, id: string): Invalid {
  return invalid(`Unknown or deleted ${NOUNS[kind]} ${id}`);
}

export function madeTwice(kind: NamedKind, id: string): Invalid {
  return invalid(`The ${NOUNS[kind]} ${id} is there already`);
}

/** Returns the live rows that a cascade changes, in the order of their entry. */
export function rowsWhere({ documents, set }: BudgetContext, test: (row: Row) => boolean): Row[] {
  return documents
    .all('rows', set)
    .filter(test)
    .sort((a, b) => a.entry - b.entry);
}
