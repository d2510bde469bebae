// Drains the queue of a held stream: in order, in bounded steps, each a transaction guarded by the head.
import type { Head, Held } from '../../../projections/documents.ts';
import { withoutMember } from '../../../projections/events/space.ts';
import { readCheckpoint } from '../../read-store/checkpoints.ts';
import { NO_WRITES } from '../../read-store/commit.ts';
import { isTransient, StaleError } from '../../read-store/database-errors.ts';
import { isSameHead, loadHead } from '../../read-store/heads.ts';
import { TooManyDocumentsError } from '../../read-store/load-documents.ts';
import { backOff, type RetryOptions } from '../../read-store/retry.ts';
import { readShadowSet } from '../../read-store/shadow-sets.ts';
import { deliveryOf } from '../fold/delivery.ts';
import { reconcileFold, waitingId } from '../fold/fold.ts';
import { createChunkSizes, cutSmaller } from '../partition/chunk-sizes.ts';
import { type ChunkLimits, foldDeliveries, writesOf } from '../partition/fold-deliveries.ts';
import { newShadowSet } from '../shadow/begun-sets.ts';
import type { ProjectorStore } from '../store.ts';
import { firstEntries, type QueueEntry } from './entries.ts';

/** Queue entries that one step takes. */
const STEP_EVENTS_MAX = 1000;

/** Tries of an operator's command when others change the same stream: about 20 seconds. */
export const OPERATOR_FAILURES_MAX = 9;

export interface DrainContext extends RetryOptions {
  readonly store: ProjectorStore;
  readonly limits: ChunkLimits;
  /** After so many failures in a row the last one is thrown; absent: retries end only when the signal aborts. */
  readonly failuresMax?: number;
}

/**
 * Applies what can be applied from the queue, in transactions sized like chunks of the log. Returns the head
 * afterwards, or null for an unknown stream. A step that fails for reasons of infrastructure is retried in smaller
 * parts until the signal aborts; an aborted signal also ends it between two steps.
 */
export async function drain(context: DrainContext, subject: string): Promise<Head | null> {
  const { signal, heartbeat, failuresMax = Number.POSITIVE_INFINITY } = context;
  const sizes = createChunkSizes(STEP_EVENTS_MAX);
  let tooMuch: string | null = null;
  for (let failures = 0; ; ) {
    let taken: readonly QueueEntry[] = [];
    try {
      if (tooMuch !== null) return await beginShadowSet(context.store, subject, tooMuch);
      // The head comes before its queue: a change of the queue changes the head, and the commit would notice.
      const loaded = await loadHead(context.store.collections.heads, subject);
      const size = sizes.next(failures);
      taken = await firstEntries(context.store, subject, { eventsMax: size });
      const step = await drainStep(context, loaded, taken);
      sizes.applied(taken.length);
      failures = 0;
      if (!step.more || signal.aborted) return step.head;
    } catch (error) {
      if (error instanceof TooManyDocumentsError) {
        tooMuch = cutSmaller(error, taken.length, sizes);
      } else {
        if (!isTransient(error) || signal.aborted || failures === failuresMax) throw error;
        await backOff(context, failures, error);
        failures += 1;
        // Another owner may have drained or changed the stream meanwhile.
        tooMuch = null;
      }
    }
    await heartbeat?.();
  }
}

interface Step {
  readonly head: Head | null;
  readonly more: boolean;
}

function lastStep(head: Head | null): Step {
  return { head, more: false };
}

async function drainStep(
  { store, limits }: DrainContext,
  loaded: Head | null,
  taken: readonly QueueEntry[],
): Promise<Step> {
  if (!loaded?.held) return lastStep(loaded);
  const { id: subject } = loaded;
  const { shadowSets } = store.collections;
  // A big change is under way; the writer of its shadow set drains the queue afterwards.
  if (loaded.held.why === 'change' && (await readShadowSet(shadowSets, subject))) {
    return lastStep(loaded);
  }
  if (taken.length === 0) {
    // The big change that held it is done or given up, and nothing came meanwhile.
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
    throw new StaleError(`The queue of ${subject} was drained elsewhere`);
  }
  const done = taken.filter(({ delivery }) => !fold.waiting.has(waitingId(delivery)));
  const held = await stillHeld(store, after, {
    ...before.held,
    queued: before.held.queued - done.length,
  });
  const now = await withoutRemoved(store, { ...after, held });
  if (done.length === 0 && JSON.stringify(held) === JSON.stringify(before.held)) {
    return lastStep(before);
  }
  fold.heads.set(subject, now);
  const ids = done.map(({ id }) => id);
  await store.session.commit({ ...writesOf(folded), waiting: [], done: ids });
  return { head: now, more: held !== null && done.length > 0 };
}

/** A removal took effect when it arrived; a step that adds the member before the removal's turn must not undo that. */
async function withoutRemoved({ collections }: ProjectorStore, head: Head): Promise<Head> {
  let { space } = head;
  if (!head.held || space === null) return head;
  const ahead = collections.waiting.find({ subject: head.id, sequence: { $gt: head.sequence } });
  for await (const entry of ahead) {
    const { event } = deliveryOf({ ...entry, key: head.id });
    if (event?.type === 'space.member-removed') space = withoutMember(space, event.data.userId);
  }
  return { ...head, space };
}

/** The first event of the queue changes too much for a transaction: the owner of the partition writes a shadow set. */
async function beginShadowSet(
  store: ProjectorStore,
  subject: string,
  tooMuch: string,
): Promise<Head | null> {
  const loaded = await loadHead(store.collections.heads, subject);
  const [entry] = await firstEntries(store, subject, { eventsMax: 1 });
  const first = entry?.delivery;
  if (!first || !loaded?.held)
    throw new StaleError(`The queue of ${subject} was drained elsewhere`);
  const checkpoint = await readCheckpoint(store.collections.checkpoints, first.partition);
  const { since, queued } = loaded.held;
  const now: Head = { ...loaded, held: { since, why: 'change', reason: tooMuch, queued } };
  const begun = newShadowSet(subject, first, checkpoint?.owner ?? '');
  const heads = [{ loaded, now }];
  await store.session.commit({ ...NO_WRITES, heads, begunSets: [begun] });
  return now;
}

/**
 * Returns why the stream is held after a step: as before for the rest of its queue, or by what the step met.
 *
 * @param before with the length of the rest
 */
async function stillHeld(store: ProjectorStore, after: Head, before: Held): Promise<Held | null> {
  const { queued } = before;
  if (queued === 0 || after.deleted) return null;
  if (after.held?.why !== 'gap') return { ...(after.held ?? before), queued };
  // A gap is dated by the event that arrived first, whatever its sequence.
  const first = await store.collections.waiting
    .find({ subject: after.id, sequence: { $gt: after.sequence } })
    .sort({ offset: 1 })
    .limit(1)
    .next();
  const since = first ? deliveryOf({ ...first, key: after.id }).time : after.held.since;
  return { ...after.held, since, queued };
}
