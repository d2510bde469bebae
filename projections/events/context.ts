// The context of a budget's event: the budget and its loaded documents, and what all events do with them.
import type { RowKeys } from '../aggregates/aggregate.ts';
import { type CascadeEvent, cascadesOf, finds, rowAfter } from '../cascades.ts';
import { type Change, type Invalid, invalid } from '../change.ts';
import { KIND_TRAITS, type NamedKind, type SetDocuments } from '../document-kinds.ts';
import type { BudgetFields, Row } from '../documents.ts';
import { normalizeText } from '../normalize-text.ts';
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

export function find<K extends NamedKind>(
  { documents, set }: BudgetContext,
  kind: K,
  id: string,
): SetDocuments[K] | null {
  return documents.get(kind, set, id);
}

export function unknown(kind: NamedKind, id: string): Invalid {
  return invalid(`Unknown or deleted ${nounOf(kind)} ${id}`);
}

export function madeTwice(kind: NamedKind, id: string): Invalid {
  return invalid(`The ${nounOf(kind)} ${id} is there already`);
}

/** A row is found by these, and its sums are kept by them: only its cascade replaces them. */
type Kept = Exclude<keyof RowKeys, 'labels'> | 'set' | 'id' | 'entry';
/** Other fields of a row. The labels have their names in them. */
type Rest = Partial<Omit<Row, Kept>> & { readonly [F in Kept]?: never };

/** Returns the changes of the rows that the cascades of an event find, in the order of their entry. */
export function changeRows(
  { documents, set }: BudgetContext,
  event: CascadeEvent,
  restOf: (moved: Row) => Rest,
): Change[] {
  const cascades = cascadesOf(event);
  const changes: { kind: 'row'; before: Row; after: Row | null }[] = [];
  for (const before of documents.all('rows', set)) {
    for (const cascade of cascades) {
      if (!finds(cascade, before)) continue;
      const moved = rowAfter(cascade, before);
      changes.push({ kind: 'row', before, after: moved && { ...moved, ...restOf(moved) } });
      break;
    }
  }
  return changes.sort((a, b) => a.before.entry - b.before.entry);
}

export function nameFields(name: string): { name: string; nameKey: string } {
  return { name, nameKey: normalizeText(name) };
}

function nounOf(kind: NamedKind): string {
  return KIND_TRAITS[kind].thing.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}
