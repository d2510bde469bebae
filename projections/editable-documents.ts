// Documents in memory, as an aggregate sees them: read, replaced, or changed in place.
import type { InSet } from './documents.ts';

/** The same document with fields that can be assigned. */
export type Editable<D> = { -readonly [F in keyof D]: D[F] };

/** A document that is changed in place. */
export interface Tracked<D> {
  readonly document: Editable<D>;
  /**
   * Records the value of a key in a record (`months`, `2024-05`) before it is changed. Only the first value of a key
   * counts.
   */
  was(record: string, key: string, value: unknown): void;
}

/** The values before the edits, by record and key. */
export type PreviousValues = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** `D` maps kinds to their documents: an aggregate names only the kinds that it works on. */
export interface EditableDocuments<D> {
  get<K extends keyof D>(kind: K, set: string, id: string): D[K] | null;
  put<K extends keyof D>(kind: K, document: D[K]): void;
  remove(kind: keyof D, set: string, id: string): void;
  /** Returns a document to change in place. `copy` runs once, at the first edit: a loaded document is never changed. */
  edit<K extends keyof D>(
    kind: K,
    key: InSet,
    copy: (document: D[K] | null, key: InSet) => D[K],
  ): Tracked<D[K]>;
}
