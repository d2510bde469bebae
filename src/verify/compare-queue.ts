// Compares why a stream is held, and its queue, with the log. The time of a drain decides which of several events that
// cannot be applied came first in the queue, so each of them may hold the stream.
import type { Head, Held } from '../../projections/documents.ts';
import type { Delivery } from '../projector/fold/delivery.ts';
import { BrokenDeliveryError, deliver, queueEntryId } from '../projector/fold/fold.ts';
import type { LogFold } from '../projector/fold/fold-streams.ts';
import type { Unfolded, UnfoldedDeliveries } from '../projector/fold/unfolded.ts';
import type { StoredQueueEntry } from '../store/collections.ts';
import { fieldsThatDiffer, pairsOf, type StreamDifference } from './difference.ts';

/** A stored stream, and its fold from the log up to the stored sequence. */
export interface Queued {
  readonly head: Head;
  readonly folded: Head;
  readonly rest: UnfoldedDeliveries;
  readonly queue: ReadonlyMap<string, StoredQueueEntry>;
  /** Whether a shadow set of the stream is being written. */
  readonly hasShadowSet: boolean;
}

/** Folds further events, so this is the last comparison of a stream. */
export function compareQueue(logFold: LogFold, queued: Queued): StreamDifference[] {
  const { head, rest, queue } = queued;
  const waiting = [...rest.entries].filter(([id, { mustWait }]) => mustWait || queue.has(id));
  const entries = waiting.map(([, unfolded]) => unfolded);
  const outcomes = possibleOutcomes(logFold, queued, entries);
  const isApplicable = outcomes[0] === 'applied';
  if (head.held === null && queue.size === 0 && isApplicable) return [behind(head, entries)];
  return [
    ...compareEntries(waiting, queue),
    ...compareHeld(queued, outcomes, entries.length),
    ...(rest.deletion === null || queued.folded.space || isBeginning(queued)
      ? []
      : [{ what: 'head deleted', expected: 'true', stored: String(head.deleted) }]),
  ];
}

// A deletion in place of the event that should create the budget is invalid.
function isBeginning({ folded, rest }: Queued): boolean {
  return !folded.budget && rest.deletion?.sequence === folded.sequence + 1;
}

function behind({ sequence }: Head, entries: readonly Unfolded[]): StreamDifference {
  const last = entries.reduce((most, { delivery }) => Math.max(most, delivery.sequence), sequence);
  return { what: 'head sequence', expected: `up to ${last}`, stored: String(sequence) };
}

function compareEntries(
  waiting: readonly (readonly [string, Unfolded])[],
  queue: ReadonlyMap<string, StoredQueueEntry>,
): StreamDifference[] {
  const expected = new Map(waiting.map(([id, { entry }]) => [id, entry]));
  return pairsOf(expected, queue).flatMap(({ either: { sequence, eventId }, should, is }) =>
    fieldsThatDiffer(`queue/${sequence}/${eventId}`, should, is),
  );
}

function compareHeld(
  { head, hasShadowSet }: Queued,
  outcomes: readonly Outcome[],
  queued: number,
): StreamDifference[] {
  const { held } = head;
  const [first = null] = outcomes;
  if (held?.why === 'change' && (hasShadowSet || first === 'applied')) {
    // A big change goes on by itself, so only the length of the queue can be compared.
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

function differences(expected: Held | null, stored: Held | null): StreamDifference[] {
  return fieldsThatDiffer('head held', expected, stored);
}

/** What a waiting delivery would lead to: a hold of the stream, or its application. */
type Outcome = Held | 'applied';

/** Returns the outcome of a drain now, followed by the other holds that may have begun earlier. */
function possibleOutcomes(
  logFold: LogFold,
  { folded, rest }: Queued,
  entries: readonly Unfolded[],
): Outcome[] {
  const { first } = rest;
  const inOrder = entries
    .map(({ delivery }) => delivery)
    .filter(({ sequence }) => sequence <= folded.sequence)
    .sort((a, b) => a.sequence - b.sequence || a.offset - b.offset);
  const outcomes: Outcome[] = [];
  for (const delivery of first ? [...inOrder, first] : inOrder) {
    const outcome = outcomeOf(logFold, folded, delivery);
    if (outcome === null) continue;
    // An event that cannot be applied holds the stream before a gap does.
    const isGap = outcome !== 'applied' && outcome.why === 'gap';
    if ((isGap || outcome === 'applied') && outcomes.length > 0) continue;
    outcomes.push(isGap ? { ...outcome, since: firstArrived(entries, folded) } : outcome);
  }
  return outcomes;
}

// A gap begins with the event that arrived first, whatever its sequence.
function firstArrived(entries: readonly Unfolded[], { sequence }: Head): string {
  const above = entries.filter(({ delivery }) => delivery.sequence > sequence);
  return above[0]?.delivery.time ?? '';
}

/** Returns null when the delivery is dropped. */
function outcomeOf({ fold, isSkipped }: LogFold, folded: Head, delivery: Delivery): Outcome | null {
  const broken = new Map<string, string>();
  const before: Head = { ...folded, held: null };
  try {
    for (;;) {
      fold.heads.set(folded.id, before);
      fold.queued.clear();
      try {
        deliver(fold, delivery, { isSkipped, stored: new Set(), broken, isQueue: true });
      } catch (error) {
        if (!(error instanceof BrokenDeliveryError)) throw error;
        broken.set(queueEntryId(delivery), String(error.cause));
        continue;
      }
      const after = fold.heads.get(folded.id) ?? before;
      if (after.held) return after.held;
      return after === before ? null : 'applied';
    }
  } finally {
    fold.heads.set(folded.id, folded);
    fold.queued.clear();
  }
}
