// What operators do about held streams: list, retry, skip. Each change is one transaction guarded by the head.
import type { Head } from '../../projections/documents.ts';
import type { NewDecision } from '../access/decisions.ts';
import { UserError } from '../errors.ts';
import { createLog } from '../log.ts';
import type { StoredWaiting } from '../read-store/collections.ts';
import { NO_WRITES } from '../read-store/commit.ts';
import { HELD_STREAMS, headOf, loadHead } from '../read-store/heads.ts';
import { retried } from '../read-store/retry.ts';
import type { ChunkLimits } from './partition/fold-deliveries.ts';
import { drain, OPERATOR_FAILURES_MAX } from './queue/drain.ts';
import { firstEntries } from './queue/entries.ts';
import type { ProjectorStore } from './store.ts';

/** Missing sequences that one skip may give up; a larger gap is refused. */
const MISSING_MAX = 1000;
/** A decision is retried this long when others change the same stream, then it fails. */
const RETRY_MS_MAX = 20_000;

/** Returns all held streams, ordered by id. */
export async function listHeld({ collections }: ProjectorStore): Promise<Head[]> {
  const held = await collections.heads.find(HELD_STREAMS).sort({ _id: 1 }).toArray();
  return held.map(headOf);
}

/**
 * Retries the queue of a held stream in order, and returns the head afterwards.
 *
 * @throws UserError when the stream is not held
 */
export async function retryHeld(
  store: ProjectorStore,
  subject: string,
  limits: ChunkLimits,
): Promise<Head> {
  await heldHead(store, subject);
  return drainQueue(store, subject, limits);
}

export interface SkipOptions {
  /** Gives up the missing sequences instead: events that arrive with them later are dropped as duplicates. */
  readonly missing: boolean;
  readonly limits: ChunkLimits;
  readonly now: Date;
}

/**
 * Skips the event that holds a stream and drains its queue; returns the head afterwards. The decision is stored, so
 * that every rebuild obeys it.
 *
 * @throws UserError when the stream is not held, or `missing` does not fit why it is held
 */
export async function skipHeld(
  store: ProjectorStore,
  subject: string,
  { missing, limits, now }: SkipOptions,
): Promise<Head> {
  const decide = async () => {
    const head = await heldHead(store, subject);
    const decisions = await decisionsOf(store, head, missing);
    await storeDecisions(store, { head, decisions, now });
  };
  // After a conflict the decision is made again: the missing event may have arrived.
  await retried(decide, {
    logger: createLog('silent'),
    signal: AbortSignal.timeout(RETRY_MS_MAX),
  });
  return drainQueue(store, subject, limits);
}

async function decisionsOf(
  store: ProjectorStore,
  head: Head,
  missing: boolean,
): Promise<NewDecision[]> {
  const { id: subject, sequence, held } = head;
  const first = await holdingEntry(store, head);
  const absent = first ? first.sequence - sequence - 1 : 0;
  // The missing event has arrived and is valid: the queue only needs to be drained.
  if (!first || (held?.why === 'gap' && absent <= 0)) return [];
  if (absent > 0 !== missing) throw wrongSkip(head, first.sequence, missing);
  if (absent > MISSING_MAX) {
    throw new UserError(`Expected at most ${MISSING_MAX} missing numbers, found ${absent}`);
  }
  if (!missing) return [{ subject, sequence: first.sequence, eventId: first.eventId }];
  return Array.from({ length: absent }, (_, index) => {
    return { subject, sequence: sequence + 1 + index, eventId: null };
  });
}

interface DecidedStream {
  readonly head: Head;
  readonly decisions: readonly NewDecision[];
  readonly now: Date;
}

/**
 * Stores decisions about a stream, and fails when its head has changed. The commit changes the head too, so a fold
 * that began before it fails, and obeys the decisions when it is repeated: nothing is applied live that a rebuild
 * would skip.
 */
async function storeDecisions(
  { session, decisions: decisionLog }: ProjectorStore,
  { head, decisions, now }: DecidedStream,
): Promise<void> {
  if (decisions.length === 0 || !head.held) return;
  const held = { ...head.held, reason: `${head.held.reason}; an operator has decided` };
  await session.commit({
    ...NO_WRITES,
    heads: [{ loaded: head, now: { ...head, held } }],
    async also(transaction) {
      for (const decision of decisions) await decisionLog.remember(decision, now, transaction);
    },
  });
}

/** Returns the queue entry that holds a stream: the event that parked it, or the first one after the gap. */
async function holdingEntry(
  store: ProjectorStore,
  { id, sequence, held }: Head,
): Promise<Pick<StoredWaiting, 'sequence' | 'eventId'> | null> {
  const { waiting } = store.collections;
  const parked = held?.entry === undefined ? null : await waiting.findOne({ _id: held.entry });
  if (parked) return parked;
  const [first] = await firstEntries(store, id, {
    eventsMax: 1,
    above: held?.why === 'gap' ? sequence : -1,
  });
  return first?.delivery ?? null;
}

function wrongSkip({ id, sequence }: Head, first: number, missing: boolean): UserError {
  if (missing) return new UserError(`Stream ${id} misses no number: skip without --missing`);
  const numbers = sequence + 2 === first ? `${sequence + 1}` : `${sequence + 1} to ${first - 1}`;
  return new UserError(
    `Stream ${id} waits for sequence ${numbers}: append it, or give it up with --missing`,
  );
}

async function heldHead({ collections }: ProjectorStore, subject: string): Promise<Head> {
  const head = await loadHead(collections.heads, subject);
  if (!head) throw new UserError(`Unknown stream ${subject}`);
  if (!head.held) throw new UserError(`Stream ${subject} is not held`);
  if (head.held.why === 'change') {
    throw new UserError(`Stream ${subject} is held for a big change, which goes on by itself`);
  }
  return head;
}

// The projector, or another operator, may change the same stream: the drain then retries its step.
async function drainQueue(
  store: ProjectorStore,
  subject: string,
  limits: ChunkLimits,
): Promise<Head> {
  const logger = createLog('silent');
  const { signal } = new AbortController();
  const failuresMax = OPERATOR_FAILURES_MAX;
  const head = await drain({ store, limits, logger, signal, failuresMax }, subject);
  if (!head) throw new UserError(`Unknown stream ${subject}`);
  return head;
}
