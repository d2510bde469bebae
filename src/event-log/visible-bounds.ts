// The bounds of a partition for those who must know all that is in it: an open transaction of any producer hides what it has
// written, and what others, this program too, have written after it.
import { UserError } from '../process/errors.ts';
import { delay } from '../process/waiting.ts';
import type { EventLog, LogBounds } from './event-log.ts';

/** How long records that are in the log may take to show. */
export const VISIBLE_MS_MAX = 30_000;
/** An append shows within milliseconds. */
const POLL_MS_MIN = 2;
const POLL_MS_MAX = 50;

/**
 * Returns bounds within which all records show that the partition has now. Transactions that end soon are waited for.
 *
 * @throws UserError when one hides records for longer than `msMax`
 */
export async function visibleBounds(
  eventLog: Pick<EventLog, 'name' | 'bounds' | 'hiddenOffsets'>,
  partition: number,
  msMax = VISIBLE_MS_MAX,
): Promise<LogBounds> {
  const { to } = (await eventLog.hiddenOffsets?.(partition)) ?? { to: 0 };
  const untilMs = performance.now() + msMax;
  const bounds = await reachedBounds(() => eventLog.bounds(partition), to, untilMs);
  if (bounds.end >= to) return bounds;
  throw new UserError(
    `Expected to see all records of ${eventLog.name}, partition ${partition}, got a transaction that its producer has not ended, which hides those from offset ${bounds.end} on. Nothing was appended`,
  );
}

/**
 * Returns bounds once they reach an end, or the last ones when the time is over.
 *
 * @param untilMs on the clock of `performance`
 */
export async function reachedBounds(
  read: () => Promise<LogBounds>,
  end: number,
  untilMs: number,
): Promise<LogBounds> {
  for (let waitMs = POLL_MS_MIN; ; waitMs = Math.min(2 * waitMs, POLL_MS_MAX)) {
    const bounds = await read();
    if (bounds.end >= end || performance.now() > untilMs) return bounds;
    await delay(waitMs);
  }
}
