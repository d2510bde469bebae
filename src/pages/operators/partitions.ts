// Keeps the partitions that this process has claimed or halted, by generation, as the projector reports them.
import type { PartitionState } from '../../projector/partition/partition-context.ts';

export interface OwnPartitions {
  set(generation: string, partition: number, state: PartitionState): void;
  /** Returns null if this process does not own the partition. */
  state(generation: string, partition: number): 'claimed' | 'halted' | null;
  count(generation: string, state: 'claimed' | 'halted'): number;
  forget(generation: string): void;
}

export function createOwnPartitions(): OwnPartitions {
  const generations = new Map<string, Map<number, 'claimed' | 'halted'>>();
  return {
    set(generation, partition, state) {
      const states = generations.get(generation) ?? new Map();
      if (state === 'released') states.delete(partition);
      else states.set(partition, state);
      if (states.size === 0) generations.delete(generation);
      else generations.set(generation, states);
    },
    state: (generation, partition) => generations.get(generation)?.get(partition) ?? null,
    count(generation, state) {
      const states = [...(generations.get(generation)?.values() ?? [])];
      return states.filter(one => one === state).length;
    },
    forget: generation => void generations.delete(generation),
  };
}
