// Holds what is stored against what the log gives: every difference with both values.
import type { Head } from '../../../projections/documents.ts';
import { lawViolations } from '../../../projections/law.ts';
import { COLLECTIONS } from '../../../projections/working-set.ts';
import { asStored, type StoredStreams, storedOf } from '../../read-store/stored-streams.ts';
import { newHead } from '../fold.ts';
import type { FoldedStreams } from './fold-streams.ts';

export interface Difference {
  readonly stream: string;
  /** Where: `accounts/account-1 cleared`, or what in words. */
  readonly what: string;
  /** As JSON text; null for nothing there. */
  readonly expected: string | null;
  readonly stored: string | null;
}

/** A difference in a sentence. */
export function differenceText({ stream, what, expected, stored }: Difference): string {
  if (expected === null && stored === null) return `${stream}: ${what}`;
  return `${stream}: ${what}: expected ${expected ?? 'nothing'}, stored ${stored ?? 'nothing'}`;
}

/** The differences of the streams that were folded, and what their stored documents say against themselves. */
export function compareStreams(stored: StoredStreams, folded: FoldedStreams): Difference[] {
  return stored.heads
    .filter(head => !head.deleted)
    .flatMap(head => [
      ...compareHead(head, folded),
      ...compareDocuments(head, stored, folded),
      ...lawOf(head, stored),
    ]);
}

function compareHead(head: Head, { fold, stuck }: FoldedStreams): Difference[] {
  const folded = fold.heads.get(head.id) ?? newHead(head.id, head.partition);
  const reason = stuck.get(head.id);
  const refused = reason === undefined ? [] : [{ what: 'the log', expected: reason, stored: null }];
  // Names of sets and queues are the store's own; everything else follows from the log.
  const facts = ({ sequence, eventId, budget, space }: Head) => ({
    sequence,
    eventId,
    budget,
    space,
  });
  const differences = fieldsThatDiffer('head', facts(folded), facts(head));
  return [...refused, ...differences].map(found => ({ stream: head.id, ...found }));
}

function compareDocuments(
  head: Head,
  { documents }: StoredStreams,
  { fold }: FoldedStreams,
): Difference[] {
  const { id: stream, set } = head;
  const foldedSet = fold.heads.get(stream)?.set ?? null;
  if (set === null) return [];
  const found: Difference[] = [];
  const expected = new Set<string>();
  for (const name of COLLECTIONS) {
    for (const document of foldedSet === null ? [] : fold.documents.all(name, foldedSet)) {
      const key = `${name} ${set}/${document.id}`;
      expected.add(key);
      const differences = fieldsThatDiffer(
        `${name}/${document.id}`,
        asStored(name, set, document),
        documents.get(key) ?? null,
      );
      for (const difference of differences) found.push({ stream, ...difference });
    }
  }
  for (const [key, document] of documents) {
    if (document.set !== set || expected.has(key)) continue;
    const what = key.replace(` ${set}/`, '/');
    found.push({ stream, what, expected: null, stored: JSON.stringify(document) });
  }
  return found;
}

function lawOf(head: Head, stored: StoredStreams): Difference[] {
  const { set } = head;
  if (set === null) return [];
  const violations = lawViolations({
    accounts: storedOf(stored, 'accounts', set),
    categories: storedOf(stored, 'categories', set),
    categoryMonths: storedOf(stored, 'categoryMonths', set),
    years: storedOf(stored, 'years', set),
  });
  return violations.map(what => ({ stream: head.id, what, expected: null, stored: null }));
}

type Found = Omit<Difference, 'stream'>;

/** The deepest fields that differ, whatever the order of keys. */
function fieldsThatDiffer(path: string, expected: unknown, stored: unknown): Found[] {
  if (isRecord(expected) && isRecord(stored)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(stored)]);
    const separator = path.includes(' ') ? '.' : ' ';
    return [...names].flatMap(name =>
      fieldsThatDiffer(`${path}${separator}${name}`, expected[name], stored[name]),
    );
  }
  const [should, is] = [textOf(expected), textOf(stored)];
  return should === is ? [] : [{ what: path, expected: should, stored: is }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}
