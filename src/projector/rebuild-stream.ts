// Builds the documents of one budget anew from the log: written aside while its stream is held, then swapped in.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Head } from '../../projections/documents.ts';
import { UserError } from '../errors.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { createLog } from '../log.ts';
import { type Aside, readAside } from '../read-store/asides.ts';
import { isTransient, NO_FOLD_WRITES } from '../read-store/commit.ts';
import { loadHeads } from '../read-store/heads.ts';
import { sweep } from '../read-store/sweep.ts';
import { insertsOf } from '../read-store/write-documents.ts';
import { drain, OPERATOR_FAILURES_MAX } from './drain.ts';
import type { Fold } from './fold.ts';
import type { ProjectorStore } from './store.ts';
import { foldStreams } from './verify/fold-streams.ts';
import type { WorkLimits } from './work.ts';

const STEP_DOCUMENTS_MAX = 2000;
const OWNER_PREFIX = 'rebuild ';
/** Events that come meanwhile change the head between a look and a commit. */
const ATTEMPTS_MAX = 10;
const RETRY_MS = 50;

/**
 * Rebuilds a budget; answers its head afterwards. What is wrong with its stored documents is gone then, and what
 * holds its stream still does.
 *
 * @throws UserError when there is no such budget, or something else is under way with it
 */
export async function rebuildStream(
  store: ProjectorStore,
  log: EventLog,
  subject: string,
  limits: WorkLimits,
  now: Date,
  signal: AbortSignal,
): Promise<Head | null> {
  const held = await holdForRebuild(store, subject, now);
  try {
    await replaceSet(store, log, held, signal);
  } catch (error) {
    throw await interruption(store, held, error);
  } finally {
    // Whatever came of it: the queue goes on, or is held by what held it before.
    const left = await readAside(store.collections.asides, subject);
    if (left?.set === held.aside.set) {
      const step = { from: left, to: null };
      await store.session.commit({ ...NO_FOLD_WRITES, swept: [left.set], aside: step });
    }
    // Also when it was stopped: nobody else would drain the queue before the next claim.
    const never = new AbortController().signal;
    const patience = { signal: never, failuresMax: OPERATOR_FAILURES_MAX };
    await drain({ store, limits, logger: createLog('silent'), ...patience }, subject);
    await sweep(store.collections, signal);
  }
  return (await loadHeads(store.collections.heads, [subject])).get(subject) ?? null;
}

interface HeldForRebuild {
  readonly head: Head & { readonly set: string };
  readonly aside: Aside;
}

/** Two rebuilds of one budget: the one that came last has it. */
async function interruption(
  { collections }: ProjectorStore,
  { head, aside: { subject, owner } }: HeldForRebuild,
  error: unknown,
): Promise<unknown> {
  if (!isTransient(error)) return error;
  const current = await readAside(collections.asides, subject);
  if (current?.owner === owner) return error;
  const now = (await loadHeads(collections.heads, [subject])).get(subject);
  if (isOfRebuild(current) || now?.set !== head.set) return beingRebuilt(subject, error);
  const message = `The rebuild of budget ${subject} was interrupted, as a projector took its partition over; run it again`;
  return new UserError(message, { cause: error });
}

function isOfRebuild(aside: Aside | null): boolean {
  return aside?.owner.startsWith(OWNER_PREFIX) === true;
}

function beingRebuilt(subject: string, cause: unknown): UserError {
  const message = `Somebody else is rebuilding budget ${subject} right now; wait until that is done`;
  return new UserError(message, { cause });
}

async function holdForRebuild(
  store: ProjectorStore,
  subject: string,
  now: Date,
): Promise<HeldForRebuild> {
  const { asides } = store.collections;
  const found = await readAside(asides, subject);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await holdOnce(store, subject, now);
    } catch (error) {
      if (!isTransient(error)) throw error;
      const current = await readAside(asides, subject);
      if (isOfRebuild(current) && current?.owner !== found?.owner) {
        throw beingRebuilt(subject, error);
      }
      if (attempt === ATTEMPTS_MAX) throw error;
    }
    await sleep(RETRY_MS);
  }
}

async function holdOnce(
  store: ProjectorStore,
  subject: string,
  now: Date,
): Promise<HeldForRebuild> {
  const head = (await loadHeads(store.collections.heads, [subject])).get(subject);
  if (!head?.budget || head.set === null)
    throw new UserError(`Unknown or deleted budget ${subject}`);
  const before = await readAside(store.collections.asides, subject);
  if (before?.kind === 'event') {
    throw new UserError(`Budget ${subject} is held for a big change, which goes on by itself`);
  }
  const aside: Aside = {
    subject,
    kind: 'rebuild',
    partition: head.partition,
    owner: `${OWNER_PREFIX}${randomUUID()}`,
    set: `${head.set.split('.', 1)[0]}.${randomUUID().slice(0, 8)}`,
    begun: true,
    cursor: null,
    absolute: 0,
  };
  const held = {
    since: head.held?.since ?? now.toISOString(),
    why: 'change',
    reason: 'An operator has it rebuilt',
    queued: head.held?.queued ?? 0,
  } as const;
  const holding = { ...head, set: head.set, held };
  // What an earlier try left behind is swept.
  const taken = before
    ? { aside: { from: before, to: aside }, swept: [before.set] }
    : { asides: [aside] };
  const heads = [{ loaded: head, now: holding }];
  await store.session.commit({ ...NO_FOLD_WRITES, heads, ...taken });
  return { head: holding, aside };
}

async function replaceSet(
  store: ProjectorStore,
  log: EventLog,
  { head, aside }: HeldForRebuild,
  signal: AbortSignal,
): Promise<void> {
  const { collections, decisions, session } = store;
  const { start, end } = await log.bounds(head.partition);
  const range = { from: start, to: end };
  const isSkipped = await decisions.load();
  const { fold, streams } = await foldStreams(
    log,
    head.partition,
    range,
    [head],
    isSkipped,
    signal,
  );
  const folded = fold.heads.get(head.id);
  if (folded?.sequence !== head.sequence || !folded.set) {
    const reason =
      streams.get(head.id)?.stuck ?? `the log leads to sequence ${folded?.sequence ?? 0}`;
    throw new UserError(`Budget ${head.id} is at sequence ${head.sequence}, but ${reason}`);
  }
  const last = await writeAside(store, fold, folded.set, aside, signal);
  const swap = async () => {
    // Its queue may have grown.
    const loaded = (await loadHeads(collections.heads, [head.id])).get(head.id);
    // A commit may have taken place though its result never came.
    if (loaded?.set === aside.set) return;
    if (!loaded || loaded.set !== head.set || loaded.sequence !== head.sequence) {
      throw new UserError(`Budget ${head.id} was changed or deleted meanwhile; run it again`);
    }
    const now = { ...loaded, set: aside.set, budget: folded.budget };
    const heads = [{ loaded, now }];
    const step = { from: last, to: null };
    await session.commit({ ...NO_FOLD_WRITES, heads, swept: [head.set], aside: step });
  };
  await untilStored(swap);
  await sweep(collections, signal);
}

/** Tries again where another transaction came in between. */
async function untilStored(store: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store();
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    await sleep(RETRY_MS);
  }
}

async function writeAside(
  { session }: ProjectorStore,
  { documents }: Fold,
  folded: string,
  aside: Aside,
  signal: AbortSignal,
): Promise<Aside> {
  let current = aside;
  for (const writes of insertsOf(documents, folded, aside.set, STEP_DOCUMENTS_MAX)) {
    signal.throwIfAborted();
    const to = { ...current, cursor: String(Number(current.cursor ?? 0) + 1) };
    await session.commit({ ...NO_FOLD_WRITES, documents: writes, aside: { from: current, to } });
    current = to;
  }
  return current;
}
