// Watches that work goes on: what stands still while there is something to do ends the subscription.
import { setTimeout as sleep } from 'node:timers/promises';

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
const CHECKS_PER_TIMEOUT = 4;

export function createWatchdog(stillMsMax: number, onStill: (error: Error) => void): Watchdog {
  const checks = new Map<Progress, () => Promise<void>>();
  const timer = setInterval(() => {
    for (const check of checks.values()) check().catch(() => {});
  }, stillMsMax / CHECKS_PER_TIMEOUT);
  return {
    watch(what, isBehind, notedAt = () => 0) {
      let noted = Date.now();
      const isStill = () => Date.now() - Math.max(noted, notedAt()) > stillMsMax;
      const note = () => {
        noted = Date.now();
      };
      const progress: Progress = { note, end: () => void checks.delete(progress) };
      checks.set(progress, async () => {
        if (!isStill()) return;
        const behind = await answerOf(isBehind);
        if (!isStill() || !checks.has(progress)) return;
        if (!behind) return note();
        onStill(new Error(`${what} made no progress for ${stillMsMax / 1000} s, though it should`));
      });
      return progress;
    },
    stop: () => clearInterval(timer),
  };
}

async function answerOf(isBehind: () => Promise<boolean>): Promise<boolean> {
  const timer = new AbortController();
  const silence = sleep(ANSWER_MS_MAX, false, { signal: timer.signal }).catch(() => false);
  try {
    return await Promise.race([isBehind(), silence]);
  } catch {
    return false;
  } finally {
    timer.abort();
  }
}
