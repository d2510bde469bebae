// A subscription: the consumer group assigns partitions to this process, and each is followed on its own, by at most
// one run at a time.
import { delay, untilAborted } from '../../process/waiting.ts';
import type { BatchLimits, Subscriber } from '../event-log.ts';
import type { Fetcher } from './fetcher.ts';
import { type FollowedPartition, followPartition } from './follow-partition.ts';
import { createMember, type Member, type MemberOptions } from './membership.ts';
import { createWatchdog, type Watchdog } from './progress.ts';

export interface TopicSubscriptionOptions extends Omit<MemberOptions, 'onAssigned'> {
  readonly limits: BatchLimits;
  readonly openFetcher: (partition: number) => Fetcher;
  /** Asks the servers for the end of a partition, without retrying. */
  readonly endOf: (partition: number) => Promise<number>;
  /** Without progress for longer, although there is something to do, the subscription fails. */
  readonly stallMsMax: number;
}

/** After a failure the current batches get this long to finish; then the subscription rejects anyway. */
const FAILED_MS_MAX = 3000;

/**
 * Resolves after the signal aborts, or rejects with the first failure; in both cases after all partitions have stopped
 * and are given back, but after a failure within FAILED_MS_MAX.
 */
export async function followTopic(
  options: TopicSubscriptionOptions,
  subscriber: Subscriber,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const fail = (error: unknown) => failed.abort(error);
  const stop = AbortSignal.any([signal, failed.signal]);
  if (stop.aborted) return;
  const watchdog = createWatchdog(options.stallMsMax, fail);
  const member = createMember({ ...options, onAssigned: partitions => assigned.set(partitions) });
  const assigned = createAssignedPartitions({
    ...options,
    subscriber,
    member,
    watchdog,
    stop,
    fail,
  });
  const isAnswering = () => options.endOf(0).then(() => true);
  watchdog.watch('The consumer group', isAnswering, member.confirmedAt);
  // Stays a member until the last batch is done, so that the partitions have no new owner before.
  const leaving = new AbortController();
  const membership = member.run(leaving.signal).catch(fail);
  await untilAborted(stop);
  // Does not wait for a stalled partition: after a failure the process must end.
  const ended = assigned.ended();
  await (failed.signal.aborted ? Promise.race([ended, delay(FAILED_MS_MAX)]) : ended);
  watchdog.stop();
  leaving.abort();
  await membership;
  if (failed.signal.aborted) throw failed.signal.reason;
}

interface AssignedPartitionsOptions
  extends Omit<TopicSubscriptionOptions, 'newClient' | 'topic' | 'group' | 'stallMsMax'> {
  readonly subscriber: Subscriber;
  readonly member: Pick<Member, 'confirmedAt' | 'reportLag'>;
  readonly watchdog: Watchdog;
  /** Stops following all partitions. */
  readonly stop: AbortSignal;
  readonly fail: (error: unknown) => void;
}

interface AssignedPartitions {
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

function createAssignedPartitions(options: AssignedPartitionsOptions): AssignedPartitions {
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
