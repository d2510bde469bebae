// Collects declared documents that are not in memory yet: keys of documents, and searches for rows.
import {
  monthSumsId,
  pageOf,
  pagesOf,
  type Things,
} from '../../../projections/aggregates/month-sums.ts';
import type { DocumentKind } from '../../../projections/document-kinds.ts';
import { declareRowReads, type ReadCollector, type RowField } from '../../../projections/reads.ts';
import { keyOf, type WorkingSet } from '../../../projections/working-set.ts';

interface Declared {
  /** The keys to load, by kind. */
  readonly keys: Map<DocumentKind, Set<string>>;
  /** The first declared year of each set. */
  readonly years: Map<string, string>;
  /** Searches for rows, one for each set and field. */
  readonly cascades: Map<string, Cascade>;
  /** The sums of months in each set: their pages are known when the things are loaded. */
  readonly sums: Map<string, WantedSums>;
}

interface WantedSums {
  readonly months: { readonly date: string; readonly things: Things }[];
  /** Things that may come into rows of all these months. */
  readonly replacements: Things[];
  /** The pages of things that the events make. */
  readonly made: Set<number>;
}

export interface WantedDocuments extends Declared {
  /** Number of keys and years. */
  readonly size: number;
  /** Returns the collector that adds the documents of a set, if the working set does not have them, to the wanted ones. */
  in(set: string): ReadCollector;
  /** Adds the pages with the declared sums of months. All declared things must be in the working set by now. */
  addPages(): void;
}

interface Cascade {
  readonly set: string;
  readonly field: RowField;
  readonly ids: Set<string>;
}

/** Returns a collection that wants nothing yet. Each set has one collector: a chunk declares the documents of many events. */
export function createWanted(documents: WorkingSet): WantedDocuments {
  const declared: Declared = {
    keys: new Map(),
    years: new Map(),
    cascades: new Map(),
    sums: new Map(),
  };
  const collectors = new Map<string, ReadCollector>();
  const wanted: WantedDocuments = {
    ...declared,
    get size() {
      let size = declared.years.size;
      for (const ofKind of declared.keys.values()) size += ofKind.size;
      return size;
    },
    in(set) {
      const collector = collectors.get(set) ?? collectorOf(documents, set, declared);
      collectors.set(set, collector);
      return collector;
    },
    addPages() {
      for (const [set, { months, replacements, made }] of declared.sums) {
        const given = replacements.flatMap(things => [...pagesOf(documents, set, things)]);
        for (const { date, things } of months) {
          for (const page of [...pagesOf(documents, set, things), ...given, ...made]) {
            wanted.in(set).document('monthSums', monthSumsId(date, page));
          }
        }
      }
    },
  };
  return wanted;
}

/** After any year. */
const LAST_YEAR = '~';

function collectorOf(
  documents: WorkingSet,
  set: string,
  { keys, years, cascades, sums }: Declared,
): ReadCollector {
  const ofSet = sums.get(set) ?? { months: [], replacements: [], made: new Set() };
  sums.set(set, ofSet);
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
        if (row) declareRowReads(row, collector);
        return;
      }
      const ofKind = keys.get(kind);
      if (ofKind) ofKind.add(keyOf(set, id));
      else keys.set(kind, new Set([keyOf(set, id)]));
    },
    rowsBy(field, id) {
      const name = `${set}/${field}`;
      const cascade = cascades.get(name) ?? { set, field, ids: new Set() };
      cascades.set(name, cascade);
      cascade.ids.add(id);
    },
    monthSums: (date, things) => void ofSet.months.push({ date, things }),
    replacements: things => void ofSet.replacements.push(things),
    made: entry => void ofSet.made.add(pageOf(entry)),
  };
  return collector;
}
