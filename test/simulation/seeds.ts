// The seeds that a run of the simulation plays.
const DEFAULT = '1-10000';

/** Returns the seeds of `SIMULATION_SEEDS=1-10000`, in order. */
export function chosenSeeds(): number[] {
  const text = process.env.SIMULATION_SEEDS ?? DEFAULT;
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) {
    throw new Error(`Expected SIMULATION_SEEDS like 1-10000, got ${text}`);
  }
  return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
}
