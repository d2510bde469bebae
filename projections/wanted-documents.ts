// Collects declared documents that are not in memory yet: keys of documents, and searches for rows. What a chunk loads
// follows in two steps: the rows say which sums they need, the things that they name on which pages those are.
import type { RowKeys } from './aggregates/aggregate.ts';
import { laterPagesOf, pageOf } from './aggregates/month-sums.ts';
import { type Cascade, finds, type RowField, rowAfter } from './cascades.ts';
import type { DocumentKind } from './document-kinds.ts';
import type { Row } from './documents.ts';
import {
  ALL_SUMS,
  declarePages,
  declareSums,
  fieldsOf,
  type ReadCollector,
  type RowWithSums,
  type Sums,
  sumsWith,
} from './reads.ts';
import { MARKS } from './row.ts';
import type { WorkingSet } from './working-set.ts';
import { keyOf } from './working-set-entries.ts';

interface Declared {
  /** The keys to load, by kind. */
  readonly keys: Map<DocumentKind, Set<string>>;
  /** The first declared year of each set. */
  readonly years: Map<string, string>;
  /** Searches for rows, one for each set and field. */
  readonly searches: Map<string, RowSearch>;
}

interface RowSearch {
  readonly set: string;
  readonly field: RowField;
  readonly ids: Set<string>;
}

export interface WantedDocuments extends Declared {
  /** Number of keys and years. */
  readonly size: number;
  /** Returns the collector that adds the documents of a set, if the working set does not have them, to the wanted ones. */
  in(set: string): ReadCollector;
  /**
   * Adds the sums of loaded rows that the events change, and those that rows come into by cascades. All events must be
   * declared by now, and the keys of rows still among the wanted ones.
   */
  addChanged(rows: readonly Row[]): void;
  /** Adds all sums of rows. */
  addSums(rows: readonly Row[]): void;
  /** Adds what loaded documents name: pages of sums, groups of categories. All other documents must be loaded by now. */
  addNamed(): void;
}

interface WantedRow extends RowWithSums {
  /** Number of the cascades before it. */
  readonly since: number;
}

/** The rows of a set as they are at some time in the chunk. */
interface WantedRows {
  readonly rows: WantedRow[];
  /** Those that change which sums include a row, in order. */
  readonly cascades: Cascade[];
  /** The fields that cascades change, also those that move no row. */
  readonly changed: Set<keyof Row>;
  /** A cascade changes all fields. */
  changesAll: boolean;
  /** The ids of rows to load of which events that name them change the marks alone. */
  readonly marked: Set<string>;
  /** The pages of things that the events make. */
  readonly made: Set<number>;
  /** Categories whose groups are wanted. */
  readonly grouped: Set<string>;
}

/** Returns a collection that wants nothing yet. Each set has one collector: a chunk declares the documents of many events. */
export function createWanted(documents: WorkingSet): WantedDocuments {
  const declared: Declared = { keys: new Map(), years: new Map(), searches: new Map() };
  const sets = new Map<string, WantedRows>();
  const collectors = new Map<string, ReadCollector>();
  const addRows = (rows: readonly Row[], sumsOf: (ofSet: WantedRows, row: Row) => Sums) => {
    for (const row of rows) {
      const collector = wanted.in(row.set);
      const ofSet = sets.get(row.set);
      if (ofSet) addStored(ofSet, { row, sums: sumsOf(ofSet, row) }, collector);
    }
  };
  const wanted: WantedDocuments = {
    ...declared,
    get size() {
      let size = declared.years.size;
      for (const ofKind of declared.keys.values()) size += ofKind.size;
      return size;
    },
    in(set) {
      let collector = collectors.get(set);
      if (!collector) {
        const ofSet: WantedRows = {
          ...{ rows: [], cascades: [], changed: new Set(), changesAll: false },
          ...{ marked: new Set(), made: new Set(), grouped: new Set() },
        };
        sets.set(set, ofSet);
        collector = collectorOf({ documents, set, declared, wanted: ofSet });
        collectors.set(set, collector);
      }
      return collector;
    },
    addChanged(rows) {
      const named = declared.keys.get('rows');
      const known = new Map<WantedRows, { readonly cascaded: Sums; readonly marked: Sums }>();
      addRows(rows, (ofSet, { set, id }) => {
        const isMarked = ofSet.marked.has(id);
        if (ofSet.changesAll || (!isMarked && named?.has(keyOf(set, id)))) return ALL_SUMS;
        const { changed } = ofSet;
        const sums = known.get(ofSet) ?? {
          cascaded: sumsWith(changed),
          marked: sumsWith(new Set([...changed, ...MARKS])),
        };
        known.set(ofSet, sums);
        return isMarked ? sums.marked : sums.cascaded;
      });
      for (const [set, ofSet] of sets) addMoved(ofSet, wanted.in(set));
    },
    addSums: rows => addRows(rows, () => ALL_SUMS),
    addNamed() {
      for (const [set, { rows, made, grouped }] of sets) {
        const collector = wanted.in(set);
        for (const wantedRow of rows) {
          if (!wantedRow.sums.havePages) continue;
          declarePages(wantedRow, laterPagesOf(documents, set, wantedRow.row), collector);
          declarePages(wantedRow, made, collector);
        }
        for (const id of grouped) {
          collector.document('groups', documents.get('categories', set, id)?.groupId);
        }
      }
    },
  };
  return wanted;
}

/** Adds a row as it was before the chunk, with its sums. */
function addStored(
  { rows }: WantedRows,
  stored: RowWithSums & { readonly row: Row },
  collector: ReadCollector,
): void {
  declareSums(stored, stored.row.entry, collector);
  const { row, sums } = stored;
  if (sums.all.length > 0) rows.push({ row, sums, since: 0 });
}

/** Adds the rows as they are after each cascade that finds them, with their sums. */
function addMoved({ rows, cascades }: WantedRows, collector: ReadCollector): void {
  if (cascades.length === 0) return;
  for (const { row: before, since, sums } of [...rows]) {
    let row: RowKeys | null = before;
    for (let index = since; row && index < cascades.length; index += 1) {
      const cascade = cascades[index];
      if (!cascade || !finds(cascade, row)) continue;
      row = rowAfter(cascade, row);
      if (!row) break;
      // No cascade changes when a row was entered.
      declareSums({ row, sums }, null, collector);
      rows.push({ row, sums, since: cascades.length });
    }
  }
}

/** After any year. */
const LAST_YEAR = '~';

interface Collecting {
  readonly documents: WorkingSet;
  readonly set: string;
  readonly declared: Declared;
  readonly wanted: WantedRows;
}

function collectorOf({ documents, set, declared, wanted }: Collecting): ReadCollector {
  const { keys, years, searches } = declared;
  const { rows, cascades } = wanted;
  const collector: ReadCollector = {
    document(kind, id) {
      if (id === null || id === undefined) return;
      if (kind === 'years') {
        if (id < (years.get(set) ?? LAST_YEAR)) years.set(set, id);
        return;
      }
      if (documents.isProvided(kind, set, id)) {
        // The working set may have forgotten the sums of a row that it still contains.
        const row = kind === 'rows' ? documents.get('rows', set, id) : null;
        if (row) addStored(wanted, { row, sums: ALL_SUMS }, collector);
        return;
      }
      if (kind === 'rows') wanted.marked.delete(id);
      const ofKind = keys.get(kind);
      if (ofKind) ofKind.add(keyOf(set, id));
      else keys.set(kind, new Set([keyOf(set, id)]));
    },
    groupOf: categoryId => void wanted.grouped.add(categoryId),
    marked(id) {
      const isNamed = keys.get('rows')?.has(keyOf(set, id)) === true && !wanted.marked.has(id);
      collector.document('rows', id);
      if (!isNamed && !documents.isProvided('rows', set, id)) wanted.marked.add(id);
    },
    row(row, entry) {
      const wantedRow = { row, sums: ALL_SUMS, since: cascades.length };
      declareSums(wantedRow, entry, collector);
      rows.push(wantedRow);
    },
    cascade(cascade) {
      const fields = fieldsOf(cascade);
      if (fields === null) wanted.changesAll = true;
      else for (const field of fields) wanted.changed.add(field);
      const { by: field, id, to } = cascade;
      const name = `${set}/${field}`;
      const search = searches.get(name) ?? { set, field, ids: new Set() };
      searches.set(name, search);
      search.ids.add(id);
      if (to !== id) cascades.push(cascade);
    },
    made: entry => void wanted.made.add(pageOf(entry)),
  };
  return collector;
}
