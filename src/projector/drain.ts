// Drains the queue of a held stream: in order, in bounded steps, each one transaction against the head.
import type { Head, Held } from '../../projections/documents.ts';
import { withoutMember } from '../../projections/events/space.ts';
import { readAside } from '../read-store/asides.ts';
import { readCheckpoint } from '../read-store/checkpoints.ts';
import { isTransient, NO_FOLD_WRITES } from '../read-store/commit.ts';
import { loadHeads, StaleError } from '../read-store/heads.ts';
import { TooManyDocumentsError } from '../read-store/load-documents.ts';
import { createCarried } from './carried.ts';
import { createChunkSizes } from './chunk-sizes.ts';
import type { Delivery } from './delivery.ts';
import { deliveryOf } from './delivery.ts';
import { setIdOf, waitingId } from './fold.ts';
import { type BackOffContext, backOff } from './retry.ts';
import type { ProjectorStore } from './store.ts';
import { type WorkLimits, work, writesOf } from './work.ts';

/** Queue entries that one step takes, and their bytes. */
const STEP_EVENTS_MAX = 1000;
const STEP_BYTES_MAX = 6 * 1024 * 1024;

/** How often an operator's act is tried when others change the same stream: for some 20 seconds. */
export const OPERATOR_FAILURES_MAX = 9;

export interface DrainContext extends BackOffContext {
  readonly store: ProjectorStore;
  readonly limits: WorkLimits;
  /** After so many failures in a row the last one is thrown; absent: only an aborted signal ends the trying. */
  readonly failuresMax?: number;
}

/**
 * Applies what can be applied from the queue, in transactions sized as chunks of the log are. Returns the head after
 * it, or null where there is no such stream. A step that fails for reasons of infrastructure is tried again, in smaller
 * parts, until the signal aborts; an aborted signal also ends it between two steps.
 */
export async function drain(context: DrainContext, subject: string): Promise<Head | null> {
  const { signal, heartbeat, failuresMax = Number.POSITIVE_INFINITY } = context;
  const sizes = createChunkSizes(STEP_EVENTS_MAX);
  let mayHoldStrays = true;
  let tooMuch: string | null = null;
  for (let failures = 0; ; ) {
    let taken: readonly Waiting[] = [];
    try {
      if (tooMuch !== null) return await beginAside(context.store, subject, tooMuch);
      const size = sizes.next(failures);
      if (mayHoldStrays) taken = await strayWaiting(context.store, subject, size);
      mayHoldStrays = taken.length > 0;
      if (!mayHoldStrays) taken = await firstWaiting(context.store, subject, size);
      const step = await drainStep(context, subject, taken);
      mayHoldStrays ||= step.foundHome;
      sizes.applied(taken.length);
      failures = 0;
      if (!step.more || signal.aborted) return step.head;
    } catch (error) {
      if (error instanceof TooManyDocumentsError) {
        if (taken.length === 1) tooMuch = error.message;
        else sizes.tooMany(error.before);
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
  /** Whether it is known by now in which partition the stream lies, and was not before. */
  readonly foundHome: boolean;
}

function ended(head: Head | null): Step {
  return { head, more: false, foundHome: false };
}

async function drainStep(
  { store, limits }: DrainContext,
  subject: string,
  taken: readonly Waiting[],
): Promise<Step> {
  const loaded = (await loadHeads(store.collections.heads, [subject])).get(subject) ?? null;
  if (!loaded?.held) return ended(loaded);
  const { asides } = store.collections;
  // A big change of it is under way; whoever writes that set drains the queue afterwards.
  if (loaded.held.why === 'change' && (await readAside(asides, subject))) {
    return ended(loaded);
  }
  if (taken.length === 0) {
    // Held for a change that has been done, or given up, and nothing came meanwhile.
    const now: Head = { ...loaded, held: null };
    await store.session.commit({ ...NO_FOLD_WRITES, heads: [{ loaded, now }] });
    return ended(now);
  }
  const deliveries = taken.map(({ delivery }) => delivery);
  const worked = await work(store, deliveries, limits, createCarried(), head => ({
    ...head,
    held: null,
  }));
  const { fold } = worked;
  const after = fold.heads.get(subject);
  const before = worked.loaded.get(subject);
  if (!after || !before?.held) {
    throw new StaleError(`The queue of ${subject} was drained elsewhere`);
  }
  const done = taken.filter(({ delivery }) => !fold.waiting.has(waitingId(delivery)));
  const held = await stillHeld(store, after, before.held, before.held.queued - done.length);
  const now = await withoutRemoved(store, { ...after, held });
  if (done.length === 0 && JSON.stringify(held) === JSON.stringify(before.held)) {
    return ended(before);
  }
  fold.heads.set(subject, now);
  const ids = done.map(({ id }) => id);
  await store.session.commit({ ...writesOf(worked), waiting: [], done: ids });
  const foundHome = before.sequence === 0 && now.sequence > 0;
  return { head: now, more: held !== null && done.length > 0, foundHome };
}

// A removal took effect when it came. A step that adds the member again, before the removal's turn, must not undo that.
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

// The first event of the queue changes too much for a transaction. Whoever has the partition writes its set.
async function beginAside(
  store: ProjectorStore,
  subject: string,
  tooMuch: string,
): Promise<Head | null> {
  const [entry] = await firstWaiting(store, subject, 1);
  const first = entry?.delivery;
  const loaded = (await loadHeads(store.collections.heads, [subject])).get(subject);
  if (!first || !loaded?.held)
    throw new StaleError(`The queue of ${subject} was drained elsewhere`);
  const checkpoint = await readCheckpoint(store.collections.checkpoints, first.partition);
  const { since, queued } = loaded.held;
  const now: Head = { ...loaded, held: { since, why: 'change', reason: tooMuch, queued } };
  const { partition } = first;
  const owner = checkpoint?.owner ?? '';
  const aside = {
    subject,
    kind: 'event' as const,
    partition,
    owner,
    set: setIdOf(first),
    begun: false,
    cursor: null,
  };
  const writes = {
    ...NO_FOLD_WRITES,
    heads: [{ loaded, now }],
    asides: [{ ...aside, absolute: 0 }],
  };
  await store.session.commit(writes);
  return now;
}

/** An entry of a queue. */
export interface Waiting {
  readonly id: string;
  readonly delivery: Delivery;
}

/** The first entries of a queue in the order of their turns; those above a number, where one is given. */
export async function firstWaiting(
  { collections }: Pick<ProjectorStore, 'collections'>,
  subject: string,
  eventsMax: number,
  above = -1,
): Promise<Waiting[]> {
  return takeBounded(collections, { subject, sequence: { $gt: above } }, eventsMax);
}

/**
 * Entries that came in another partition before it was known in which one the stream lies. They leave the queue before
 * anything else does: what is held further on must not keep them.
 */
async function strayWaiting(
  { collections }: Pick<ProjectorStore, 'collections'>,
  subject: string,
  eventsMax: number,
): Promise<Waiting[]> {
  const head = await collections.heads.findOne({ _id: subject, sequence: { $gt: 0 } });
  if (!head?.held || head.deleted) return [];
  const elsewhere = { subject, partition: { $ne: head.partition } };
  return takeBounded(collections, elsewhere, eventsMax);
}

interface Which {
  readonly subject: string;
  readonly sequence?: { readonly $gt: number };
  readonly partition?: { readonly $ne: number };
}

async function takeBounded(
  { waiting }: ProjectorStore['collections'],
  which: Which,
  eventsMax: number,
): Promise<Waiting[]> {
  const entries = waiting.find(which).sort({ sequence: 1, offset: 1 }).limit(eventsMax);
  const first: Waiting[] = [];
  let bytes = 0;
  for await (const entry of entries) {
    bytes += entry.value.length;
    if (first.length > 0 && bytes > STEP_BYTES_MAX) break;
    first.push({ id: entry._id, delivery: deliveryOf({ ...entry, key: entry.subject }) });
  }
  return first;
}

// A step that went through leaves the stream held as it was, for the rest of its queue; otherwise it is held by
// what came up.
async function stillHeld(
  store: ProjectorStore,
  after: Head,
  before: Held,
  queued: number,
): Promise<Held | null> {
  if (queued === 0 || after.deleted) return null;
  if (after.held?.why !== 'gap') return { ...(after.held ?? before), queued };
  // The first event that waits for a gap is the one that arrived first, whatever its number.
  const first = await store.collections.waiting
    .find({ subject: after.id, sequence: { $gt: after.sequence } })
    .sort({ offset: 1 })
    .limit(1)
    .next();
  const since = first ? deliveryOf({ ...first, key: after.id }).time : after.held.since;
  return { ...after.held, since, queued };
}
