// A subscription: the consumer group assigns partitions to this process, and each is followed on its own.
import { delay, untilAborted } from '../../process/waiting.ts';
import type { BatchLimits, Subscriber } from '../event-log.ts';
import { createAssignedPartitions } from './assigned-partitions.ts';
import type { Fetcher } from './fetcher.ts';
import type { KafkaClient } from './kafka-client.ts';
import { createMember } from './membership.ts';
import { createWatchdog } from './progress.ts';
import type { BrokerRetryOptions } from './servers.ts';

export interface TopicSubscriptionOptions {
  readonly newClient: () => KafkaClient;
  readonly topic: string;
  readonly group: string;
  readonly retryOptions: BrokerRetryOptions;
  readonly limits: BatchLimits;
  readonly openFetcher: (partition: number) => Fetcher;
  /** Asks the servers for the end of a partition, without retrying. */
  readonly endOf: (partition: number) => Promise<number>;
  /** If this process sends no heartbeat for longer, the group reassigns its partitions. */
  readonly sessionTimeoutMs: number;
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
