// Rebuilds the documents of one budget from the log: as a shadow set, while its stream is held, then swapped in.
import type { Head } from '../../../projections/documents.ts';
import type { EventLog } from '../../event-log/event-log.ts';
import { UserError } from '../../process/errors.ts';
import { createLogger } from '../../process/log.ts';
import { isTransient } from '../../store/database-errors.ts';
import { loadHead } from '../../store/heads.ts';
import { untilStored } from '../../store/retry.ts';
import { readShadowSet, type ShadowSet } from '../../store/shadow-sets.ts';
import { NO_WRITES } from '../../store/writing/commit.ts';
import { sweep } from '../../store/writing/sweep.ts';
import { insertsOf } from '../../store/writing/write-documents.ts';
import type { Fold } from '../fold/fold.ts';
import type { ChunkLimits } from '../fold/fold-deliveries.ts';
import { foldStreams } from '../fold/fold-streams.ts';
import { drain } from '../queue/drain.ts';
import type { ProjectorStore } from '../store.ts';
import {
  changedMeanwhile,
  discard,
  holdForRebuild,
  interruption,
  keepLease,
  type Rebuild,
} from './rebuild-hold.ts';

/** Documents that one transaction writes. */
const STEP_DOCUMENTS_MAX = 2000;

export interface RebuildOptions {
  readonly eventLog: EventLog;
  readonly limits: ChunkLimits;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Called once the stream is held. */
  readonly onHold?: () => void;
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
  { eventLog, limits, now, signal, onHold = () => {} }: RebuildOptions,
): Promise<Head | null> {
  const rebuild = await holdForRebuild(store, subject, now);
  const renewal = keepLease(store, rebuild.shadowSet);
  onHold();
  try {
    await replaceSet(store, rebuild, { eventLog, signal });
  } catch (error) {
    if (!signal.aborted || isTransient(error)) throw await interruption(store, rebuild, error);
    throw new UserError(`Stopped: budget ${subject} is as it was`, { cause: error });
  } finally {
    clearInterval(renewal);
    // Also after a failure, the queue goes on or is held for the reason that held it before.
    await untilStored(store.collections.heads.db, () => discard(store, rebuild.shadowSet));
    // Also after an abort: nobody else would drain the queue before the next claim.
    const never = new AbortController().signal;
    const logger = createLogger('silent');
    await drain({ store, limits, logger, signal: never, isCommand: true }, subject);
    await sweep(store.collections, signal);
  }
  return await loadHead(store.collections.heads, subject);
}

async function replaceSet(
  store: ProjectorStore,
  rebuild: Rebuild,
  { eventLog, signal }: Pick<RebuildOptions, 'eventLog' | 'signal'>,
): Promise<void> {
  const { head, shadowSet } = rebuild;
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
  const refuse = async (error: unknown) => {
    const why = await interruption(store, rebuild, error);
    if (why !== error) throw why;
  };
  const target = { foldedSet: folded.set, shadowSet };
  const last = await writeShadowParts(store, fold, { ...target, signal, refuse });
  const swap = async () => {
    // The queue may have grown.
    const loaded = await loadHead(collections.heads, head.id);
    // The commit may have succeeded although its result got lost.
    if (loaded?.set === shadowSet.set) return;
    if (!loaded || loaded.set !== head.set || loaded.sequence !== head.sequence) {
      throw new UserError(changedMeanwhile(head.id));
    }
    const { skipped: _, ...before } = loaded;
    const { eventId, budget, skipped } = folded;
    // The rebuild may obey decisions that were made after their events had been applied.
    const now = { ...before, eventId, set: shadowSet.set, budget, ...(skipped && { skipped }) };
    const heads = [{ loaded, now }];
    const step = { from: last, to: null };
    await session.commit({ ...NO_WRITES, heads, swept: [head.set], shadowStep: step });
  };
  await untilStored(collections.heads.db, swap, refuse);
}

interface ShadowParts {
  /** Id of the set in the fold. */
  readonly foldedSet: string;
  readonly shadowSet: ShadowSet;
  readonly signal: AbortSignal;
  /** Throws when the set is no longer that of this rebuild. */
  readonly refuse: (error: unknown) => Promise<void>;
}

/** Returns the shadow set as after its last step. */
async function writeShadowParts(
  { collections, session }: ProjectorStore,
  { documents }: Fold,
  { foldedSet, shadowSet, signal, refuse }: ShadowParts,
): Promise<ShadowSet> {
  let current = shadowSet;
  const sets = { set: foldedSet, into: shadowSet.set };
  for (const writes of insertsOf(documents, sets, STEP_DOCUMENTS_MAX)) {
    signal.throwIfAborted();
    const to = { ...current, cursor: String(Number(current.cursor ?? 0) + 1) };
    const step = { from: current, to };
    const store = async () => {
      const stored = await readShadowSet(collections.shadowSets, to.subject);
      // The commit may have succeeded although its result got lost.
      if (stored?.set === to.set && stored.cursor === to.cursor) return;
      await session.commit({ ...NO_WRITES, documents: writes, shadowStep: step });
    };
    await untilStored(collections.heads.db, store, refuse);
    current = to;
  }
  return current;
}
