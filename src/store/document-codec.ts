// Encodes documents for the store: adds `_id`, writes money as 64-bit integers, sorts keys. Decodes them again.
import type { Document, IndexDescription } from 'mongodb';
import type { InSet } from '../../projections/documents.ts';
import type { PreviousValues } from '../../projections/editable-documents.ts';
import { keyOf } from '../../projections/working-set-entries.ts';
import { money, sorted } from './stored-form.ts';

/** A document of any kind, as it is written. */
export interface StoredDocument extends Document {
  _id: string;
  set: string;
}

/** How the documents of one kind are stored. */
export interface DocumentStorage<D> {
  readonly indexes: readonly IndexDescription[];
  /** Indexes that only searches and readers need: a build gets them after the bulk of its documents. */
  readonly lateIndexes?: readonly IndexDescription[];
  readonly encode: (document: D) => StoredDocument;
  /** Returns the document as the projections know it. */
  readonly decode: (stored: Document) => D;
  /** Returns the update of a stored document, null without a change. `before` names the changed values. */
  readonly update: (now: D, before: PreviousValues) => Document | null;
}

type FieldWith<D, V> = {
  [F in keyof D]-?: [Extract<D[F], V>] extends [never] ? never : F;
}[keyof D];

/** Names every number as money or count. A document with nested fields does not fit. */
type NumberFields<D> = {
  readonly [F in FieldWith<D, number>]: D[F] extends number ? 'money' | 'number' : 'number';
} & { readonly [F in FieldWith<D, object>]: never };

/** Returns the storage of documents without nested fields; an update writes the whole document. */
export function flatDocuments<D extends InSet>(
  indexes: readonly IndexDescription[],
  numbers: NumberFields<D>,
): DocumentStorage<D> {
  const amounts = Object.entries<string>(numbers).flatMap(([field, form]) =>
    form === 'money' ? [field] : [],
  );
  const encode = (document: D) => {
    const stored: StoredDocument = { _id: keyOf(document.set, document.id), ...document };
    for (const field of amounts) stored[field] = money(stored[field]);
    return stored;
  };
  return { indexes, encode, decode: withoutId, update: encode };
}

/** The fields that keep a value for each month or day. */
type RecordField<D> = { [F in keyof D]: string extends keyof D[F] ? F : never }[keyof D];

type ValueOf<R> = R extends Readonly<Record<string, infer V>> ? V : never;

type Encoded<V> = string extends keyof V
  ? ReadonlyMap<string, unknown>
  : V extends object
    ? { readonly [F in keyof V]: unknown }
    : unknown;

/** How each value of a record is stored, by field. */
type Records<D> = {
  readonly [F in RecordField<D>]: (value: ValueOf<D[F]>) => Encoded<ValueOf<D[F]>>;
};

/** The other fields, which every update writes. */
type Rest<D> = { readonly [F in Exclude<keyof D, keyof InSet | RecordField<D>>]: unknown };

/** Returns the storage of documents with records; an update writes only the changed values. */
export function recordDocuments<D extends InSet>(
  indexes: readonly IndexDescription[],
  records: Records<D>,
  rest: (document: D) => Rest<D>,
): DocumentStorage<D> {
  const encoders = new Map(Object.entries<(value: never) => unknown>(records));
  return {
    indexes,
    encode(document) {
      const { set, id } = document;
      const stored: StoredDocument = { _id: keyOf(set, id), set, id, ...rest(document) };
      const values = recordsOf(document);
      for (const [field, encode] of encoders) stored[field] = sorted(values[field] ?? {}, encode);
      return stored;
    },
    decode: withoutId,
    update(now, before) {
      const set = new Map<string, unknown>(Object.entries(rest(now)));
      const unset = new Map<string, string>();
      const values = recordsOf(now);
      for (const [field, changed] of before) {
        const encode = encoders.get(field);
        for (const key of changed.keys()) {
          const path = `${field}.${key}`;
          const value = values[field]?.[key];
          if (value === undefined) unset.set(path, '');
          else set.set(path, encode?.(value));
        }
      }
      if (set.size + unset.size === 0) return null;
      return {
        ...(set.size > 0 ? { $set: set } : {}),
        ...(unset.size > 0 ? { $unset: unset } : {}),
      };
    },
  };
}

// The values have a different type in each field; only the field's encoder knows it.
function recordsOf(document: object) {
  return document as Readonly<Record<string, Readonly<Record<string, never>>>>;
}

function withoutId<D>({ _id, ...document }: Document): D {
  return document as D;
}
