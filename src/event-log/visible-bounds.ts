// The bounds of a partition for those who must know all that is in it: an open transaction of any producer hides what it has
// written, and what others, this program too, have written after it.
import { UserError } from '../process/errors.ts';
import { delay } from '../process/waiting.ts';
import type { EventLog, LogBounds } from './event-log.ts';

const VISIBLE_MS_MAX = 30_000;
const POLL_MS = 50;

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
  const hidden = await eventLog.hiddenOffsets?.(partition);
  const untilMs = performance.now() + msMax;
  for (;;) {
    const bounds = await eventLog.bounds(partition);
    const { end } = bounds;
    if (hidden === undefined || end >= hidden.to) return bounds;
    if (performance.now() > untilMs) {
      throw new UserError(
        `Expected to see all records of ${eventLog.name}, partition ${partition}, got a transaction that its producer has not ended, which hides those from offset ${end} on. Nothing was appended`,
      );
    }
    await delay(POLL_MS);
  }
}
