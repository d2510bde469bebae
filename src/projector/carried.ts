// What the work on a partition carries from one chunk to the next, so that little is loaded again. Whoever else
// changes a stream changes its head, and the commit's compare-and-set on heads then refuses what was carried.
import type { Head } from '../../projections/documents.ts';
import { createWorkingSet, type WorkingSet } from '../../projections/working-set.ts';

/** Documents and heads that are kept beyond those of the chunk in hand: a bound on memory. */
const DOCUMENTS_MAX = 20_000;
const HEADS_MAX = 10_000;

export interface Carried {
  readonly documents: WorkingSet;
  readonly heads: ReadonlyMap<string, Head>;
  /** Resolves once nothing is being committed: what is stored is then what was folded. */
  quiet(): Promise<void>;
  /** The heads as they were loaded. */
  learn(heads: ReadonlyMap<string, Head>): void;
  /** Takes a folded chunk for what is stored, from when its commit begins. */
  keep(heads: ReadonlyMap<string, Head>): void;
  /** Forgets rows, of which most are not needed again; nothing may be being folded. */
  forgetRows(): void;
  /** Forgets everything. */
  forget(): void;
}

/** @param quiet waits for the commit of the chunk before, where chunks overlap */
export function createCarried(quiet: () => Promise<void> = async () => {}): Carried {
  let documents = createWorkingSet();
  let known = new Map<string, Head>();
  // A head never goes without its documents: a newer head over older documents would pass the compare-and-set.
  function forgetStream(subject: string): void {
    const set = known.get(subject)?.set ?? null;
    if (set !== null) documents.drop(set);
    known.delete(subject);
  }
  return {
    get documents() {
      return documents;
    },
    get heads() {
      return known;
    },
    quiet,
    learn(heads) {
      for (const [subject, head] of heads) known.set(subject, head);
    },
    keep(heads) {
      const count = documents.settled();
      for (const [subject, head] of heads) {
        known.set(subject, head);
        // Others work on what is held: operators, big changes, whoever drains its queue.
        if (head.held) forgetStream(subject);
      }
      if (count <= DOCUMENTS_MAX && known.size <= HEADS_MAX) return;
      for (const subject of known.keys()) if (!heads.has(subject)) forgetStream(subject);
    },
    forgetRows: () => documents.forgetRows(),
    forget() {
      documents = createWorkingSet();
      known = new Map();
    },
  };
}
