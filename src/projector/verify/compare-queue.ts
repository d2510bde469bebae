// Whether a stream is held as it should be, and its queue is what the log says. Which of two events that cannot be
// applied came first in a queue depends on when it was drained, so each of them may be what holds the stream.
import type { Head, Held } from '../../../projections/documents.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { StoredWaiting } from '../../read-store/collections.ts';
import type { Delivery } from '../fold/delivery.ts';
import { BrokenDeliveryError, deliver, type Fold, waitingId } from '../fold/fold.ts';
import { type Found, fieldsThatDiffer } from './difference.ts';
import type { Rest, Unfolded } from './unfolded.ts';

/** A stored stream and what the log gives of it, folded up to the stored sequence. */
export interface Queued {
  readonly head: Head;
  readonly folded: Head;
  readonly rest: Rest;
  readonly queue: ReadonlyMap<string, StoredWaiting>;
  /** Whether a document set of it is being written as a shadow set. */
  readonly hasShadowSet: boolean;
}

/** Folds on: whatever is to be compared with `fold` comes before. */
export function compareQueue(fold: Fold, queued: Queued, isSkipped: IsSkipped): Found[] {
  const { head, rest, queue } = queued;
  const waiting = [...rest.entries].filter(([id, { mustWait }]) => mustWait || queue.has(id));
  const entries = waiting.map(([, unfolded]) => unfolded);
  const outcomes = outcomesOf(fold, queued, entries, isSkipped);
  const goesOn = outcomes[0] === 'applied';
  if (head.held === null && queue.size === 0 && goesOn) return [behind(head, entries)];
  return [
    ...compareEntries(waiting, queue),
    ...compareHeld(queued, outcomes, entries.length),
    ...(rest.deletion === null || queued.folded.space || isBeginning(queued)
      ? []
      : [{ what: 'head deleted', expected: 'true', stored: String(head.deleted) }]),
  ];
}

// A deletion where a budget should begin is invalid.
function isBeginning({ folded, rest }: Queued): boolean {
  return !folded.budget && rest.deletion?.sequence === folded.sequence + 1;
}

function behind({ sequence }: Head, entries: readonly Unfolded[]): Found {
  const last = entries.reduce((most, { delivery }) => Math.max(most, delivery.sequence), sequence);
  return { what: 'head sequence', expected: `up to ${last}`, stored: String(sequence) };
}

function compareEntries(
  waiting: readonly (readonly [string, Unfolded])[],
  queue: ReadonlyMap<string, StoredWaiting>,
): Found[] {
  const found: Found[] = [];
  const expected = new Set<string>();
  for (const [id, { entry }] of waiting) {
    expected.add(id);
    const stored = queue.get(id);
    if (stored) found.push(...fieldsThatDiffer(nameOf(entry), entry, stored));
    else found.push({ what: nameOf(entry), expected: JSON.stringify(entry), stored: null });
  }
  for (const [id, entry] of queue) {
    if (expected.has(id)) continue;
    found.push({ what: nameOf(entry), expected: null, stored: JSON.stringify(entry) });
  }
  return found;
}

function nameOf({ sequence, eventId }: StoredWaiting): string {
  return `queue/${sequence}/${eventId}`;
}

function compareHeld(
  { head, hasShadowSet }: Queued,
  outcomes: readonly Outcome[],
  queued: number,
): Found[] {
  const { held } = head;
  const [first = null] = outcomes;
  if (held?.why === 'change' && (hasShadowSet || first === 'applied')) {
    // Whatever is big goes on by itself; how many wait for it is known.
    return fieldsThatDiffer('head held.queued', queued, held.queued);
  }
  if (first === 'applied') {
    return [{ what: 'head held', expected: null, stored: JSON.stringify(held) }];
  }
  const possible = outcomes.flatMap(outcome => (outcome === 'applied' ? [] : [outcome]));
  const expected = first && { ...first, queued };
  const agrees = possible.some(outcome => differences({ ...outcome, queued }, held).length === 0);
  return agrees ? [] : differences(expected, held);
}

function differences(expected: Held | null, stored: Held | null): Found[] {
  return fieldsThatDiffer('head held', expected, stored);
}

/** How the stream would be held by a delivery that waits, or that it would be applied. */
type Outcome = Held | 'applied';

/** First what a queue that is drained now comes to, then by what else the stream may be held since before. */
function outcomesOf(
  fold: Fold,
  { folded, rest }: Queued,
  entries: readonly Unfolded[],
  isSkipped: IsSkipped,
): Outcome[] {
  const { first } = rest;
  const inOrder = entries
    .map(({ delivery }) => delivery)
    .filter(({ sequence }) => sequence <= folded.sequence)
    .sort((a, b) => a.sequence - b.sequence || a.offset - b.offset);
  const outcomes: Outcome[] = [];
  for (const delivery of first ? [...inOrder, first] : inOrder) {
    const outcome = outcomeOf(fold, folded, delivery, isSkipped);
    if (outcome === null) continue;
    // A gap ends at the first event that cannot be applied.
    const isGap = outcome !== 'applied' && outcome.why === 'gap';
    if ((isGap || outcome === 'applied') && outcomes.length > 0) continue;
    outcomes.push(isGap ? { ...outcome, since: firstArrived(entries, folded) } : outcome);
  }
  return outcomes;
}

// The first event that waits for a gap is the one that arrived first, whatever its number.
function firstArrived(entries: readonly Unfolded[], { sequence }: Head): string {
  const above = entries.filter(({ delivery }) => delivery.sequence > sequence);
  return above[0]?.delivery.time ?? '';
}

/** Null: it is dropped. */
function outcomeOf(
  fold: Fold,
  folded: Head,
  delivery: Delivery,
  isSkipped: IsSkipped,
): Outcome | null {
  const broken = new Map<string, string>();
  const before: Head = { ...folded, held: null };
  try {
    for (;;) {
      fold.heads.set(folded.id, before);
      fold.waiting.clear();
      try {
        deliver(fold, delivery, { isSkipped, stored: new Set(), broken });
      } catch (error) {
        if (!(error instanceof BrokenDeliveryError)) throw error;
        broken.set(waitingId(delivery), String(error.cause));
        continue;
      }
      const after = fold.heads.get(folded.id) ?? before;
      if (after.held) return after.held;
      return after === before ? null : 'applied';
    }
  } finally {
    fold.heads.set(folded.id, folded);
    fold.waiting.clear();
  }
}
