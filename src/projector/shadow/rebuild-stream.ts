// Rebuilds the documents of one budget from the log: as a shadow set, while its stream is held, then swapped in. The
// process holds the stream under a lease: if it is killed, the owner of the partition ends the rebuild.
import { randomUUID } from 'node:crypto';
import type { Head } from '../../../projections/documents.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { UserError } from '../../process/errors.ts';
import { createLog } from '../../process/log.ts';
import { delay } from '../../process/waiting.ts';
import { isTransient } from '../../store/database-errors.ts';
import { loadHead } from '../../store/heads.ts';
import {
  REBUILD_LEASE_MS,
  REBUILD_LEASE_RENEWAL_MS,
  readShadowSet,
  renewLease,
  type ShadowSet,
} from '../../store/shadow-sets.ts';
import { type FoldWrites, NO_WRITES } from '../../store/writing/commit.ts';
import { sweep } from '../../store/writing/sweep.ts';
import { insertsOf } from '../../store/writing/write-documents.ts';
import type { Fold } from '../fold/fold.ts';
import type { ChunkLimits } from '../fold/fold-deliveries.ts';
import { foldStreams } from '../fold/fold-streams.ts';
import { drain, OPERATOR_FAILURES_MAX } from '../queue/drain.ts';
import type { ProjectorStore } from '../store.ts';

/** Documents that one transaction writes. */
const STEP_DOCUMENTS_MAX = 2000;
const OWNER_PREFIX = 'rebuild ';
/** Attempts of a commit: an event that arrives between the read and the commit changes the head. */
const ATTEMPTS_MAX = 10;
const RETRY_MS = 50;

export interface RebuildOptions {
  readonly eventLog: EventLog;
  readonly limits: ChunkLimits;
  readonly now: Date;
  readonly signal: AbortSignal;
}

/**
 * Rebuilds a budget and returns its head afterwards. All stored documents are replaced; a stream that was held before
 * is held again.
 *
 * @throws UserError when there is no such budget, or it is being changed or rebuilt already
 */
export async function rebuildStream(
  store: ProjectorStore,
  subject: string,
  { eventLog, limits, now, signal }: RebuildOptions,
): Promise<Head | null> {
  const rebuild = await holdForRebuild(store, subject, now);
  const renewal = keepLease(store, rebuild.shadowSet);
  try {
    await replaceSet(store, rebuild, { eventLog, signal });
  } catch (error) {
    throw await interruption(store, rebuild, error);
  } finally {
    clearInterval(renewal);
    // Also after a failure, the queue goes on or is held for the reason that held it before.
    await untilStored(() => discard(store, rebuild.shadowSet));
    // Also after an abort: nobody else would drain the queue before the next claim.
    const never = new AbortController().signal;
    const retries = { signal: never, failuresMax: OPERATOR_FAILURES_MAX };
    await drain({ store, limits, logger: createLog('silent'), ...retries }, subject);
    await sweep(store.collections, signal);
  }
  return await loadHead(store.collections.heads, subject);
}

function keepLease({ collections }: ProjectorStore, shadowSet: ShadowSet): NodeJS.Timeout {
  // A renewal that fails is followed by others; a step under a lost lease fails too.
  const renew = () => void renewLease(collections.shadowSets, shadowSet).catch(() => {});
  return setInterval(renew, REBUILD_LEASE_RENEWAL_MS).unref();
}

/** Does nothing when the set is swapped in, or another rebuild has taken its place. */
async function discard({ collections, session }: ProjectorStore, given: ShadowSet): Promise<void> {
  const left = await readShadowSet(collections.shadowSets, given.subject);
  if (left?.set !== given.set) return;
  const step = { from: left, to: null };
  await session.commit({ ...NO_WRITES, swept: [left.set], shadowStep: step });
}

interface Rebuild {
  readonly head: Head & { readonly set: string };
  readonly shadowSet: ShadowSet;
}

/** Returns the error to report when a rebuild failed. Of two rebuilds of one budget the later one goes on. */
async function interruption(
  { collections }: ProjectorStore,
  { head, shadowSet: { subject, owner } }: Rebuild,
  error: unknown,
): Promise<unknown> {
  if (!isTransient(error)) return error;
  const current = await readShadowSet(collections.shadowSets, subject);
  if (current?.owner === owner) return error;
  const now = await loadHead(collections.heads, subject);
  if (isOfRebuild(current) || now?.set !== head.set) return beingRebuilt(subject, error);
  const message = `The rebuild of budget ${subject} was silent for ${REBUILD_LEASE_MS / 1000} s, so a projector has ended it; run it again`;
  return new UserError(message, { cause: error });
}

function isOfRebuild(shadowSet: ShadowSet | null): boolean {
  return shadowSet?.owner.startsWith(OWNER_PREFIX) === true;
}

function beingRebuilt(subject: string, cause: unknown): UserError {
  const message = `Somebody else is rebuilding budget ${subject} right now; wait until that is done`;
  return new UserError(message, { cause });
}

async function holdForRebuild(store: ProjectorStore, subject: string, now: Date): Promise<Rebuild> {
  const { shadowSets } = store.collections;
  const found = await readShadowSet(shadowSets, subject);
  const owner = `${OWNER_PREFIX}${randomUUID()}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await holdOnce(store, subject, { owner, now });
    } catch (error) {
      if (!isTransient(error)) throw error;
      const current = await readShadowSet(shadowSets, subject);
      const known = [owner, found?.owner];
      if (isOfRebuild(current) && !known.includes(current?.owner)) {
        throw beingRebuilt(subject, error);
      }
      if (attempt === ATTEMPTS_MAX) throw error;
    }
    await delay(RETRY_MS);
  }
}

interface Hold {
  readonly owner: string;
  readonly now: Date;
}

async function holdOnce(
  store: ProjectorStore,
  subject: string,
  { owner, now }: Hold,
): Promise<Rebuild> {
  const before = await readShadowSet(store.collections.shadowSets, subject);
  const head = await loadHead(store.collections.heads, subject);
  if (!head?.budget || head.set === null)
    throw new UserError(`Unknown or deleted budget ${subject}`);
  // The commit of an earlier attempt took place, but its answer got lost.
  if (before?.owner === owner) return { head: { ...head, set: head.set }, shadowSet: before };
  if (before?.kind === 'event') {
    throw new UserError(`Budget ${subject} is held for a big change, which goes on by itself`);
  }
  const shadowSet: ShadowSet = {
    subject,
    kind: 'rebuild',
    partition: head.partition,
    owner,
    set: `${head.set.split('.', 1)[0]}.${randomUUID().slice(0, 8)}`,
    begun: true,
    cursor: null,
    absolute: 0,
  };
  const held = {
    // Not that of an earlier rebuild: its last drain would take this hold for its own, and free the stream.
    since: now.toISOString(),
    why: 'change',
    reason: 'An operator has it rebuilt',
    queued: head.held?.queued ?? 0,
  } as const;
  const holding = { ...head, set: head.set, held };
  // The set of an earlier attempt is swept.
  const taken: Partial<FoldWrites> = before
    ? { shadowStep: { from: before, to: shadowSet }, swept: [before.set] }
    : { begunSets: [shadowSet] };
  const heads = [{ loaded: head, now: holding }];
  const also: FoldWrites['also'] = session =>
    renewLease(store.collections.shadowSets, shadowSet, session);
  await store.session.commit({ ...NO_WRITES, heads, ...taken, also });
  return { head: holding, shadowSet };
}

async function replaceSet(
  store: ProjectorStore,
  { head, shadowSet }: Rebuild,
  { eventLog, signal }: Pick<RebuildOptions, 'eventLog' | 'signal'>,
): Promise<void> {
  const { collections, decisions, session } = store;
  const { start, end } = await eventLog.bounds(head.partition);
  const range = { partition: head.partition, from: start, to: end };
  const isSkipped = await decisions.load();
  const { fold, streams } = await foldStreams(eventLog, range, {
    heads: [head],
    isSkipped,
    signal,
  });
  const folded = fold.heads.get(head.id);
  if (folded?.sequence !== head.sequence || !folded.set) {
    const reason =
      streams.get(head.id)?.stuck ?? `the log leads to sequence ${folded?.sequence ?? 0}`;
    throw new UserError(`Budget ${head.id} is at sequence ${head.sequence}, but ${reason}`);
  }
  const target = { foldedSet: folded.set, shadowSet };
  const last = await writeShadowParts(store, fold, { ...target, signal });
  const swap = async () => {
    // The queue may have grown.
    const loaded = await loadHead(collections.heads, head.id);
    // The commit may have succeeded although its result got lost.
    if (loaded?.set === shadowSet.set) return;
    if (!loaded || loaded.set !== head.set || loaded.sequence !== head.sequence) {
      throw new UserError(`Budget ${head.id} was changed or deleted meanwhile; run it again`);
    }
    const { skipped: _, ...before } = loaded;
    const { eventId, budget, skipped } = folded;
    // The rebuild may obey decisions that were made after their events had been applied.
    const now = { ...before, eventId, set: shadowSet.set, budget, ...(skipped && { skipped }) };
    const heads = [{ loaded, now }];
    const step = { from: last, to: null };
    await session.commit({ ...NO_WRITES, heads, swept: [head.set], shadowStep: step });
  };
  await untilStored(swap);
  await sweep(collections, signal);
}

/** Retries a commit that conflicts with another transaction. */
async function untilStored(commit: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await commit();
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS_MAX) throw error;
    }
    await delay(RETRY_MS);
  }
}

interface ShadowParts {
  /** Id of the set in the fold. */
  readonly foldedSet: string;
  readonly shadowSet: ShadowSet;
  readonly signal: AbortSignal;
}

/** Returns the shadow set as after its last step. */
async function writeShadowParts(
  { session }: ProjectorStore,
  { documents }: Fold,
  { foldedSet, shadowSet, signal }: ShadowParts,
): Promise<ShadowSet> {
  let current = shadowSet;
  const sets = { set: foldedSet, into: shadowSet.set };
  for (const writes of insertsOf(documents, sets, STEP_DOCUMENTS_MAX)) {
    signal.throwIfAborted();
    const to = { ...current, cursor: String(Number(current.cursor ?? 0) + 1) };
    const step = { from: current, to };
    await untilStored(() => session.commit({ ...NO_WRITES, documents: writes, shadowStep: step }));
    current = to;
  }
  return current;
}
