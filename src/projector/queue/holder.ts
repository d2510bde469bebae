// What holds a stream, and the decisions that end it. Pure.
import type { Head, Held } from '../../../projections/documents.ts';
import type { IsSkipped, NewDecision } from '../../access/decisions.ts';

/** An event that waits in the queue of a held stream. */
export type WaitingEvent = Pick<NewDecision, 'sequence' | 'eventId'>;

export type Holder =
  /** An event that cannot be applied. */
  | ({ readonly kind: 'event' } & WaitingEvent)
  /** Sequences that have not arrived; `next` is the first one that waits behind them. */
  | { readonly kind: 'missing'; readonly from: number; readonly next: number }
  /** Work that a process has begun, and that the owner of the partition ends if that process does not. */
  | { readonly kind: 'work'; readonly reason: string }
  /** Its queue can be applied. */
  | { readonly kind: 'nothing' };

/**
 * Returns what holds a stream.
 *
 * @param entry the queue entry that `wantedEntryOf` asks for, null if the queue has none
 */
export function holderOf(
  { sequence, held }: Pick<Head, 'sequence' | 'held'>,
  entry: WaitingEvent | null,
): Holder {
  if (held?.why === 'change') return { kind: 'work', reason: held.reason };
  // The event that parked the stream has left its queue: the next one is not to blame.
  if (!held || !entry) return { kind: 'nothing' };
  if (held.why === 'parked') {
    return { kind: 'event', sequence: entry.sequence, eventId: entry.eventId };
  }
  if (entry.sequence <= sequence + 1) return { kind: 'nothing' };
  return { kind: 'missing', from: sequence + 1, next: entry.sequence };
}

/** Which queue entry shows what holds a stream: one by its id, or the first one above a sequence. */
export type WantedEntry = { readonly id: string } | { readonly above: number };

export function wantedEntryOf({
  sequence,
  held,
}: Pick<Head, 'sequence' | 'held'>): WantedEntry | null {
  if (held?.why === 'gap') return { above: sequence };
  return held?.why === 'parked' && held.entry !== undefined ? { id: held.entry } : null;
}

/** Returns the decisions that drop an event, or give up missing sequences. */
export function decisionsOn(subject: string, holder: Holder): NewDecision[] {
  if (holder.kind === 'event') {
    return [{ subject, sequence: holder.sequence, eventId: holder.eventId }];
  }
  if (holder.kind !== 'missing') return [];
  return Array.from({ length: holder.next - holder.from }, (_, index) => {
    return { subject, sequence: holder.from + index, eventId: null };
  });
}

/**
 * Returns the hold of a stream once an operator has decided: its queue goes on even if the command is killed. It names
 * the decisions, so that each changes the head.
 */
export function decidedHold(
  { since, queued }: Pick<Held, 'since' | 'queued'>,
  decisions: readonly NewDecision[],
): Held {
  const sequences = decisions.map(({ sequence }) => sequence);
  const [from = 0, to = from] = [sequences[0], sequences.at(-1)];
  const what = from === to ? `sequence ${from}` : `sequences ${from} to ${to}`;
  return { since, why: 'change', reason: `An operator has decided on ${what}`, queued };
}

/** Returns a head as a decision leaves it. A fold that began before never fits it, not even once its queue is drained. */
export function decidedHead(head: Head, held: Held | null): Head {
  return { ...head, held, decided: (head.decided ?? 0) + 1 };
}

/** A decision about a stream, as its head in another generation meets it. */
export interface DecisionForOther {
  readonly decisions: readonly NewDecision[];
  readonly since: string;
  /** Whether a shadow set of the stream is being written there. */
  readonly isInWork: boolean;
  /** How far the stream had got where the decision was made, if readers get the other generation instead of that one. */
  readonly supersedes: number | null;
}

/** `applied`: it has applied what is to be given up, which readers would lose; `work`: it may be folding without the decision. */
export type EffectInOther =
  | { readonly kind: 'applied'; readonly sequence: number }
  | { readonly kind: 'work' }
  | { readonly kind: 'held'; readonly held: Held }
  | { readonly kind: 'unchanged' };

/**
 * Returns what a decision does to the same stream in another generation, because it counts in all of them. Its head
 * changes: a fold that began there without the decision fails, and obeys it when it is repeated.
 *
 * @param head null when that generation has not met the stream yet
 */
export function effectInOther(
  head: Pick<Head, 'sequence' | 'skipped' | 'held' | 'deleted'> | null,
  { decisions, since, isInWork, supersedes }: DecisionForOther,
): EffectInOther {
  const { sequence: applied = 0, skipped = [], held = null, deleted = false } = head ?? {};
  const isSkipped = (one: number) => skipped.some(([first, last]) => first <= one && one <= last);
  // A build may refuse what the active generation has applied; that one must not lose what the build before it refuses.
  const counts = ({ sequence, eventId }: NewDecision) =>
    eventId === null || (supersedes !== null && sequence > supersedes);
  const conflict = decisions.find(
    one => counts(one) && one.sequence <= applied && !isSkipped(one.sequence),
  );
  if (conflict) return { kind: 'applied', sequence: conflict.sequence };
  if (deleted) return { kind: 'unchanged' };
  if (isInWork) return { kind: 'work' };
  return { kind: 'held', held: decidedHold(held ?? { since, queued: 0 }, decisions) };
}

export type SkipStep = 'decide' | 'drain' | 'refuse';

/**
 * Returns the next step of a skip. It decides only on what held the stream when the command began; after a conflict
 * something else may hold it, or another attempt may have stored the decision.
 */
export function skipStep(subject: string, begun: Holder, found: FoundHolder): SkipStep {
  const decisions = decisionsOn(subject, begun);
  if (JSON.stringify(begun) === JSON.stringify(found.holder)) {
    return decisions.length === 0 ? 'drain' : 'decide';
  }
  const isDecided = decisions.every(({ sequence, eventId }) =>
    found.isSkipped(subject, sequence, eventId),
  );
  return decisions.length > 0 && isDecided ? 'drain' : 'refuse';
}

export interface FoundHolder {
  readonly holder: Holder;
  readonly isSkipped: IsSkipped;
}

export function describeHolder(holder: Holder): string {
  switch (holder.kind) {
    case 'event':
      return `event ${holder.eventId} (sequence ${holder.sequence})`;
    case 'missing':
      return `the missing sequence ${sequencesOf(holder)}`;
    case 'work':
      return `work under way (${holder.reason})`;
    case 'nothing':
      return 'nothing';
  }
}

export function sequencesOf({ from, next }: Holder & { readonly kind: 'missing' }): string {
  return from + 1 === next ? `${from}` : `${from} to ${next - 1}`;
}
