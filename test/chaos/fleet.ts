// The projectors, of which there are now more and now fewer.
import type { Random } from '../histories/random.ts';
import type { Supervised } from './product.ts';

export interface Fleet {
  /** Those that no other fault has to do with. */
  free(): readonly Supervised[];
  all(): readonly Supervised[];
  add(): void;
  remove(projector: Supervised): Promise<void>;
  /** Nobody else has to do with it meanwhile. */
  alone(projector: Supervised, work: () => Promise<void>): Promise<void>;
}

const SIZE_MIN = 2;
const SIZE_MAX = 4;

export function createFleet(start: (name: string) => Supervised): Fleet {
  const busy = new Set<Supervised>();
  let projectors: Supervised[] = [];
  let made = 0;
  const fleet: Fleet = {
    all: () => projectors,
    free: () => projectors.filter(projector => !busy.has(projector)),
    add() {
      if (projectors.length >= SIZE_MAX) return;
      made += 1;
      projectors.push(start(`projector-${made}`));
    },
    async remove(projector) {
      if (projectors.length <= SIZE_MIN) return fleet.add();
      await fleet.alone(projector, async () => {
        await projector.stop();
        projectors = projectors.filter(one => one !== projector);
      });
    },
    async alone(projector, work) {
      busy.add(projector);
      await work().finally(() => busy.delete(projector));
    },
  };
  for (let count = 0; count < SIZE_MIN + 1; count += 1) fleet.add();
  return fleet;
}

/** Any that is free; null where none is. */
export function anyOf(fleet: Fleet, random: Random): Supervised | null {
  return random.some(fleet.free(), 1)[0] ?? null;
}
