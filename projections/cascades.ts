// Cascades: events that change rows which they do not name. Each says which rows, and what they name afterwards. The reads
// of the event and its row changes both follow from that, so neither can forget the other.
import type { BudgetEvent } from '../schemas/generated/events.ts';
import type { RowKeys } from './aggregates/aggregate.ts';

/** A field of the stored rows by which a cascade finds them. */
export type RowField = 'account' | 'category' | 'payee' | 'transfer' | 'labels';

/** Rows that name `id` name `to` afterwards: the same id where only its name changes, null for nothing. */
export interface Cascade {
  readonly by: RowField;
  readonly id: string;
  readonly to: string | null;
}

type CascadesByType = {
  readonly [T in BudgetEvent['type']]?: (
    data: Extract<BudgetEvent, { type: T }>['data'],
  ) => readonly Cascade[];
};

const CASCADES = {
  'account.renamed': ({ accountId: id }) => [{ by: 'account', id, to: id }],
  'account.deleted': ({ accountId: id }) => [
    { by: 'account', id, to: null },
    { by: 'transfer', id, to: null },
  ],
  'category.renamed': ({ categoryId: id }) => [{ by: 'category', id, to: id }],
  'category.deleted': ({ categoryId: id, replacementCategoryId: to = null }) => [
    { by: 'category', id, to },
  ],
  'payee.renamed': ({ payeeId: id }) => [{ by: 'payee', id, to: id }],
  'payee.merged': ({ payeeId: id, intoPayeeId: to }) => [{ by: 'payee', id, to }],
  'payee.deleted': ({ payeeId: id }) => [{ by: 'payee', id, to: null }],
  'label.renamed': ({ labelId: id }) => [{ by: 'labels', id, to: id }],
  'label.deleted': ({ labelId: id }) => [{ by: 'labels', id, to: null }],
} satisfies CascadesByType;

/** An event that changes rows which it does not name, so that the store has to find them. */
export type CascadeEvent = Extract<BudgetEvent, { type: keyof typeof CASCADES }>;

export function isCascade(event: BudgetEvent): event is CascadeEvent {
  return event.type in CASCADES;
}

export function cascadesOf(event: CascadeEvent): readonly Cascade[] {
  // Each function takes the data of its own type.
  return CASCADES[event.type](event.data as never);
}

/** Returns whether a cascade finds a row. */
export function finds({ by, id }: Pick<Cascade, 'by' | 'id'>, row: RowKeys): boolean {
  switch (by) {
    case 'account':
      return row.accountId === id;
    case 'category':
      return row.categoryId === id;
    case 'payee':
      return row.payeeId === id;
    case 'transfer':
      return row.transferAccountId === id;
    case 'labels':
      return row.labels.some(label => label.id === id);
  }
}

/** Returns a row that a cascade finds as it is afterwards; null where it is deleted with its account. */
export function rowAfter<R extends RowKeys>({ by, id, to }: Cascade, row: R): R | null {
  switch (by) {
    case 'account':
      return to === null ? null : { ...row, accountId: to };
    case 'category':
      return { ...row, categoryId: to };
    case 'payee':
      return { ...row, payeeId: to };
    case 'transfer':
      return { ...row, transferAccountId: to };
    case 'labels': {
      const others = row.labels.filter(label => label.id !== id);
      const named = row.labels.map(label => (label.id === id && to ? { ...label, id: to } : label));
      return { ...row, labels: to === null ? others : named };
    }
  }
}
