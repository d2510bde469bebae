// Randomness for histories: the generator of the product, and several distinct items at once.
import {
  createRandom as createPlainRandom,
  type Random as PlainRandom,
} from '../../src/process/random.ts';

export interface Random extends Omit<PlainRandom, 'pick'> {
  pick<T>(items: Iterable<T>): T;
  /** Returns at most `count` distinct items in random order. */
  some<T>(items: Iterable<T>, count: number): T[];
}

export function createRandom(seed: number): Random {
  // Multiplied, so that neighbouring seeds give unrelated histories.
  const random = createPlainRandom(Math.imul(seed, 0x9e3779b1));
  const some = <T>(items: Iterable<T>, count: number): T[] => {
    const left = [...items];
    const taken: T[] = [];
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(random.below(left.length), 1));
    }
    return taken;
  };
  return { ...random, pick: items => random.pick([...items]), some };
}
