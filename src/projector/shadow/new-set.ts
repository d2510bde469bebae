// The contents of a shadow set: first the documents that do not follow from rows, then rows with their sums. Pure.
import { NO_ROWS } from '../../../projections/aggregates/account-totals.ts';
import {
  changeCarry,
  changeCell,
  editCells,
} from '../../../projections/aggregates/category-cells.ts';
import { editMonth, editYear } from '../../../projections/aggregates/year-months.ts';
import { type Invalid, isInvalid } from '../../../projections/change.ts';
import { markedRow, putTombstone, tombstoneOf } from '../../../projections/changed.ts';
import {
  CATALOGUE_KINDS,
  type Catalogue,
  type CatalogueKind,
  type SetDocuments,
} from '../../../projections/document-kinds.ts';
import type {
  BudgetFields,
  CategoryMonths,
  Head,
  Row,
  Tombstone,
  Year,
} from '../../../projections/documents.ts';
import { evolveInBudget } from '../../../projections/events/budget.ts';
import { project } from '../../../projections/project.ts';
import { reconcile } from '../../../projections/reconcile.ts';
import { applyRowChange } from '../../../projections/row-change.ts';
import { createWorkingSet, type WorkingSet } from '../../../projections/working-set.ts';
import { keyOf } from '../../../projections/working-set-entries.ts';
import type { BudgetEvent } from '../../../schemas/generated/events.ts';

export interface BegunSet {
  readonly documents: WorkingSet;
  /** Sum of absolute amounts in the new set (the money guard), in hundredths. */
  readonly absolute: number;
}

/**
 * Returns the new set without rows (names, positions, assignments, holds, all as after the event), or why the event is
 * invalid.
 */
export function beginShadowSet(
  old: Head,
  event: BudgetEvent,
  { set, catalogue }: { readonly set: string; readonly catalogue: Catalogue },
): BegunSet | Invalid {
  const documents = createWorkingSet();
  documents.provideNothing(set);
  const copyAll = <K extends CatalogueKind>(kind: K) => {
    for (const document of catalogue[kind]) COPIES[kind](documents, set, document);
  };
  CATALOGUE_KINDS.forEach(copyAll);
  const head = project(documents, { ...old, set, held: null }, { event, newSet: set });
  if (isInvalid(head)) return head;
  reconcile(documents);
  return { documents, absolute: absoluteOf(documents, set) };
}

type Copy<D> = (documents: WorkingSet, set: string, old: D) => void;

/** How a document goes into a new set without what rows gave it. */
const COPIES: { readonly [K in CatalogueKind]: Copy<SetDocuments[K]> } = {
  accounts(documents, set, account) {
    documents.put('accounts', { ...account, ...NO_ROWS, set });
  },
  groups: copyOf('groups'),
  categories: copyOf('categories'),
  payees: copyOf('payees'),
  labels: copyOf('labels'),
  categoryMonths: copyAssignments,
  years: copyHolds,
};

function copyOf<K extends CatalogueKind>(kind: K): Copy<SetDocuments[K]> {
  return (documents, set, old) => documents.put(kind, { ...old, set });
}

function copyAssignments(
  documents: WorkingSet,
  set: string,
  { id, cells, carry }: CategoryMonths,
): void {
  const edit = () => editCells(documents, set, id);
  for (const [month, carriesOver] of Object.entries(carry)) {
    changeCarry(edit(), month, carriesOver);
  }
  for (const [month, { assigned }] of Object.entries(cells)) {
    if (assigned !== 0) changeCell(edit(), month, cell => ({ ...cell, assigned }));
  }
}

function copyHolds(documents: WorkingSet, set: string, { id, months }: Year): void {
  for (const [month, { held }] of Object.entries(months)) {
    if (held !== 0) editMonth(editYear(documents, set, id), month).held = held;
  }
}

function absoluteOf(documents: WorkingSet, set: string): number {
  const cells = documents.all('categoryMonths', set).flatMap(({ cells }) => Object.values(cells));
  const months = documents.all('years', set).flatMap(({ months }) => Object.values(months));
  const assigned = cells.reduce((sum, cell) => sum + Math.abs(cell.assigned), 0);
  return months.reduce((sum, month) => sum + month.held, assigned);
}

/** What the rows of the old set turn into. */
export interface RowsChange {
  readonly old: { readonly set: string; readonly budget: BudgetFields };
  readonly event: BudgetEvent;
  /** Id of the new set. */
  readonly set: string;
}

/** A part of the rows as after the event, in the new set. */
export interface RowsAfter {
  readonly rows: readonly Row[];
  /** Of rows that the event deleted. */
  readonly tombstones: readonly Tombstone[];
}

/**
 * Returns the rows as after the event, in the new set.
 *
 * @param documents holds the documents that the event reads, as declared; the rows are added
 */
export function rowsAfter(
  documents: WorkingSet,
  rows: readonly Row[],
  { old, event, set }: RowsChange,
): RowsAfter {
  for (const row of rows) documents.provide('rows', keyOf(old.set, row.id), row);
  const effect = evolveInBudget({ documents, ...old }, event);
  if (isInvalid(effect)) {
    throw new Error(`A big change turned out to be invalid: ${effect.invalid}`);
  }
  const changed = new Map<string, Row | null>();
  for (const change of effect) {
    if (change.kind !== 'row') continue;
    changed.set(change.before?.id ?? '', markedRow(change, event.sequence));
  }
  const after: Row[] = [];
  const tombstones: Tombstone[] = [];
  for (const row of rows) {
    const now = changed.has(row.id) ? changed.get(row.id) : row;
    if (now) after.push({ ...now, set });
    else tombstones.push(tombstoneOf('rows', { set, id: row.id }, event.sequence));
  }
  return { rows: after, tombstones };
}

/**
 * Adds rows to the new set and its sums; returns the sum of their absolute amounts (the money guard), in hundredths.
 * `changed` of their accounts stays: an event that changes so many rows changes names and ids in them, not the sums of
 * an account that stays.
 */
export function addRows(documents: WorkingSet, { rows, tombstones }: RowsAfter): number {
  for (const tombstone of tombstones) putTombstone(documents, tombstone);
  let absolute = 0;
  for (const row of rows) {
    documents.provide('rows', keyOf(row.set, row.id), null);
    applyRowChange(documents, { before: null, after: row });
    absolute += Math.abs(row.amount);
  }
  reconcile(documents);
  return absolute;
}
