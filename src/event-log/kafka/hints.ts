// Leaves offsets with the consumer group, where lag tools look for them; nothing here ever reads them.
import type { Consumer } from 'kafkajs';
import type { Log } from '../../log.ts';

export interface Hints {
  /** The consumer that sends from now on. */
  use(consumer: Consumer): void;
  set(partition: number, next: number): void;
  /** Sends what is left. */
  flush(): Promise<void>;
}

const SEND_EVERY_MS = 5000;

export function createHints(topic: string, log: Log): Hints {
  const pending = new Map<number, number>();
  let used: Consumer | null = null;
  let sentAt = 0;
  const flush = async () => {
    sentAt = Date.now();
    const offsets = [...pending].map(([partition, next]) => {
      return { topic, partition, offset: String(next) };
    });
    pending.clear();
    if (offsets.length === 0) return;
    await used?.commitOffsets(offsets).catch((error: Error) => {
      log.debug({ reason: error.message }, 'Offsets were not left for lag tools');
    });
  };
  return {
    use(consumer) {
      used = consumer;
    },
    set(partition, next) {
      pending.set(partition, next);
      if (Date.now() - sentAt > SEND_EVERY_MS) flush().catch(() => {});
    },
    flush,
  };
}
