// Leaves the offsets of this member's partitions for lag tools.
import type { Consumer } from 'kafkajs';
import type { Logger } from '../../process/log.ts';

/**
 * Commits offsets to the consumer group for lag tools. This program never reads them: positions are in the
 * checkpoints.
 */
interface LagReport {
  /** Sends through this consumer from now on; null once it is closing. */
  use(consumer: Consumer | null): void;
  /** Sends offsets of these partitions alone from now on: others may be reported by another member. */
  own(partitions: readonly number[]): void;
  /** Sets the next offset of a partition. It is sent by itself, all offsets at most every SEND_EVERY_MS. */
  set(partition: number, next: number): void;
  /** Sends the offsets that were not sent yet. */
  flush(): Promise<void>;
}

const SEND_EVERY_MS = 5000;

/** @param sendEveryMs another interval than the default */
export function createLagReport(
  topic: string,
  logger: Logger,
  sendEveryMs = SEND_EVERY_MS,
): LagReport {
  const pending = new Map<number, number>();
  let owned = new Set<number>();
  let sender: Consumer | null = null;
  let timer: NodeJS.Timeout | null = null;
  let sentAtMs = Number.NEGATIVE_INFINITY;
  // One after the other: a late one would set the offsets of the next one back.
  let sending = Promise.resolve();
  const keep = (partition: number, next: number) => {
    if (!owned.has(partition)) return;
    pending.set(partition, next);
    arm();
  };
  const arm = () => {
    const leftMs = sentAtMs + sendEveryMs - performance.now();
    timer ??= setTimeout(() => void flush(), Math.max(0, leftMs)).unref();
  };
  const send = async () => {
    if (sender === null || pending.size === 0) return;
    sentAtMs = performance.now();
    const sent = [...pending];
    pending.clear();
    const offsets = sent.map(([partition, next]) => ({ topic, partition, offset: String(next) }));
    const used = sender;
    await used.commitOffsets(offsets).catch((error: Error) => {
      logger.debug({ reason: error.message }, 'Offsets were not left for lag tools');
      // The next consumer may have sent later ones. Each claim reports its offset.
      if (sender !== null && sender !== used) return;
      for (const [partition, next] of sent) keep(partition, pending.get(partition) ?? next);
    });
  };
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    sending = sending.then(send);
    return sending;
  };
  return {
    use(consumer) {
      sender = consumer;
      // A commit of the last consumer that never ends keeps none of this one back.
      sending = Promise.resolve();
      if (pending.size > 0) arm();
    },
    own(partitions) {
      owned = new Set(partitions);
      for (const partition of pending.keys()) {
        if (!owned.has(partition)) pending.delete(partition);
      }
    },
    set: keep,
    flush,
  };
}
