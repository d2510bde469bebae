// Folds deliveries in memory: heads, documents, queues. The same fold serves a chunk of the log, the queue of a
// held stream, a rebuild and verification.
import { type Invalid, invalid, isInvalid } from '../../../projections/change.ts';
import type { Head, Held } from '../../../projections/documents.ts';
import { deletedHead } from '../../../projections/events/budget.ts';
import { withoutMember } from '../../../projections/events/space.ts';
import { newHead } from '../../../projections/new-head.ts';
import { project } from '../../../projections/project.ts';
import { lastDateOf, reconcile } from '../../../projections/reconcile.ts';
import { withSkipped } from '../../../projections/skipped.ts';
import { createWorkingSet, type WorkingSet } from '../../../projections/working-set.ts';
import type { IsSkipped } from '../../access/decisions.ts';
import type { StoredQuarantined } from '../../store/collections.ts';
import { type Delivery, mayComeOutOfTurn, queuePrefix, storedQuarantined } from './delivery.ts';
import { admit } from './gate.ts';
import { belongsTo, hasBegun } from './home.ts';

export const NO_COUNTS = { applied: 0, duplicates: 0, dropped: 0, unknown: 0, queued: 0 };

export type FoldCounts = typeof NO_COUNTS;

export interface Fold {
  readonly documents: WorkingSet;
  /** Current heads, by stream. */
  readonly heads: Map<string, Head>;
  /** Deliveries that joined a queue, by `queueEntryId`. */
  readonly queued: Map<string, Delivery>;
  /** Records that belong to no stream. */
  readonly quarantined: StoredQuarantined[];
  /** Document sets that no head points to any more. */
  readonly swept: Set<string>;
  /** Streams whose stored queue is to be deleted. */
  readonly erased: Set<string>;
  readonly counts: FoldCounts;
}

export interface FoldContext {
  readonly isSkipped: IsSkipped;
  /** Ids (`queueEntryId`) of the deliveries that are stored in a queue already. */
  readonly stored: ReadonlySet<string>;
  /** Errors of deliveries that broke the projections in an earlier attempt, by `queueEntryId`. */
  readonly broken: ReadonlyMap<string, string>;
  /** Why the deliveries change too much for one transaction. Their stream is held while a shadow set is written. */
  readonly tooMuch?: string | null;
  /** The deliveries come from the queue of their stream, whose head says no longer that it has one. */
  readonly isQueue?: boolean;
}

/** A projection threw, and may have left half a change: fold again from scratch, with this delivery parked. */
export class BrokenDeliveryError extends Error {
  override readonly name = 'BrokenDeliveryError';
  readonly delivery: Delivery;

  constructor(delivery: Delivery, cause: unknown) {
    super(`Event ${delivery.eventId} of ${delivery.subject} broke the projections`, { cause });
    this.delivery = delivery;
  }
}

export function createFold(documents: WorkingSet = createWorkingSet()): Fold {
  return {
    documents,
    heads: new Map(),
    queued: new Map(),
    quarantined: [],
    swept: new Set(),
    erased: new Set(),
    counts: { ...NO_COUNTS },
  };
}

/** Returns the id of a queue entry: ordered by sequence, unique for each event. */
export function queueEntryId(delivery: Delivery): string {
  return `${queuePrefix(delivery)}${delivery.partition}/${delivery.eventId}`;
}

/** Returns the id of the document set that a delivery begins: unique in a generation, and the same in every run. */
export function setIdOf({ partition, offset }: Delivery): string {
  return `${partition}-${offset}`;
}

/** @throws BrokenDeliveryError when a projection throws; the fold is unusable then */
export function deliver(fold: Fold, delivery: Delivery, context: FoldContext): void {
  const { subject, partition } = delivery;
  const known = subject === null ? undefined : fold.heads.get(subject);
  const isBegun = known !== undefined && (context.isQueue === true || hasBegun(known));
  if (subject === null || !belongsTo(isBegun, delivery)) {
    fold.quarantined.push(storedQuarantined(delivery));
    return;
  }
  const head = known ?? newHead(subject, partition);
  const step = { fold, delivery, context };
  const admission = admit(head, delivery, context.isSkipped);
  switch (admission.kind) {
    case 'apply':
      if (!context.tooMuch) apply(step, passMissing(head, delivery));
      else hold(step, head, { why: 'change', reason: context.tooMuch });
      return;
    case 'pass':
      fold.counts[admission.because === 'unknown' ? 'unknown' : 'dropped'] += 1;
      fold.heads.set(subject, passed(step, head, admission.because));
      return;
    case 'drop':
      fold.counts[admission.because === 'duplicate' ? 'duplicates' : 'dropped'] += 1;
      return;
    case 'wait':
      if (!admission.begins) wait(step, head, null);
      else hold(step, head, admission.begins);
      return;
  }
}

/** Updates what follows from a whole document set (envelopes, years, last dates), once after the last delivery. */
export function reconcileFold({ documents, heads }: Fold): void {
  reconcile(documents);
  const changed = new Set(documents.changes('years').map(({ set }) => set));
  for (const [subject, head] of heads) {
    if (!head.budget || head.set === null || !changed.has(head.set)) continue;
    const lastDate = lastDateOf(documents, head.set);
    heads.set(subject, { ...head, budget: { ...head.budget, lastDate } });
  }
}

/** One delivery on its way into a fold. */
interface Step {
  readonly fold: Fold;
  readonly delivery: Delivery;
  readonly context: FoldContext;
}

function apply(step: Step, head: Head): void {
  const { fold } = step;
  const projected = tryToProject(step, head);
  if (isInvalid(projected)) {
    hold(step, head, { why: 'parked', reason: projected.invalid });
    return;
  }
  fold.counts.applied += 1;
  if (projected.deleted) erase(fold, head);
  fold.heads.set(head.id, projected);
}

/** Returns the head with a sequence that counts without effect. */
function passed({ delivery }: Step, head: Head, because: 'unknown' | 'decided'): Head {
  const { sequence, eventId } = delivery;
  const before = passMissing(head, delivery);
  const now = { ...before, sequence, eventId };
  if (because === 'unknown') return now;
  return { ...now, skipped: withSkipped(before.skipped, [sequence, sequence]) };
}

/** Holds a stream because of a delivery, which joins its queue. */
function hold(step: Step, head: Head, { why, reason }: Pick<Held, 'why' | 'reason'>): void {
  const { delivery } = step;
  const entry = why === 'parked' && { entry: queueEntryId(delivery) };
  const held = { since: delivery.time, why, reason, queued: 0, ...entry };
  const reached = why === 'gap' ? head : passMissing(head, delivery);
  wait(step, { ...reached, held }, reason);
}

/** Missing sequences that an operator gave up count as applied, even when the event after them holds the stream. */
export function passMissing(head: Head, { sequence }: Delivery): Head {
  if (sequence <= head.sequence + 1) return head;
  const skipped = withSkipped(head.skipped, [head.sequence + 1, sequence - 1]);
  return { ...head, sequence: sequence - 1, eventId: null, skipped };
}

function tryToProject({ fold, delivery, context }: Step, head: Head): Head | Invalid {
  // Hardly any fold has a broken delivery, so no id is made for each event.
  const thrown = context.broken.size > 0 ? context.broken.get(queueEntryId(delivery)) : undefined;
  if (thrown !== undefined) return invalid(`The projections failed: ${thrown}`);
  const { event } = delivery;
  if (!event) throw new Error('Only an event can be applied');
  try {
    return project(fold.documents, head, { event, newSet: setIdOf(delivery) });
  } catch (error) {
    throw new BrokenDeliveryError(delivery, error);
  }
}

function wait({ fold, delivery, context }: Step, head: Head, reason: string | null): void {
  const id = queueEntryId(delivery);
  if (fold.queued.has(id) || (context.stored.has(id) && !fold.erased.has(head.id))) {
    fold.counts.duplicates += 1;
    fold.heads.set(head.id, head);
    return;
  }
  fold.counts.queued += 1;
  fold.queued.set(id, delivery);
  const held = head.held && { ...head.held, queued: head.held.queued + 1 };
  fold.heads.set(head.id, { ...head, held });
  // An invalid event never has an effect, nor has one that an operator gave up while it was missing. One that came early,
  // or to a held stream, may have one at once.
  const onlyWaits = reason === null || head.held?.why === 'gap';
  const { subject, sequence, eventId } = delivery;
  if (!onlyWaits || sequence <= head.sequence) return;
  if (context.isSkipped(subject ?? '', sequence, eventId)) return;
  if (mayComeOutOfTurn(delivery) && !isTaken(fold, delivery, context))
    applyOutOfTurn(fold, delivery);
}

/**
 * Returns whether another event with the sequence of this one waits already. Then this one is a duplicate or a conflict at
 * its turn, whatever else of the queue is applied by then: the first event with a sequence stays.
 */
function isTaken({ queued }: Fold, delivery: Delivery, { stored }: FoldContext): boolean {
  const [own, prefix] = [queueEntryId(delivery), queuePrefix(delivery)];
  for (const ids of [queued.keys(), stored]) {
    for (const id of ids) if (id !== own && id.startsWith(prefix)) return true;
  }
  return false;
}

// A removal ends access and a deletion erases at once, even on a held stream (rules/events.md#removals-and-deletions).
function applyOutOfTurn(fold: Fold, { event, subject, sequence }: Delivery): void {
  const head = fold.heads.get(subject ?? '');
  if (!event || !head) return;
  if (event.type === 'space.member-removed' && head.space) {
    fold.heads.set(head.id, { ...head, space: withoutMember(head.space, event.data.userId) });
  }
  // A deletion in place of the event that should create the budget is invalid.
  const isFirst = head.held?.why === 'gap' && sequence === head.sequence + 1 && !head.budget;
  if (event.type === 'budget.deleted' && !head.space && !isFirst) {
    erase(fold, head);
    fold.heads.set(head.id, deletedHead({ ...head, sequence }));
  }
}

function erase(fold: Fold, head: Head): void {
  if (head.set !== null) {
    fold.documents.drop(head.set);
    fold.swept.add(head.set);
  }
  fold.erased.add(head.id);
  for (const [id, { subject }] of fold.queued) {
    if (subject === head.id) fold.queued.delete(id);
  }
}
