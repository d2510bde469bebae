// Compares one stored stream with its fold from the log: its head, its documents, its queue.
import { DOCUMENT_KINDS } from '../../projections/document-kinds.ts';
import type { Head } from '../../projections/documents.ts';
import { lawViolations } from '../../projections/law.ts';
import { newHead } from '../../projections/new-head.ts';
import type { Fold } from '../projector/fold/fold.ts';
import type { FoldedStream, LogFold } from '../projector/fold/fold-streams.ts';
import { hasBegun } from '../projector/fold/home.ts';
import {
  asStored,
  type SetContents,
  type StoredStreams,
  storedDocumentOf,
  storedOf,
} from '../store/stored-streams.ts';
import { compareQueue } from './compare-queue.ts';
import { fieldsThatDiffer, type StreamDifference } from './difference.ts';

const NO_ENTRIES = new Map<string, never>();
const NO_DOCUMENTS: SetContents = new Map();

/** What streams are compared with. */
export interface Comparison extends LogFold {
  readonly stored: StoredStreams;
}

/** Folds further events to find out why the stream is held, so a stream can be compared only once. */
export function compareStream(
  comparison: Comparison,
  head: Head,
  folded: FoldedStream,
): StreamDifference[] {
  const { stored, fold } = comparison;
  if (!folded.isInLog) {
    // A decision makes a head where the stream has not come yet.
    return hasBegun(head) ? [{ what: 'head', expected: null, stored: JSON.stringify(head) }] : [];
  }
  const { stuck } = folded;
  // Everything after the event that cannot be folded differs as well; one difference stands for all.
  if (stuck !== null) return [{ what: 'the log', expected: stuck, stored: null }];
  const queue = stored.queues.get(head.id) ?? NO_ENTRIES;
  const contents = stored.sets.get(head.set ?? '') ?? NO_DOCUMENTS;
  if (head.deleted) return [...compareDeleted(head, folded), ...traces(queue, contents)];
  const now = fold.heads.get(head.id) ?? newHead(head.id, head.partition);
  const hasShadowSet = stored.shadowSets.has(head.id);
  return [
    ...compareHead(head, now),
    ...compareDocuments(fold, { head, now }, contents),
    ...lawOf(contents),
    ...compareQueue(comparison, { head, folded: now, rest: folded.rest, queue, hasShadowSet }),
  ];
}

// The head of a deleted budget keeps only its id, its partition and its last sequence (rules/events.md#removals-and-deletions).
function compareDeleted(head: Head, { deletions }: FoldedStream): StreamDifference[] {
  const deleted = { ...newHead(head.id, head.partition), sequence: head.sequence, deleted: true };
  const differences = fieldsThatDiffer('head', deleted, head);
  if (deletions.size === 0) {
    return [{ what: 'head deleted', expected: 'false', stored: 'true' }, ...differences];
  }
  if (deletions.has(head.sequence)) return differences;
  const [expected] = deletions;
  return [
    ...differences,
    { what: 'head sequence', expected: String(expected), stored: JSON.stringify(head.sequence) },
  ];
}

function traces(queue: ReadonlyMap<string, object>, contents: SetContents): StreamDifference[] {
  return [
    ...[...queue].flatMap(([id, entry]) => fieldsThatDiffer(`queue entry ${id}`, null, entry)),
    ...[...contents].flatMap(([key, bytes]) => extra(key, bytes)),
  ];
}

function compareHead(head: Head, now: Head): StreamDifference[] {
  const { held: _, decided: __, set, ...facts } = head;
  const { held: ___, set: foldedSet, ...expected } = now;
  return [
    ...fieldsThatDiffer('head', expected, facts),
    // Ids of sets differ between the store and a fold.
    ...fieldsThatDiffer('head set', foldedSet && 'a set', set && 'a set'),
  ];
}

function compareDocuments(
  fold: Fold,
  { head, now }: { readonly head: Head; readonly now: Head },
  contents: SetContents,
): StreamDifference[] {
  const { set } = head;
  if (set === null) return [];
  const found: StreamDifference[] = [];
  const expected = new Set<string>();
  for (const kind of DOCUMENT_KINDS) {
    for (const document of now.set === null ? [] : fold.documents.all(kind, now.set)) {
      const key = `${kind} ${set}/${document.id}`;
      expected.add(key);
      const should = asStored(kind, set, document);
      const bytes = contents.get(key);
      const is = bytes ? storedDocumentOf(bytes) : null;
      found.push(...fieldsThatDiffer(`${kind}/${document.id}`, should, is));
    }
  }
  for (const [key, bytes] of contents) {
    if (!expected.has(key)) found.push(...extra(key, bytes));
  }
  return found;
}

function extra(key: string, bytes: Uint8Array): StreamDifference[] {
  const id = key.slice(key.indexOf('/') + 1);
  const what = `${key.slice(0, key.indexOf(' '))}/${id}`;
  return fieldsThatDiffer(what, null, storedDocumentOf(bytes));
}

function lawOf(contents: SetContents): StreamDifference[] {
  try {
    const violations = lawViolations({
      accounts: storedOf(contents, 'accounts'),
      categories: storedOf(contents, 'categories'),
      categoryMonths: storedOf(contents, 'categoryMonths'),
      years: storedOf(contents, 'years'),
      monthSums: storedOf(contents, 'monthSums'),
    });
    return violations.map(what => ({ what, expected: null, stored: null }));
  } catch {
    // A malformed document differs from the folded one already.
    return [];
  }
}
