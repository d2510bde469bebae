// The partitions that the group gave to this process: begun, ended, and never followed twice at once.
import type { BatchLimits, Subscriber } from '../event-log.ts';
import { type Followed, followPartition } from './follow-partition.ts';
import type { Member } from './membership.ts';
import type { Watchdog } from './progress.ts';
import type { Reader } from './reader.ts';
import type { Patience } from './servers.ts';

export interface SharesOptions {
  readonly subscriber: Subscriber;
  readonly member: Pick<Member, 'confirmedAt' | 'hint'>;
  readonly limits: BatchLimits;
  readonly patience: Patience;
  readonly sessionTimeoutMs: number;
  readonly openReader: (partition: number) => Reader;
  readonly endOf: (partition: number) => Promise<number>;
  readonly watchdog: Watchdog;
  /** Ends all of them. */
  readonly stop: AbortSignal;
  readonly fail: (error: unknown) => void;
}

export interface Shares {
  /** All partitions that are this process's from now on: those it has go on undisturbed. */
  take(partitions: readonly number[]): void;
  /** Resolves once none is followed any more. */
  ended(): Promise<void>;
}

interface Share {
  /** Null once the partition is taken away: its end is still waited for. */
  away: AbortController | null;
  done: Promise<void>;
}

export function createShares(options: SharesOptions): Shares {
  const { stop } = options;
  const shares = new Map<number, Share>();
  const begin = (partition: number) => {
    const share = shares.get(partition) ?? { away: null, done: Promise.resolve() };
    if (share.away !== null || stop.aborted) return;
    const away = new AbortController();
    const signal = AbortSignal.any([stop, away.signal]);
    // The former run may still be busy with its last batch.
    const done = share.done.then(() => run(options, partition, signal));
    shares.set(partition, { away, done });
  };
  return {
    take(partitions) {
      for (const [partition, share] of shares) {
        if (partitions.includes(partition)) continue;
        share.away?.abort();
        share.away = null;
      }
      for (const partition of partitions) begin(partition);
    },
    async ended() {
      await Promise.all([...shares.values()].map(({ done }) => done));
    },
  };
}

async function run(options: SharesOptions, partition: number, signal: AbortSignal): Promise<void> {
  const { patience, endOf, member, watchdog } = options;
  const { log } = patience;
  const isBehind = async () => (await endOf(partition)) > (followed.next ?? -1);
  const progress = watchdog.watch(`Partition ${partition} of ${patience.name}`, isBehind);
  const followed: Followed = { partition, next: null, progress, signal };
  try {
    await followPartition({ ...options, ...member, log }, followed);
  } catch (error) {
    // Whoever has the partition now is not disturbed by how its former owner ended.
    if (signal.aborted) log.warn({ partition, err: error }, 'A partition was given back badly');
    else options.fail(error);
  } finally {
    progress.end();
  }
}
