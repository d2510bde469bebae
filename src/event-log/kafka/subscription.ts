// A subscription: the group says which partitions are this process's, and each is followed by itself.
import { delay } from '../../delay.ts';
import type { BatchLimits, Subscriber } from '../event-log.ts';
import { aborted } from './aborted.ts';
import type { KafkaClient } from './kafka-client.ts';
import { createMember } from './membership.ts';
import { createWatchdog } from './progress.ts';
import type { Reader } from './reader.ts';
import type { Patience } from './servers.ts';
import { createShares } from './shares.ts';

export interface SubscriptionOptions {
  readonly newClient: () => KafkaClient;
  readonly topic: string;
  readonly group: string;
  readonly patience: Patience;
  readonly limits: BatchLimits;
  readonly openReader: (partition: number) => Reader;
  /** Asks the servers once for the end of a partition. */
  readonly endOf: (partition: number) => Promise<number>;
  /** Silence after which the group gives this process's partitions to others. */
  readonly sessionTimeoutMs: number;
  /** How long work may stand still while there is something to do. */
  readonly stillMsMax: number;
}

/** After a failure the batches in hand may take so long to finish. */
const FAILED_MS_MAX = 3000;

/** Resolves after the signal; rejects with the first failure, once all partitions have stopped and are given back. */
export async function follow(
  options: SubscriptionOptions,
  subscriber: Subscriber,
  signal: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const fail = (error: unknown) => failed.abort(error);
  const stop = AbortSignal.any([signal, failed.signal]);
  if (stop.aborted) return;
  const watchdog = createWatchdog(options.stillMsMax, fail);
  const member = createMember({ ...options, onShare: partitions => shares.take(partitions) });
  const shares = createShares({ ...options, subscriber, member, watchdog, stop, fail });
  const isAnswering = () => options.endOf(0).then(() => true);
  watchdog.watch('The consumer group', isAnswering, member.confirmedAt);
  // A member until the last batch is done, so that nobody else begins with those partitions before.
  const leaving = new AbortController();
  const membership = member.run(leaving.signal).catch(fail);
  await aborted(stop);
  // What stands still is not waited for: the process is to end.
  const ended = shares.ended();
  await (failed.signal.aborted ? Promise.race([ended, delay(FAILED_MS_MAX)]) : ended);
  watchdog.stop();
  leaving.abort();
  await membership;
  if (failed.signal.aborted) throw failed.signal.reason;
}
