// What operators do about held streams: look, try again, skip. Each is a plain transaction against the head.
import type { Head } from '../../projections/documents.ts';
import type { NewDecision } from '../access/decisions.ts';
import { UserError } from '../errors.ts';
import { createLog } from '../log.ts';
import type { StoredWaiting } from '../read-store/collections.ts';
import { NO_FOLD_WRITES } from '../read-store/commit.ts';
import { HELD, headOf, loadHeads } from '../read-store/heads.ts';
import { drain, firstWaiting, OPERATOR_FAILURES_MAX } from './drain.ts';
import { retried } from './retry.ts';
import type { ProjectorStore } from './store.ts';
import type { WorkLimits } from './work.ts';

/** Numbers that one skip may give up. */
const MISSING_MAX = 1000;
/** How long a decision is tried again when others change the same stream. */
const RETRY_MS_MAX = 20_000;

/** All held streams, by id. */
export async function listHeld({ collections }: ProjectorStore): Promise<Head[]> {
  const held = await collections.heads.find(HELD).sort({ _id: 1 }).toArray();
  return held.map(headOf);
}

/**
 * Tries the queue of a held stream again, in order.
 *
 * @throws UserError when the stream is not held
 */
export async function retryHeld(
  store: ProjectorStore,
  subject: string,
  limits: WorkLimits,
): Promise<Head> {
  await heldHead(store, subject);
  return drained(store, subject, limits);
}

/**
 * Drops the event that holds a stream, remembers that, and goes on. Where numbers are missing, `missing` gives
 * them up: events that come with them later are duplicates.
 *
 * @throws UserError when the stream is not held, or the wrong way of skipping was asked for
 */
export async function skipHeld(
  store: ProjectorStore,
  subject: string,
  missing: boolean,
  limits: WorkLimits,
  now: Date,
): Promise<Head> {
  const decide = async () => {
    const head = await heldHead(store, subject);
    await remember(store, head, await decisionsOf(store, head, missing), now);
  };
  // Who was at the stream meanwhile may have brought the missing number.
  await retried(decide, createLog('silent'), AbortSignal.timeout(RETRY_MS_MAX));
  return drained(store, subject, limits);
}

async function decisionsOf(
  store: ProjectorStore,
  head: Head,
  missing: boolean,
): Promise<NewDecision[]> {
  const { id: subject, sequence, held } = head;
  const first = await holding(store, head);
  const absent = first ? first.sequence - sequence - 1 : 0;
  // The missing number has come, and nothing is wrong with it: the queue only waits to be drained.
  if (!first || (held?.why === 'gap' && absent <= 0)) return [];
  if (absent > 0 !== missing) throw wrongWay(head, first.sequence, missing);
  if (absent > MISSING_MAX) {
    throw new UserError(`Expected at most ${MISSING_MAX} missing numbers, found ${absent}`);
  }
  if (!missing) return [{ subject, sequence: first.sequence, eventId: first.eventId }];
  return Array.from({ length: absent }, (_, index) => {
    return { subject, sequence: sequence + 1 + index, eventId: null };
  });
}

/**
 * Remembers decisions about a stream as it is, or fails. The head changes with them, so whoever folds upon the head as
 * it was must fold again, and obeys them: nothing is applied live that a rebuild would skip.
 */
async function remember(
  { session, decisions }: ProjectorStore,
  head: Head,
  decided: readonly NewDecision[],
  now: Date,
): Promise<void> {
  if (decided.length === 0 || !head.held) return;
  const held = { ...head.held, reason: `${head.held.reason}; an operator has decided` };
  await session.commit({
    ...NO_FOLD_WRITES,
    heads: [{ loaded: head, now: { ...head, held } }],
    async also(transaction) {
      for (const decision of decided) await decisions.remember(decision, now, transaction);
    },
  });
}

/** The queue entry that holds a stream: what parked it, or what a number is missing before. */
async function holding(
  store: ProjectorStore,
  { id, sequence, held }: Head,
): Promise<Pick<StoredWaiting, 'sequence' | 'eventId'> | null> {
  const { waiting } = store.collections;
  const parked = held?.entry === undefined ? null : await waiting.findOne({ _id: held.entry });
  if (parked) return parked;
  const [first] = await firstWaiting(store, id, 1, held?.why === 'gap' ? sequence : -1);
  return first?.delivery ?? null;
}

function wrongWay({ id, sequence }: Head, first: number, missing: boolean): UserError {
  if (missing) return new UserError(`Stream ${id} misses no number: skip without --missing`);
  const numbers = sequence + 2 === first ? `${sequence + 1}` : `${sequence + 1} to ${first - 1}`;
  return new UserError(
    `Stream ${id} waits for sequence ${numbers}: append it, or give it up with --missing`,
  );
}

async function heldHead({ collections }: ProjectorStore, subject: string): Promise<Head> {
  const head = (await loadHeads(collections.heads, [subject])).get(subject);
  if (!head) throw new UserError(`Unknown stream ${subject}`);
  if (!head.held) throw new UserError(`Stream ${subject} is not held`);
  if (head.held.why === 'change') {
    throw new UserError(`Stream ${subject} is held for a big change, which goes on by itself`);
  }
  return head;
}

// The projector, or another operator, may be at the same stream: who comes second does its part anew.
async function drained(store: ProjectorStore, subject: string, limits: WorkLimits): Promise<Head> {
  const logger = createLog('silent');
  const { signal } = new AbortController();
  const failuresMax = OPERATOR_FAILURES_MAX;
  const head = await drain({ store, limits, logger, signal, failuresMax }, subject);
  if (!head) throw new UserError(`Unknown stream ${subject}`);
  return head;
}
