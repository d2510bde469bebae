// Bounds what made-up session cookies cost: beyond a number of them in a minute, an address is refused without a look-up.
// The counts are this process's own, because a count in the database would cost as much as the look-up.
import { hashSecret } from '../../access/secret.ts';
import { tooManyRequests } from './page-error.ts';

/** Per address and minute. An ended session costs a browser one of them, because the answer clears the cookie. */
export const GUESSES_MAX = 60;
/** Addresses beyond this share one count, so that a flood cannot fill the memory. */
const ADDRESSES_MAX = 100_000;
/** Beyond this the session that was not seen for the longest time is forgotten. */
const SEEN_MAX = 10_000;
const MINUTE_MS = 60_000;

export interface LookUp<Found> {
  /** The session's id, as the cookie has it. */
  readonly id: string;
  readonly address: string;
  readonly now: Date;
  readonly find: () => Promise<Found | null>;
}

export interface SessionGuesses {
  /**
   * Returns what `find` returns. It counts for the address while it runs, and afterwards if it found nothing.
   *
   * @throws PageError 429 beyond the limit, unless the session was seen here before
   */
  lookUp<Found>(lookUp: LookUp<Found>): Promise<Found | null>;
  /** Notes a session that exists, so that its person is not refused because of others at the address. */
  see(id: string): void;
}

export function createSessionGuesses(): SessionGuesses {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  let minute = 0;

  /** Counts a guess, and returns the function that takes it back. */
  function guess(address: string, nowMs: number): () => void {
    const thisMinute = Math.floor(nowMs / MINUTE_MS);
    if (thisMinute !== minute) counts.clear();
    minute = thisMinute;
    const key = counts.has(address) || counts.size < ADDRESSES_MAX ? address : '';
    const before = counts.get(key) ?? 0;
    if (before >= GUESSES_MAX) {
      throw tooManyRequests(Math.ceil(((minute + 1) * MINUTE_MS - nowMs) / 1000));
    }
    counts.set(key, before + 1);
    return () => {
      if (thisMinute === minute) counts.set(key, (counts.get(key) ?? 1) - 1);
    };
  }

  function see(id: string): void {
    const hash = hashSecret(id);
    seen.delete(hash);
    seen.add(hash);
    const [oldest] = seen;
    if (seen.size > SEEN_MAX && oldest !== undefined) seen.delete(oldest);
  }

  return {
    see,
    async lookUp({ id, address, now, find }) {
      const uncount = seen.has(hashSecret(id)) ? () => {} : guess(address, now.getTime());
      const found = await find().catch(error => {
        uncount();
        throw error;
      });
      if (found === null) {
        seen.delete(hashSecret(id));
      } else {
        uncount();
        see(id);
      }
      return found;
    },
  };
}
