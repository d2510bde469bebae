// A watchdog: work that makes no progress although there is something to do ends the subscription.
import { waitAtMost } from '../../process/waiting.ts';

/** The progress of one activity: a partition, or the membership in the group. */
export interface WatchedActivity {
  /** Call it when something was done, when there is nothing to do, and while waiting for a server. */
  note(): void;
  /** Ends the watch: the activity is over, or waits on purpose. */
  end(): void;
}

export interface Watchdog {
  /**
   * @param what the activity, for the error message
   * @param isBehind asks the servers whether there is something to do; an error or a timeout counts as no
   * @param notedAt a further time of the last progress (epoch milliseconds), beside `note`
   */
  watch(what: string, isBehind: () => Promise<boolean>, notedAt?: () => number): WatchedActivity;
  stop(): void;
}

const ANSWER_MS_MAX = 2000;
/** Number of checks in each half of `stallMsMax`. */
const CHECKS = 4;

/**
 * Reports an activity as stalled only if every check in the second half of `stallMsMax` finds it behind and without
 * progress: servers that were away answer again a little before work resumes.
 */
export function createWatchdog(stallMsMax: number, onStall: (error: Error) => void): Watchdog {
  const checks = new Map<WatchedActivity, () => Promise<void>>();
  const halfMs = stallMsMax / 2;
  const timer = setInterval(() => {
    for (const check of checks.values()) check().catch(() => {});
  }, halfMs / CHECKS);
  return {
    watch(what, isBehind, notedAt = () => 0) {
      let noted = Date.now();
      // The clock may have been set back since.
      const lastNoted = () => {
        const nowMs = Date.now();
        noted = Math.min(noted, nowMs);
        const other = notedAt();
        return other > nowMs ? noted : Math.max(noted, other);
      };
      // Number of checks that found the activity behind, without progress since `since`.
      let stall = { since: noted, checks: 0 };
      const note = () => {
        noted = Date.now();
      };
      const progress: WatchedActivity = { note, end: () => void checks.delete(progress) };
      checks.set(progress, async () => {
        const since = lastNoted();
        if (Date.now() - since <= halfMs) return;
        const behind = await isKnownBehind(isBehind);
        if (lastNoted() !== since || !checks.has(progress)) return;
        if (!behind) return note();
        stall = { since, checks: stall.since === since ? stall.checks + 1 : 1 };
        if (stall.checks <= CHECKS) return;
        onStall(new Error(`${what} made no progress for ${stallMsMax / 1000} s, though it should`));
      });
      return progress;
    },
    stop: () => clearInterval(timer),
  };
}

/** Returns false after an error or a timeout: the servers are away, so there is nothing to do. */
async function isKnownBehind(isBehind: () => Promise<boolean>): Promise<boolean> {
  let behind = false;
  const ask = async () => {
    behind = await isBehind();
  };
  await waitAtMost(ANSWER_MS_MAX, ask());
  return behind;
}
