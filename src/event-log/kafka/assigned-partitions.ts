// The partitions that the group has assigned to this process. Each is followed by at most one run at a time.
import type { BatchLimits, Subscriber } from '../event-log.ts';
import type { Fetcher } from './fetcher.ts';
import { type FollowedPartition, followPartition } from './follow-partition.ts';
import type { Member } from './membership.ts';
import type { Watchdog } from './progress.ts';
import type { BrokerRetryOptions } from './servers.ts';

export interface AssignedPartitionsOptions {
  readonly subscriber: Subscriber;
  readonly member: Pick<Member, 'confirmedAt' | 'reportLag'>;
  readonly limits: BatchLimits;
  readonly retryOptions: BrokerRetryOptions;
  readonly sessionTimeoutMs: number;
  readonly openFetcher: (partition: number) => Fetcher;
  readonly endOf: (partition: number) => Promise<number>;
  readonly watchdog: Watchdog;
  /** Stops following all partitions. */
  readonly stop: AbortSignal;
  readonly fail: (error: unknown) => void;
}

export interface AssignedPartitions {
  /** Sets all partitions assigned to this process; those it already follows continue undisturbed. */
  set(partitions: readonly number[]): void;
  /** Resolves once no partition is followed any more. */
  ended(): Promise<void>;
}

interface PartitionRun {
  /** Stops the run; null once the partition was revoked, while the run may still be ending. */
  revoke: AbortController | null;
  done: Promise<void>;
}

export function createAssignedPartitions(options: AssignedPartitionsOptions): AssignedPartitions {
  const { stop } = options;
  const runs = new Map<number, PartitionRun>();
  const begin = (partition: number) => {
    const last = runs.get(partition) ?? { revoke: null, done: Promise.resolve() };
    if (last.revoke !== null || stop.aborted) return;
    const revoke = new AbortController();
    const signal = AbortSignal.any([stop, revoke.signal]);
    // The last run may still be busy with its final batch.
    const done = last.done.then(() => run(options, partition, signal));
    runs.set(partition, { revoke, done });
  };
  return {
    set(partitions) {
      for (const [partition, current] of runs) {
        if (partitions.includes(partition)) continue;
        current.revoke?.abort();
        current.revoke = null;
      }
      for (const partition of partitions) begin(partition);
    },
    async ended() {
      await Promise.all([...runs.values()].map(({ done }) => done));
    },
  };
}

async function run(
  options: AssignedPartitionsOptions,
  partition: number,
  signal: AbortSignal,
): Promise<void> {
  const { endOf, member, watchdog } = options;
  const { name, logger } = options.retryOptions;
  const isBehind = async () => (await endOf(partition)) > (followed.next ?? -1);
  const progress = watchdog.watch(`Partition ${partition} of ${name}`, isBehind);
  const followed: FollowedPartition = { partition, next: null, progress, signal };
  try {
    await followPartition({ ...options, ...member, logger }, followed);
  } catch (error) {
    // The partition has another owner by now, so this failure must not end the subscription.
    if (signal.aborted) logger.warn({ partition, err: error }, 'A partition was given back badly');
    else options.fail(error);
  } finally {
    progress.end();
  }
}
