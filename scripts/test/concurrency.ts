// How many test files run at the same time.

/** A process of tests takes at most about 1 GB, its share of the servers half of that. */
const BYTES_PER_PROCESS = 1.5 * 2 ** 30;

export interface MachineResources {
  readonly processors: number;
  /** In bytes. */
  readonly memory: number;
}

/**
 * Returns two for each processor where all files are short, because these wait for servers half of their time. Longer ones
 * start programs of their own: one more than processors. Fewer where memory is short.
 */
export function concurrencyOf({ processors, memory }: MachineResources, areShort: boolean): number {
  const busy = areShort ? processors * 2 : processors + 1;
  return Math.max(1, Math.min(busy, Math.floor(memory / BYTES_PER_PROCESS)));
}
