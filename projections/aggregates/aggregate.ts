// An aggregate: documents that are a fold over rows. It says which document holds the sums of a row, so what events have to
// load follows (projections/reads.ts).
import type { Row } from '../documents.ts';
import type { EditableDocuments } from '../editable-documents.ts';

/** 1 adds a row, −1 subtracts it. */
export type Sign = 1 | -1;

/** The part of a row that an aggregate reads: the fields that it names, and those that never change. */
export type RowPart<F extends keyof Row> = Pick<Row, 'set' | 'id' | 'entry' | F>;

/**
 * What documents of sums may be kept by. Events say these fields of the rows that they write, and a cascade says how it
 * changes them (projections/cascades.ts), so they are known before the fold. No other field of a row is.
 */
export interface RowKeys
  extends Pick<Row, 'date' | 'accountId' | 'categoryId' | 'payeeId' | 'transferAccountId'> {
  readonly labels: readonly { readonly id: string }[];
}

/** Names the document that holds the sums of a row, in one of three ways. */
type DocumentOf<Keys> =
  /** By the row's keys; null where no document holds its sums. */
  | { readonly idOf: (row: Keys) => string | null }
  /** Also by pages: there is one for each thing that the row names, by when the thing was made. */
  | { readonly idOnPage: (row: Keys, page: number) => string }
  /** By the sequence of the event that entered the row. */
  | { readonly idOfEntry: (entry: number) => string };

export type Aggregate<K extends string, D> = DocumentOf<RowKeys> & {
  readonly kind: K;
  /** A row change that changes none of these fields is skipped. */
  readonly fields: readonly (keyof Row)[];
  readonly take: (documents: EditableDocuments<D>, row: Row, sign: Sign) => void;
};

/** Returns an aggregate of rows. It can read no field of a row that is missing in `fields`. */
export function overRows<K extends string, D, F extends keyof Row>(
  kind: K,
  fields: readonly F[],
  aggregate: DocumentOf<Pick<RowKeys, NoInfer<F> & keyof RowKeys>> & {
    readonly take: (documents: EditableDocuments<D>, row: RowPart<NoInfer<F>>, sign: Sign) => void;
  },
): Aggregate<K, D> {
  return { kind, fields, ...aggregate };
}
