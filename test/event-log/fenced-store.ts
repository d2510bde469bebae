// A fake of the projector's store for many subscribers at once: checkpoints under epochs, and the applied values.
import type { Batch, Outcome, Subscriber } from '../../src/event-log/event-log.ts';
import { readOf } from './log-under-test.ts';

export interface FencedStore {
  /** Values by partition, in the order of applying. */
  readonly applied: ReadonlyMap<number, string[]>;
  /** Every claim and its subscriber, in order. */
  readonly claims: { readonly who: string; readonly partition: number }[];
  /** Batches under a claim that had ended. */
  readonly fenced: { readonly who: string; readonly partition: number }[];
  count(): number;
  owner(partition: number): string | undefined;
  claim(who: string, partition: number): Claimed;
  apply(who: string, claimed: Claimed, batch: AppliedBatch): Outcome;
  /** A subscriber in this process. */
  subscriber(who: string, beforeApply?: (batch: Batch) => Promise<void>): Subscriber;
}

interface AppliedBatch {
  readonly values: readonly string[];
  /** The offset after the batch. */
  readonly to: number;
}

export interface Claimed {
  readonly partition: number;
  readonly epoch: number;
  readonly next: number;
}

export function createFencedStore(): FencedStore {
  const checkpoints = new Map<number, { epoch: number; next: number; who: string }>();
  const applied = new Map<number, string[]>();
  const claims: { who: string; partition: number }[] = [];
  const fenced: { who: string; partition: number }[] = [];
  const store: FencedStore = {
    applied,
    claims,
    fenced,
    count: () => [...applied.values()].reduce((sum, values) => sum + values.length, 0),
    owner: partition => checkpoints.get(partition)?.who,
    claim(who, partition) {
      const { epoch = 0, next = 0 } = checkpoints.get(partition) ?? {};
      checkpoints.set(partition, { epoch: epoch + 1, next, who });
      claims.push({ who, partition });
      return { partition, epoch: epoch + 1, next };
    },
    apply(who, { partition, epoch }, { values, to }) {
      const checkpoint = checkpoints.get(partition);
      if (!checkpoint || checkpoint.epoch !== epoch) {
        fenced.push({ who, partition });
        return 'lost';
      }
      checkpoint.next = to;
      applied.set(partition, [...(applied.get(partition) ?? []), ...values]);
      return to;
    },
    subscriber(who, beforeApply = async () => {}) {
      const claimedPartitions = new Map<number, Claimed>();
      return {
        async assigned(partition) {
          const claimed = store.claim(who, partition);
          claimedPartitions.set(partition, claimed);
          return claimed.next;
        },
        async batch(batch) {
          await beforeApply(batch);
          const claimed = claimedPartitions.get(batch.partition);
          if (!claimed) throw new Error(`Partition ${batch.partition} was given back`);
          const values = readOf(batch.records).map(({ value }) => value);
          return store.apply(who, claimed, { values, to: batch.to });
        },
        async revoked(partition) {
          if (!claimedPartitions.delete(partition))
            throw new Error(`Partition ${partition} was not claimed`);
        },
      };
    },
  };
  return store;
}
