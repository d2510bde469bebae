// Watches that work goes on: what stands still while there is something to do ends the subscription.
import { settledWithin } from '../../settled-within.ts';

/** One piece of work: a partition, or being a member of the group. */
export interface Progress {
  /** Something was achieved, or there is nothing to do, or a server is waited for. */
  note(): void;
  /** It waits on purpose, or is over. */
  end(): void;
}

export interface Watchdog {
  /**
   * @param isBehind asks the servers whether there is something to do; a rejection or silence means they are away
   * @param notedAt when something was last achieved (epoch milliseconds), beside what is noted
   */
  watch(what: string, isBehind: () => Promise<boolean>, notedAt?: () => number): Progress;
  stop(): void;
}

const ANSWER_MS_MAX = 2000;
/** In each half of the time. */
const CHECKS = 4;

/**
 * In the second half of `stillMsMax` every check must find work still and behind: servers that were away answer
 * before work is under way again.
 */
export function createWatchdog(stillMsMax: number, onStill: (error: Error) => void): Watchdog {
  const checks = new Map<Progress, () => Promise<void>>();
  const halfMs = stillMsMax / 2;
  const timer = setInterval(() => {
    for (const check of checks.values()) check().catch(() => {});
  }, halfMs / CHECKS);
  return {
    watch(what, isBehind, notedAt = () => 0) {
      let noted = Date.now();
      const lastNoted = () => Math.max(noted, notedAt());
      // How many checks have found it behind with nothing noted since then.
      let found = { since: noted, times: 0 };
      const note = () => {
        noted = Date.now();
      };
      const progress: Progress = { note, end: () => void checks.delete(progress) };
      checks.set(progress, async () => {
        const since = lastNoted();
        if (Date.now() - since <= halfMs) return;
        const behind = await isKnownBehind(isBehind);
        if (lastNoted() !== since || !checks.has(progress)) return;
        if (!behind) return note();
        found = { since, times: found.since === since ? found.times + 1 : 1 };
        if (found.times <= CHECKS) return;
        onStill(new Error(`${what} made no progress for ${stillMsMax / 1000} s, though it should`));
      });
      return progress;
    },
    stop: () => clearInterval(timer),
  };
}

/** Silence and an error mean that the servers are away: there is nothing to do then. */
async function isKnownBehind(isBehind: () => Promise<boolean>): Promise<boolean> {
  let behind = false;
  const ask = async () => {
    behind = await isBehind();
  };
  await settledWithin(ANSWER_MS_MAX, ask());
  return behind;
}
