// Drains the queue of a held stream: in order, in bounded steps, each a transaction guarded by the head.
import type { Head, Held } from '../../../projections/documents.ts';
import { withoutMember } from '../../../projections/events/space.ts';
import { isTransient, StaleError } from '../../store/database-errors.ts';
import { isSameHead, loadHead } from '../../store/heads.ts';
import { endLockers } from '../../store/open-sessions.ts';
import { backOff, hasFailedLong, type RetryOptions, retried } from '../../store/retry.ts';
import { readShadowSet } from '../../store/shadow-sets.ts';
import { NO_WRITES } from '../../store/writing/commit.ts';
import { TooManyRowsError } from '../../store/writing/load-documents.ts';
import { createChunkSizes, cutSmaller, limitsAfter } from '../fold/chunk-sizes.ts';
import { deliveryOf } from '../fold/delivery.ts';
import { passMissing, queueEntryId, reconcileFold } from '../fold/fold.ts';
import { type ChunkLimits, foldDeliveries } from '../fold/fold-deliveries.ts';
import { newShadowSet, writesOf } from '../fold/fold-writes.ts';
import { admit } from '../fold/gate.ts';
import type { ProjectorStore } from '../store.ts';
import { firstArrived, firstEntries, nextEntries } from './entries.ts';
import { heldAfter } from './held-after.ts';
import type { QueueEntry } from './turns-of.ts';

/** Queue entries that one step takes. */
const STEP_EVENTS_MAX = 1000;

export interface DrainContext extends RetryOptions {
  readonly store: ProjectorStore;
  readonly limits: ChunkLimits;
  /** A command throws the last failure where it has failed for long; otherwise retries end only when the signal aborts. */
  readonly isCommand?: true;
  /** Leaves streams alone that are not held for work: those of operators, and gaps. */
  readonly workOnly?: true;
}

/**
 * Applies what can be applied from the queue, in transactions sized like chunks of the log. Returns the head
 * afterwards, or null for an unknown stream. A step that fails for reasons of infrastructure is retried in smaller
 * parts until the signal aborts; an aborted signal also ends it between two steps.
 */
export async function drain(context: DrainContext, subject: string): Promise<Head | null> {
  const { signal, heartbeat, isCommand = false } = context;
  const sizes = createChunkSizes(context.limits.stepMax ?? STEP_EVENTS_MAX);
  let bigChange: BigChange | null = null;
  let sinceMs = performance.now();
  for (let failures = 0; ; ) {
    let taken: readonly QueueEntry[] = [];
    let loaded: Head | null = null;
    try {
      if (bigChange !== null) return await beginShadowSet(context.store, bigChange);
      // The head comes before its queue: a change of the queue changes the head, and the commit would notice.
      loaded = await loadHead(context.store.collections.heads, subject);
      const size = sizes.next(failures);
      taken = loaded ? await entriesFor(context.store, loaded, size) : [];
      const limits = limitsAfter(failures, context.limits);
      const step = await drainStep({ ...context, limits }, loaded, taken);
      sizes.applied(taken.length);
      failures = 0;
      sinceMs = performance.now();
      if (!step.more || signal.aborted) return step.head;
    } catch (error) {
      if (error instanceof TooManyRowsError) {
        const tooMuch = cutSmaller(error, taken.length, sizes);
        const [first] = taken;
        if (tooMuch !== null && first && loaded) bigChange = { loaded, first, tooMuch };
      } else {
        if (!isTransient(error) || signal.aborted) throw error;
        if (isCommand && hasFailedLong({ failures: failures + 1, error, sinceMs })) throw error;
        await endLockers(context.store.collections.heads, { failures, error });
        await backOff(context, failures, error);
        failures += 1;
        // Another owner may have drained or changed the stream meanwhile.
        bigChange = null;
      }
    }
    await heartbeat?.();
  }
}

/** The decisions come after the head, which a later one changes. */
async function entriesFor(store: ProjectorStore, head: Head, eventsMax: number) {
  return await nextEntries(store, head, { isSkipped: await store.decisions.load(), eventsMax });
}

interface Step {
  readonly head: Head | null;
  readonly more: boolean;
}

function lastStep(head: Head | null): Step {
  return { head, more: false };
}

async function drainStep(
  { store, limits, workOnly }: DrainContext,
  loaded: Head | null,
  taken: readonly QueueEntry[],
): Promise<Step> {
  if (!loaded?.held || (workOnly && loaded.held.why !== 'change')) return lastStep(loaded);
  const { id: subject } = loaded;
  const { shadowSets } = store.collections;
  // A big change is under way; the writer of its shadow set drains the queue afterwards.
  if (loaded.held.why === 'change' && (await readShadowSet(shadowSets, subject))) {
    return lastStep(loaded);
  }
  if (taken.length === 0) {
    // The big change that held it is done or given up, and nothing came meanwhile.
    const [left] = await firstEntries(store, subject, { eventsMax: 1 });
    if (left) throw new StaleError(`The queue of ${subject} was changed by another process`);
    const now: Head = { ...loaded, held: null };
    await store.session.commit({ ...NO_WRITES, heads: [{ loaded, now }] });
    return lastStep(now);
  }
  const deliveries = taken.map(({ delivery }) => delivery);
  const open = (head: Head): Head => ({ ...head, held: null });
  const folded = await foldDeliveries(store, deliveries, { limits, open });
  const { fold } = folded;
  reconcileFold(fold);
  const after = fold.heads.get(subject);
  const before = folded.loaded.get(subject);
  // A rebuild may have begun since the check above.
  if (!after || !before?.held || !isSameHead(loaded, before)) {
    throw new StaleError(`The queue of ${subject} was changed by another process`);
  }
  const done = taken
    .slice(0, folded.taken)
    .filter(({ delivery }) => !fold.queued.has(queueEntryId(delivery)));
  const held = await stillHeld(store, after, {
    ...before.held,
    queued: before.held.queued - done.length,
  });
  if (done.length === 0 && JSON.stringify(held) === JSON.stringify(before.held)) {
    return lastStep(before);
  }
  const now = await withoutRemoved(store, { ...after, held });
  fold.heads.set(subject, now);
  const ids = done.map(({ id }) => id);
  await store.session.commit({ ...writesOf(folded), waiting: [], done: ids });
  return { head: now, more: held !== null && (done.length > 0 || now.sequence > before.sequence) };
}

/**
 * A removal took effect when it arrived, if its sequence was free; a step that adds the member before the removal's turn must
 * not undo that.
 */
async function withoutRemoved(
  { collections, decisions }: ProjectorStore,
  head: Head,
): Promise<Head> {
  let { space } = head;
  if (!head.held || space === null) return head;
  const ahead = collections.waiting.find({ subject: head.id, sequence: { $gt: head.sequence } });
  const isSkipped = await decisions.load();
  let last = head.sequence;
  for await (const entry of ahead.sort({ sequence: 1, offset: 1 })) {
    const { event, sequence, eventId } = deliveryOf({ ...entry, key: head.id });
    const counts = sequence > last && !isSkipped(head.id, sequence, eventId);
    last = sequence;
    if (counts && event?.type === 'space.member-removed')
      space = withoutMember(space, event.data.userId);
  }
  return { ...head, space };
}

/** The first event of a queue, which changes too much for a transaction, and the head at that time. */
interface BigChange {
  readonly loaded: Head;
  readonly first: QueueEntry;
  readonly tooMuch: string;
}

/** The owner of the partition adopts the shadow set, and writes it. */
async function beginShadowSet(
  store: ProjectorStore,
  { loaded, first: { delivery }, tooMuch }: BigChange,
): Promise<Head | null> {
  if (!loaded.held)
    throw new StaleError(`The queue of ${loaded.id} was changed by another process`);
  const { since, queued } = loaded.held;
  const held: Held = { since, why: 'change', reason: tooMuch, queued };
  const now: Head = { ...passMissing(loaded, delivery), held };
  const begunSets = [newShadowSet(loaded.id, delivery, '')];
  await store.session.commit({ ...NO_WRITES, heads: [{ loaded, now }], begunSets });
  return now;
}

/**
 * Returns why the stream is held after a step: by what the step met, or until the rest of its queue is applied.
 *
 * @param before with the length of the rest
 */
async function stillHeld(store: ProjectorStore, after: Head, before: Held): Promise<Held | null> {
  const { since, queued } = before;
  const isGap = after.held?.why === 'gap' && queued > 0;
  const first = isGap ? await firstArrived(store, after.id, after.sequence) : null;
  return heldAfter(after, { since, queued, firstArrived: first?.time ?? null });
}

/**
 * Drains the queue of a stream with a gap if its first event fills it. Called when an event joins the queue: most such
 * events do not fill the gap, and the queue may be long, so only its first entry is read.
 */
export async function drainGap(context: DrainContext, subject: string): Promise<void> {
  if (!(await retried(() => staysGap(context, subject), context))) await drain(context, subject);
}

/** Returns false when the queue may go on. */
async function staysGap({ store }: DrainContext, subject: string): Promise<boolean> {
  const head = await loadHead(store.collections.heads, subject);
  if (head?.held?.why !== 'gap') return true;
  const [first] = await firstEntries(store, subject, { eventsMax: 1 });
  if (!first) return false;
  const isSkipped = await store.decisions.load();
  const admission = admit({ ...head, held: null }, first.delivery, isSkipped);
  if (admission.kind !== 'wait' || admission.begins?.why !== 'gap') return false;
  // An event with a lower sequence than the others changes what is expected.
  const held = { ...head.held, reason: admission.begins.reason };
  const now: Head = { ...head, held };
  if (held.reason !== head.held.reason) {
    await store.session.commit({ ...NO_WRITES, heads: [{ loaded: head, now }] });
  }
  return true;
}
