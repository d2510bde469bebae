// Ends what lasts longer than a request (a stream, a wait) soon after its token was revoked or has expired: one query of
// a process for all tokens in use, every few seconds.

import { reasonOf } from '../process/describe-error.ts';
import type { Logger } from '../process/log.ts';
import { type Token, tokenState } from './token.ts';
import type { TokenStore } from './tokens.ts';

export interface TokenChecks {
  /** Calls `end` once when the token is no longer active, within 15 seconds. Returns a function that stops watching. */
  watch(token: Token, end: () => void): () => void;
  /** Checks all watched tokens unless that was done within the last seconds. Rejects if the database does not answer. */
  refresh(): Promise<void>;
}

interface Watched {
  readonly token: Token;
  readonly ends: Set<() => void>;
}

const CHECK_MS = 5000;
/** Two checks: after a failed one the feed is silent until the next one succeeds. */
const FRESH_MS = 10_000;

export interface TokenChecksOptions {
  readonly tokens: Pick<TokenStore, 'unrevoked'>;
  readonly clock: () => Date;
  readonly logger: Logger;
  /** Default 5 s. */
  readonly checkMs?: number;
}

export function createTokenChecks(options: TokenChecksOptions): TokenChecks {
  const { tokens, clock, logger, checkMs = CHECK_MS } = options;
  const watched = new Map<string, Watched>();
  let isScheduled = false;
  let checkedAtMs = Number.NEGATIVE_INFINITY;

  async function check(): Promise<void> {
    const startedAtMs = performance.now();
    const asked = [...watched.values()];
    const unrevoked = await tokens.unrevoked(asked.map(({ token }) => token.id));
    checkedAtMs = startedAtMs;
    const now = clock();
    for (const entry of asked) {
      const { token, ends } = entry;
      if (unrevoked.has(token.id) && tokenState(token, now) === 'active') continue;
      // What began to watch after the question is asked about by the next check.
      if (watched.get(token.id) === entry) watched.delete(token.id);
      for (const end of ends) end();
    }
  }

  async function checkInTime(): Promise<void> {
    try {
      await check();
    } catch (err) {
      logger.warn({ reason: reasonOf(err) }, 'tokens of open streams not checked, retrying');
    }
    isScheduled = false;
    if (watched.size > 0) schedule();
  }

  /** Not an interval: a slow check must not meet the next one. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(checkInTime, checkMs).unref();
  }

  return {
    watch(token, end) {
      const entry = watched.get(token.id) ?? { token, ends: new Set() };
      watched.set(token.id, entry);
      entry.ends.add(end);
      schedule();
      return () => {
        entry.ends.delete(end);
        if (entry.ends.size === 0 && watched.get(token.id) === entry) watched.delete(token.id);
      };
    },
    async refresh() {
      const isFresh = watched.size === 0 || performance.now() - checkedAtMs < FRESH_MS;
      if (!isFresh) await check();
    },
  };
}
