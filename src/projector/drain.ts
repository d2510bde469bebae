// Drains the queue of a held stream: in order, in bounded steps, each one transaction against the head.
import type { Head, Held } from '../../projections/documents.ts';
import { readAside } from '../read-store/asides.ts';
import { readCheckpoint } from '../read-store/checkpoints.ts';
import { NOTHING } from '../read-store/commit.ts';
import { loadHeads, StaleError } from '../read-store/heads.ts';
import { TooManyDocumentsError } from '../read-store/load-documents.ts';
import { createCarried } from './carried.ts';
import type { Delivery } from './delivery.ts';
import { deliveryOf } from './delivery.ts';
import { setIdOf, waitingId } from './fold.ts';
import type { ProjectorStore } from './store.ts';
import { type WorkLimits, work, writesOf } from './work.ts';

/** Queue entries that one step takes. */
const STEP_EVENTS_MAX = 1000;

/** Applies what can be applied from the queue; answers the head after it, null where there is no such stream. */
export async function drain(
  store: ProjectorStore,
  subject: string,
  limits: WorkLimits,
): Promise<Head | null> {
  let eventsMax = STEP_EVENTS_MAX;
  for (;;) {
    try {
      const step = await drainStep(store, subject, eventsMax, limits);
      if (step !== 'more') return step;
    } catch (error) {
      if (!(error instanceof TooManyDocumentsError)) throw error;
      if (eventsMax === 1) return await beginAside(store, subject, error.message);
      eventsMax = Math.ceil(eventsMax / 2);
    }
  }
}

async function drainStep(
  store: ProjectorStore,
  subject: string,
  eventsMax: number,
  limits: WorkLimits,
): Promise<Head | null | 'more'> {
  const loaded = (await loadHeads(store.collections.heads, [subject])).get(subject) ?? null;
  if (!loaded?.held) return loaded;
  const { asides } = store.collections;
  // A big change of it is under way; whoever writes that set drains the queue afterwards.
  if (loaded.held.why === 'change' && (await readAside(asides, subject))) return loaded;
  const deliveries = await firstWaiting(store, subject, eventsMax);
  if (deliveries.length === 0) {
    // Held for a change that has been done, or given up, and nothing came meanwhile.
    const now: Head = { ...loaded, held: null };
    await store.session.commit({ ...NOTHING, heads: [{ loaded, now }] });
    return now;
  }
  const worked = await work(store, deliveries, limits, createCarried(), head => ({
    ...head,
    held: null,
  }));
  const { fold } = worked;
  const after = fold.heads.get(subject);
  const before = worked.loaded.get(subject);
  if (!after || !before?.held)
    throw new StaleError(`The queue of ${subject} was drained elsewhere`);
  const done = deliveries.filter(delivery => !fold.waiting.has(waitingId(delivery)));
  const held = await stillHeld(store, after, before.held, before.held.queued - done.length);
  const now: Head = { ...after, held };
  if (done.length === 0 && JSON.stringify(held) === JSON.stringify(before.held)) return before;
  fold.heads.set(subject, now);
  await store.session.commit({ ...writesOf(worked), waiting: [], done: done.map(waitingId) });
  return held && done.length > 0 ? 'more' : now;
}

// The first event of the queue changes too much for a transaction. Whoever has the partition writes its set.
async function beginAside(
  store: ProjectorStore,
  subject: string,
  tooMuch: string,
): Promise<Head | null> {
  const [first] = await firstWaiting(store, subject, 1);
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
  const writes = { ...NOTHING, heads: [{ loaded, now }], asides: [{ ...aside, absolute: 0 }] };
  await store.session.commit(writes);
  return now;
}

/** The first deliveries of a queue in the order of their turns; those above a number, where one is given. */
export async function firstWaiting(
  { collections }: Pick<ProjectorStore, 'collections'>,
  subject: string,
  eventsMax: number,
  above = -1,
): Promise<Delivery[]> {
  const entries = await collections.waiting
    .find({ subject, sequence: { $gt: above } })
    .sort({ sequence: 1, offset: 1 })
    .limit(eventsMax)
    .toArray();
  return entries.map(entry => deliveryOf({ ...entry, key: subject }));
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
