// The projectors, whose number changes during a run.
import type { Random } from '../histories/random.ts';
import type { Supervised } from './product.ts';

export interface Fleet {
  /** The projectors that no other fault is using. */
  free(): readonly Supervised[];
  all(): readonly Supervised[];
  add(): void;
  remove(projector: Supervised): Promise<void>;
  /** Reserves the projector while the action runs. */
  alone(projector: Supervised, action: () => Promise<void>): Promise<void>;
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
    async alone(projector, action) {
      busy.add(projector);
      await action().finally(() => busy.delete(projector));
    },
  };
  for (let count = 0; count < SIZE_MIN + 1; count += 1) fleet.add();
  return fleet;
}

/** Returns any free projector, or null. */
export function anyOf(fleet: Fleet, random: Random): Supervised | null {
  return random.some(fleet.free(), 1)[0] ?? null;
}
