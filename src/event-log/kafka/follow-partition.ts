// Follows one partition while the group assigns it to this process: claims it, then fetches and delivers in a loop.
import type { Logger } from '../../process/log.ts';
import { delay } from '../../process/waiting.ts';
import type { BatchLimits, Subscriber } from '../event-log.ts';
import type { Fetcher, Interrupted } from './fetcher.ts';
import type { Member } from './membership.ts';
import type { WatchedActivity } from './progress.ts';
import { cutBatches, type VisibleRecords } from './visible-records.ts';

export interface FollowOptions extends Pick<Member, 'confirmedAt' | 'reportLag'> {
  readonly subscriber: Subscriber;
  readonly limits: BatchLimits;
  readonly logger: Logger;
  readonly sessionTimeoutMs: number;
  readonly openFetcher: (partition: number) => Fetcher;
}

export interface FollowedPartition {
  readonly partition: number;
  /** The next offset to deliver; null while the partition is not claimed. */
  next: number | null;
  readonly progress: WatchedActivity;
  /** Aborts when the partition is revoked or the subscription stops. */
  readonly signal: AbortSignal;
}

const LOST: Interrupted = { interrupted: 'Another process has claimed the partition' };
const CONFIRM_POLL_MS = 20;
const PAUSE_MS_MIN = 200;
const PAUSE_MS_MAX = 5000;

/**
 * Resolves once the partition is halted or the signal aborts, after the current batch. Each interruption (a failed
 * fetch, an offset out of range, a lost claim) leads to a new claim, in which the subscriber checks the log against its
 * checkpoint before anything more is delivered.
 */
export async function followPartition(
  options: FollowOptions,
  followed: FollowedPartition,
): Promise<void> {
  const { subscriber, logger } = options;
  const { partition, progress, signal } = followed;
  let pauseMs = PAUSE_MS_MIN;
  let lostAt = 0;
  while (await isConfirmed(options, lostAt, signal)) {
    const from = await subscriber.assigned(partition, async () => progress.note());
    if (from === null) return progress.end();
    followed.next = from;
    // The member before may have ended without it, and the next record may come much later.
    options.reportLag(partition, from);
    progress.note();
    const ended = await deliver(options, followed).finally(() => subscriber.revoked(partition));
    if (ended === 'halt') return progress.end();
    if (signal.aborted) return;
    logger.warn({ partition, next: followed.next, reason: ended.interrupted }, 'Claiming again');
    pauseMs = followed.next === from ? Math.min(pauseMs * 2, PAUSE_MS_MAX) : PAUSE_MS_MIN;
    followed.next = null;
    lostAt = Date.now();
    await delay(pauseMs, signal);
  }
}

/**
 * Waits until the group has confirmed this process after `lostAt` and within the session timeout: a process that was
 * frozen may have lost its partitions. Returns false when the signal aborts.
 */
async function isConfirmed(
  { confirmedAt, sessionTimeoutMs }: FollowOptions,
  lostAt: number,
  signal: AbortSignal,
): Promise<boolean> {
  const isStale = (nowMs: number) => {
    // The clock may have been set back since.
    const lost = Math.min(lostAt, nowMs);
    return confirmedAt() < Math.max(lost, nowMs - sessionTimeoutMs);
  };
  while (!signal.aborted && isStale(Date.now())) await delay(CONFIRM_POLL_MS, signal);
  return !signal.aborted;
}

/** Fetches and delivers until the partition is halted or interrupted; a signal takes effect after the current batch. */
async function deliver(
  options: FollowOptions,
  followed: FollowedPartition,
): Promise<'halt' | Interrupted> {
  const { progress, signal, partition } = followed;
  const fetcher = options.openFetcher(partition);
  const heartbeat = async () => progress.note();
  const reading: Reading = { fetcher, start: null, ahead: null };
  try {
    for (;;) {
      const waits = options.subscriber.ready?.(partition, { heartbeat, signal });
      if (waits === 'lost') return LOST;
      if (waits) {
        // Neither records nor a connection with its last fetch take memory meanwhile.
        reading.ahead = null;
        fetcher.close();
      }
      await waits;
      const ended = await deliverFetch(options, followed, reading);
      if (ended) return ended;
    }
  } finally {
    fetcher.close();
  }
}

interface Reading {
  readonly fetcher: Fetcher;
  /** Where the log began at the last fetch. */
  start: number | null;
  /** The next fetch: the broker works on it while the last records are applied. */
  ahead: { readonly from: number; readonly fetching: ReturnType<Fetcher['fetch']> } | null;
}

/** Fetches once, and delivers. A function of its own, so that no record stays in memory while the next fetch waits. */
async function deliverFetch(
  options: FollowOptions,
  followed: FollowedPartition,
  reading: Reading,
): Promise<'halt' | Interrupted | null> {
  const { progress, signal } = followed;
  const fetched = await fetchNext(reading, followed);
  if (fetched === null) return { interrupted: 'Stopped' };
  const isInterrupted = 'interrupted' in fetched;
  // Waiting for a server, or for new records at the end of the log, is not a stall.
  if (isInterrupted || fetched.to >= fetched.bounds.end) progress.note();
  if (isInterrupted) return fetched;
  const { start } = fetched.bounds;
  if (start !== (reading.start ?? start)) {
    return { interrupted: `The log begins at offset ${start} now` };
  }
  reading.start = start;
  if (fetched.to < fetched.bounds.end) fetchAhead(reading, fetched.to, signal);
  return await deliverBatches(options, followed, fetched);
}

function fetchNext(reading: Reading, { next, signal }: FollowedPartition) {
  const { ahead, fetcher } = reading;
  const from = next ?? 0;
  reading.ahead = null;
  return ahead?.from === from ? ahead.fetching : fetcher.fetch(from, signal);
}

function fetchAhead(reading: Reading, from: number, signal: AbortSignal): void {
  const fetching = reading.fetcher.fetch(from, signal);
  // If it is dropped, so is its error.
  fetching.catch(() => {});
  reading.ahead = { from, fetching };
}

/** Delivers the fetched records batch by batch. Returns null when the next fetch is due. */
async function deliverBatches(
  options: FollowOptions,
  followed: FollowedPartition,
  fetched: VisibleRecords,
): Promise<'halt' | Interrupted | null> {
  const { partition, progress, signal } = followed;
  const heartbeat = async () => progress.note();
  for (const cut of cutBatches(fetched, options.limits)) {
    if (!(await isConfirmed(options, 0, signal))) break;
    const batch = { ...cut, partition, bounds: fetched.bounds, heartbeat, signal };
    const outcome = await options.subscriber.batch(batch);
    if (outcome === 'halt') return outcome;
    if (outcome === 'lost') return LOST;
    if (outcome !== cut.from) progress.note();
    followed.next = outcome;
    options.reportLag(partition, outcome);
    if (outcome !== cut.to) break;
  }
  return null;
}
