// What a decision about a budget's event may look at: the budget, and its documents that are loaded.
import { type Invalid, invalid } from '../change.ts';
import type { BudgetFields, Row, SetDocuments } from '../documents.ts';
import type { WorkingSet } from '../working-set.ts';

export interface BudgetContext {
  readonly documents: WorkingSet;
  readonly set: string;
  readonly budget: BudgetFields;
}

type Named = 'accounts' | 'groups' | 'categories' | 'payees' | 'labels' | 'rows';

const NOUNS: Readonly<Record<Named, string>> = {
  accounts: 'account',
  groups: 'category group',
  categories: 'category',
  payees: 'payee',
  labels: 'label',
  rows: 'transaction',
};

export function find<C extends Named>(
  { documents, set }: BudgetContext,
  collection: C,
  id: string,
): SetDocuments[C] | null {
  return documents.get(collection, set, id);
}

export function unknown(collection: Named, id: string): Invalid {
  return invalid(`Unknown or deleted ${NOUNS[collection]} ${id}`);
}

export function madeTwice(collection: Named, id: string): Invalid {
  return invalid(`The ${NOUNS[collection]} ${id} is there already`);
}

/** The live rows that a cascade is about, in the order of their entry. */
export function rowsWhere({ documents, set }: BudgetContext, test: (row: Row) => boolean): Row[] {
  return documents
    .all('rows', set)
    .filter(test)
    .sort((a, b) => a.entry - b.entry);
}
