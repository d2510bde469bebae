// Follows one partition for as long as the group leaves it to this process: claim, fetch, hand over, again.
import { delay } from '../../delay.ts';
import type { Log } from '../../log.ts';
import type { BatchLimits, Subscriber } from '../event-log.ts';
import { cutBatches } from './cut-batches.ts';
import type { Progress } from './progress.ts';
import type { Interrupted, Reader } from './reader.ts';
import type { VisibleRecords } from './visible-records.ts';

export interface FollowOptions {
  readonly subscriber: Subscriber;
  readonly limits: BatchLimits;
  readonly log: Log;
  readonly sessionTimeoutMs: number;
  readonly openReader: (partition: number) => Reader;
  /** When the group last confirmed this process as a member, epoch milliseconds. */
  readonly confirmedAt: () => number;
  readonly hint: (partition: number, next: number) => void;
}

export interface Followed {
  readonly partition: number;
  /** The next offset wanted; null while the partition is not claimed. */
  next: number | null;
  readonly progress: Progress;
  /** Aborts when the partition is taken away or the subscription stops. */
  readonly signal: AbortSignal;
}

const CONFIRM_POLL_MS = 20;
const PAUSE_MS_MIN = 200;
const PAUSE_MS_MAX = 5000;

/**
 * Resolves once the partition is halted or the signal aborts, after the batch in hand. Any interruption (a failed
 * fetch, an offset out of range, a lost claim) ends in a new claim, where the subscriber holds the log against what
 * it knows: nothing goes on upon a guess.
 */
export async function followPartition(options: FollowOptions, followed: Followed): Promise<void> {
  const { subscriber, log } = options;
  const { partition, progress, signal } = followed;
  let pauseMs = PAUSE_MS_MIN;
  let lostAt = 0;
  while (await isConfirmed(options, lostAt, signal)) {
    const from = await subscriber.assigned(partition, async () => progress.note());
    if (from === null) return progress.end();
    followed.next = from;
    progress.note();
    const ended = await deliver(options, followed).finally(() => subscriber.revoked(partition));
    if (ended === 'halt') return progress.end();
    if (signal.aborted) return;
    log.warn({ partition, next: followed.next, reason: ended.interrupted }, 'Claiming again');
    pauseMs = followed.next === from ? Math.min(pauseMs * 2, PAUSE_MS_MAX) : PAUSE_MS_MIN;
    followed.next = null;
    lostAt = Date.now();
    await delay(pauseMs, signal);
  }
}

/**
 * Waits until the group has confirmed this process since `lostAt` and within the session: one that was stopped for a
 * while goes on only after the group has said that it is still a member. False when the signal aborts.
 */
async function isConfirmed(
  { confirmedAt, sessionTimeoutMs }: FollowOptions,
  lostAt: number,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted && confirmedAt() < Math.max(lostAt, Date.now() - sessionTimeoutMs)) {
    await delay(CONFIRM_POLL_MS, signal);
  }
  return !signal.aborted;
}

/** Fetches and hands over until something ends it; when the signal aborts, after the batch in hand. */
async function deliver(options: FollowOptions, followed: Followed): Promise<'halt' | Interrupted> {
  const { progress, signal, partition } = followed;
  const reader = options.openReader(partition);
  let start: number | null = null;
  try {
    for (;;) {
      const fetched = await reader.fetch(followed.next ?? 0, signal);
      if (fetched === null) return { interrupted: 'Stopped' };
      const isAway = 'interrupted' in fetched;
      // A server is waited for, or everything is read: nothing stands still.
      if (isAway || fetched.to >= fetched.bounds.end) progress.note();
      if (!isAway && fetched.bounds.start !== (start ?? fetched.bounds.start)) {
        return { interrupted: `The log begins at offset ${fetched.bounds.start} now` };
      }
      const ended = isAway ? fetched : await handOver(options, followed, fetched);
      if (ended) return ended;
      start = isAway ? start : fetched.bounds.start;
    }
  } finally {
    reader.close();
  }
}

/** Hands what was fetched over, batch by batch; null when the next fetch is due. */
async function handOver(
  options: FollowOptions,
  followed: Followed,
  fetched: VisibleRecords,
): Promise<'halt' | Interrupted | null> {
  const { partition, progress, signal } = followed;
  const heartbeat = async () => progress.note();
  for (const cut of cutBatches(fetched, options.limits)) {
    if (!(await isConfirmed(options, 0, signal))) break;
    const batch = { ...cut, partition, bounds: fetched.bounds, heartbeat, signal };
    const outcome = await options.subscriber.batch(batch);
    if (outcome === 'halt') return outcome;
    if (outcome === 'lost') return { interrupted: 'Another process has claimed the partition' };
    if (outcome !== cut.from) progress.note();
    followed.next = outcome;
    options.hint(partition, outcome);
    if (outcome !== cut.to) break;
  }
  return null;
}
