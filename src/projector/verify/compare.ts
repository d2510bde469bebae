// Holds one stored stream against what the log gives of it: its head, its documents, its queue.
import { DOCUMENT_KINDS } from '../../../projections/document-kinds.ts';
import type { Head, SpaceFields } from '../../../projections/documents.ts';
import { lawViolations } from '../../../projections/law.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import {
  asStored,
  type SetContents,
  type StoredStreams,
  storedOf,
} from '../../read-store/stored-streams.ts';
import { type Fold, newHead } from '../fold.ts';
import { compareQueue } from './compare-queue.ts';
import { type Found, fieldsThatDiffer } from './difference.ts';
import type { FoldedStream } from './fold-streams.ts';

const NO_ENTRIES = new Map<string, never>();
const NO_DOCUMENTS: SetContents = new Map();

/** Folds on, for what holds the stream: a stream is compared once. */
export function compareStream(
  stored: StoredStreams,
  head: Head,
  fold: Fold,
  folded: FoldedStream,
  isSkipped: IsSkipped,
): Found[] {
  if (!folded.isInLog) return [{ what: 'head', expected: null, stored: JSON.stringify(head) }];
  const { stuck } = folded;
  // What follows an event that the log cannot give differs as well; the one line tells it.
  if (stuck !== null) return [{ what: 'the log', expected: stuck, stored: null }];
  const queue = stored.queues.get(head.id) ?? NO_ENTRIES;
  const contents = stored.sets.get(head.set ?? '') ?? NO_DOCUMENTS;
  if (head.deleted) return [...compareDeleted(head, folded), ...traces(queue, contents)];
  const now = fold.heads.get(head.id) ?? newHead(head.id, head.partition);
  const hasAside = stored.asides.has(head.id);
  return [
    ...compareHead(head, now, folded),
    ...compareDocuments(head, now, contents, fold),
    ...lawOf(contents),
    ...compareQueue(fold, { head, folded: now, rest: folded.rest, queue, hasAside }, isSkipped),
  ];
}

// A deleted budget leaves only its id, its partition and its last sequence (events.md).
function compareDeleted(head: Head, { deletions }: FoldedStream): Found[] {
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

function traces(queue: ReadonlyMap<string, object>, contents: SetContents): Found[] {
  return [
    ...[...queue].map(([id, entry]) => ({
      what: `queue entry ${id}`,
      expected: null,
      stored: JSON.stringify(entry),
    })),
    ...[...contents].map(([key, document]) => extra(key, document)),
  ];
}

function compareHead(head: Head, now: Head, { perhapsRemoved }: FoldedStream): Found[] {
  const { held: _, set, space, ...facts } = head;
  const { held: __, set: foldedSet, space: foldedSpace, ...expected } = now;
  return [
    ...fieldsThatDiffer('head', expected, facts),
    ...fieldsThatDiffer('head space', without(foldedSpace, space, perhapsRemoved), space),
    // The names of sets are the store's own.
    ...fieldsThatDiffer('head set', foldedSet && 'a set', set && 'a set'),
  ];
}

function without(
  space: SpaceFields | null,
  stored: SpaceFields | null,
  perhapsRemoved: ReadonlySet<string>,
): SpaceFields | null {
  if (!space || perhapsRemoved.size === 0 || !Array.isArray(stored?.members)) return space;
  const place = (member: string) => stored.members.indexOf(member);
  const members = space.members.filter(member => !perhapsRemoved.has(member) || place(member) >= 0);
  // Whoever was removed and added again stands last.
  return { ...space, members: members.sort((a, b) => place(a) - place(b)) };
}

function compareDocuments(head: Head, now: Head, contents: SetContents, fold: Fold): Found[] {
  const { set } = head;
  if (set === null) return [];
  const found: Found[] = [];
  const expected = new Set<string>();
  for (const kind of DOCUMENT_KINDS) {
    for (const document of now.set === null ? [] : fold.documents.all(kind, now.set)) {
      const key = `${kind} ${set}/${document.id}`;
      expected.add(key);
      const should = asStored(kind, set, document);
      const is = contents.get(key) ?? null;
      found.push(...fieldsThatDiffer(`${kind}/${document.id}`, should, is));
    }
  }
  for (const [key, document] of contents) {
    if (!expected.has(key)) found.push(extra(key, document));
  }
  return found;
}

function extra(key: string, document: object): Found {
  const id = key.slice(key.indexOf('/') + 1);
  const what = `${key.slice(0, key.indexOf(' '))}/${id}`;
  return { what, expected: null, stored: JSON.stringify(document) };
}

function lawOf(contents: SetContents): Found[] {
  return violationsOf(contents).map(what => ({ what, expected: null, stored: null }));
}

function violationsOf(contents: SetContents): string[] {
  try {
    return lawViolations({
      accounts: storedOf(contents, 'accounts'),
      categories: storedOf(contents, 'categories'),
      categoryMonths: storedOf(contents, 'categoryMonths'),
      years: storedOf(contents, 'years'),
    });
  } catch {
    // A document that has lost its shape differs from the folded one already.
    return [];
  }
}
