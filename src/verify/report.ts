// Counts the findings of a verification, and reports them at its end.
import type { Difference } from './difference.ts';
import type { PassResult } from './pass.ts';
import { heapOptionFor } from './source.ts';

/** The report names this many differences and this many damages of the log; further ones are only counted. */
export const NAMED_MAX = 100;

export interface VerifyReport {
  readonly streams: number;
  readonly documents: number;
  /** Why each stream was left out that does not fit into memory, in a sentence each. */
  readonly leftOut: readonly string[];
  /** Number of differences between the read model and the log. */
  readonly differences: number;
  /** The first differences. */
  readonly named: readonly Difference[];
  /** Number of losses of the log; no rebuild repairs them. */
  readonly damages: number;
  /** The first of them, in a sentence each. */
  readonly damage: readonly string[];
  /** The problem of the log's settings, while no record is lost yet; null without one. */
  readonly warning: string | null;
}

export interface Tally {
  compared(pass: Pick<PassResult, 'streams' | 'documents' | 'tooLarge'>): void;
  differ(differences: readonly Difference[]): void;
  damaged(sentence: string): void;
  report(warning: string | null): VerifyReport;
}

export function createTally(): Tally {
  const named: Difference[] = [];
  const damage = new Set<string>();
  const leftOut: string[] = [];
  let [streams, documents, differences, damages] = [0, 0, 0, 0];
  return {
    compared(pass) {
      streams += pass.streams.size;
      documents += pass.documents;
      for (const [id, events] of pass.tooLarge) leftOut.push(describeLeftOut(id, events));
    },
    differ(found) {
      differences += found.length;
      named.push(...found.slice(0, NAMED_MAX - named.length));
    },
    damaged(sentence) {
      if (damage.has(sentence)) return;
      damages += 1;
      if (damage.size < NAMED_MAX) damage.add(sentence);
    },
    report: warning => ({
      ...{ streams, documents, leftOut, differences, named, damages },
      damage: [...damage],
      warning,
    }),
  };
}

function describeLeftOut(id: string, events: number): string {
  return `${id} was not verified: its ${events} events need more memory than this process has (${heapOptionFor(events)})`;
}
