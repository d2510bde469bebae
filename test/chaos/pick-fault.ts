// Chooses the next fault: first each possible one once, in random order, then any by its weight.
import type { Random } from '../histories/random.ts';
import type { Fault } from './fault.ts';
import { FAULTS } from './faults.ts';
import type { World } from './world.ts';

/** Shorter runs leave out the faults that take long. */
export const LONG_MINUTES_MIN = 5;

export interface FaultPicker {
  /** Why faults are left out of this run, by name. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** Returns null if the chosen fault affects a part that is in trouble already. */
  next(random: Random, hasTrouble: (of: Fault['of']) => boolean): Fault | null;
}

export function createFaultPicker(
  world: World,
  { minutes, only }: { readonly minutes: number; readonly only: string },
  random: Random,
): FaultPicker {
  const leftOut = new Map<string, string>();
  const asked = FAULTS.filter(({ name }) => name.includes(only));
  for (const { name, isLong, isPossible } of asked) {
    if (isLong && minutes < LONG_MINUTES_MIN) leftOut.set(name, 'in long runs alone');
    else if (isPossible?.(world) === false) leftOut.set(name, 'not possible on this machine');
  }
  const faults = asked.filter(({ name }) => !leftOut.has(name));
  const first = random.some(faults, faults.length);
  return {
    leftOut,
    next(own, hasTrouble) {
      const index = first.findIndex(({ of }) => !hasTrouble(of));
      const [fault] = index < 0 ? [byWeight(faults, own)] : first.splice(index, 1);
      return fault && !hasTrouble(fault.of) ? fault : null;
    },
  };
}

function byWeight(faults: readonly Fault[], random: Random): Fault | undefined {
  let left = random.next() * faults.reduce((sum, { weight }) => sum + weight, 0);
  return faults.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
}
