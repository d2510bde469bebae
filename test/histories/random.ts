// Chance that repeats itself: everything follows from the seed (mulberry32).

export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** An integer from 0 to `count` − 1. */
  below(count: number): number;
  between(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(items: Iterable<T>): T;
  /** Different items in random order, at most `count`. */
  some<T>(items: Iterable<T>, count: number): T[];
}

export function createRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  const some = <T>(items: Iterable<T>, count: number): T[] => {
    const left = [...items];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(below(left.length), 1));
    }
    return taken;
  };
  return {
    next,
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: share => next() < share,
    pick: items => {
      const all = [...items];
      if (all.length === 0) throw new Error('Expected something to pick from, got nothing');
      return all[below(all.length)] as (typeof all)[number];
    },
    some,
  };
}
