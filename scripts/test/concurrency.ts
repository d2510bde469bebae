// How many test files run at the same time.

/** A process of tests takes at most about 1 GB, its share of the servers half of that. */
const BYTES_PER_PROCESS = 1.5 * 2 ** 30;

export interface MachineResources {
  readonly processors: number;
  /** In bytes. */
  readonly memory: number;
}

/** Two processes for each processor, because they wait for servers half of their time; fewer where memory is short. */
export function concurrencyOf({ processors, memory }: MachineResources): number {
  return Math.max(1, Math.min(processors * 2, Math.floor(memory / BYTES_PER_PROCESS)));
}
