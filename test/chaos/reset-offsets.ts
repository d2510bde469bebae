// A foreign consumer joins the projectors' group, takes partitions, commits arbitrary offsets and leaves.
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { createSockets } from '../../src/event-log/kafka/kafkajs-defects.ts';
import type { Random } from '../histories/random.ts';
import type { World } from './world.ts';

const JOIN_MS_MAX = 8000;
/** The group of the first generation. */
const GROUP = 'g1';

export async function resetOffsets(
  { kafka, topic, partitions }: World,
  random: Random,
): Promise<void> {
  const offsets = Array.from({ length: partitions }, (_, partition) => {
    return { topic, partition, offset: String(random.pick([0, 1, 17, 1_000_000_000])) };
  });
  const sockets = createSockets();
  const client = new Kafka({
    brokers: [...kafka.brokers],
    logLevel: logLevel.NOTHING,
    socketFactory: sockets.factory,
  });
  const stranger = client.consumer({
    groupId: `${topic}.${GROUP}`,
    sessionTimeout: 10_000,
    retry: { restartOnFailure: async () => false },
  });
  const timer = new AbortController();
  const patience = sleep(JOIN_MS_MAX, undefined, { signal: timer.signal }).catch(() => {});
  const visit = async () => {
    await stranger.connect();
    await stranger.subscribe({ topic });
    const joined = new Promise<void>(resolve => {
      stranger.on(stranger.events.GROUP_JOIN, () => {
        stranger.pause([{ topic }]);
        resolve();
      });
    });
    await stranger.run({ autoCommit: false, eachBatch: async () => {} });
    await joined;
    await stranger.commitOffsets(offsets);
  };
  // Fails during a rebalance, which does no harm.
  await Promise.race([visit().catch(() => {}), patience]);
  timer.abort();
  await Promise.race([stranger.disconnect().catch(() => {}), sleep(1000)]);
  // A consumer that is joining during its disconnect would stay a member for ever.
  sockets.end();
}
