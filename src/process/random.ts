// Randomness that repeats itself: the same seed gives the same numbers on every machine.

export interface Random {
  /** Returns a number from 0 up to, not including, 1. */
  next(): number;
  /** Returns a whole number from 0 up to, not including, `count`. */
  below(count: number): number;
  /** Returns a whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  /** Returns true with the given probability. */
  chance(probability: number): boolean;
  /** Throws if there is nothing to pick from. */
  pick<T>(items: readonly T[]): T;
}

/** mulberry32: small, and good enough for believable histories. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    between: (min, max) => min + below(max - min + 1),
    chance: probability => next() < probability,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new Error('Expected something to pick from, got nothing');
      return items[below(items.length)] as T;
    },
  };
}
