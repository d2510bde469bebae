// An aggregate: documents that are a fold over rows.
import type { Row } from '../documents.ts';
import type { EditableDocuments } from '../editable-documents.ts';

/** 1 adds a row, −1 subtracts it. */
export type Sign = 1 | -1;

/** The part of a row that an aggregate reads: the fields that it names, and those that never change. */
export type RowPart<F extends keyof Row> = Pick<Row, 'set' | 'id' | 'entry' | F>;

export interface Aggregate<D> {
  /** A row change that changes none of these fields is skipped. */
  readonly fields: readonly (keyof Row)[];
  readonly take: (documents: EditableDocuments<D>, row: Row, sign: Sign) => void;
}

/** Returns an aggregate of rows. `take` can read no field of a row that is missing in `fields`. */
export function overRows<D, F extends keyof Row>(
  fields: readonly F[],
  take: (documents: EditableDocuments<D>, row: RowPart<NoInfer<F>>, sign: Sign) => void,
): Aggregate<D> {
  return { fields, take };
}
