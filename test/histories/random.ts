// Chance for random histories: the generator of the product, and several different items at once.
import { createRandom as createPlainRandom, type Random as PlainRandom } from '../../src/random.ts';

export interface Random extends Omit<PlainRandom, 'pick'> {
  pick<T>(items: Iterable<T>): T;
  /** Different items in random order, at most `count`. */
  some<T>(items: Iterable<T>, count: number): T[];
}

export function createRandom(seed: number): Random {
  // Neighbouring seeds should have nothing in common.
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
