// Commits offsets to the consumer group for lag tools. This program never reads them: positions are in the checkpoints.
import type { Consumer } from 'kafkajs';
import type { Log } from '../../process/log.ts';

export interface LagReport {
  /** Sends through this consumer from now on. */
  use(consumer: Consumer): void;
  /** Sets the next offset of a partition. Sends all offsets at most every SEND_EVERY_MS. */
  set(partition: number, next: number): void;
  /** Sends the offsets that were not sent yet. */
  flush(): Promise<void>;
}

const SEND_EVERY_MS = 5000;

export function createLagReport(topic: string, logger: Log): LagReport {
  const pending = new Map<number, number>();
  let sender: Consumer | null = null;
  let sentAt = 0;
  const flush = async () => {
    sentAt = Date.now();
    const offsets = [...pending].map(([partition, next]) => {
      return { topic, partition, offset: String(next) };
    });
    pending.clear();
    if (offsets.length === 0) return;
    await sender?.commitOffsets(offsets).catch((error: Error) => {
      logger.debug({ reason: error.message }, 'Offsets were not left for lag tools');
    });
  };
  return {
    use(consumer) {
      sender = consumer;
    },
    set(partition, next) {
      pending.set(partition, next);
      if (Date.now() - sentAt > SEND_EVERY_MS) flush().catch(() => {});
    },
    flush,
  };
}
