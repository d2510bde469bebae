// A stranger joins the projectors' consumer group, takes partitions, leaves any offsets behind and goes.
import { setTimeout as sleep } from 'node:timers/promises';
import { plainClient } from '../helpers/kafka.ts';
import type { Random } from '../histories/random.ts';
import type { World } from './world.ts';

const JOIN_MS_MAX = 8000;
/** Of the first generation. */
const GROUP = 'g1';

export async function resetOffsets(
  { kafka, topic, partitions }: World,
  random: Random,
): Promise<void> {
  const offsets = Array.from({ length: partitions }, (_, partition) => {
    return { topic, partition, offset: String(random.pick([0, 1, 17, 1_000_000_000])) };
  });
  const groupId = `${topic}.${GROUP}`;
  const stranger = plainClient(kafka).consumer({ groupId, sessionTimeout: 10_000 });
  const timer = new AbortController();
  try {
    await stranger.connect();
    await stranger.subscribe({ topic });
    const joined = new Promise<void>(resolve => {
      stranger.on(stranger.events.GROUP_JOIN, () => {
        stranger.pause([{ topic }]);
        resolve();
      });
    });
    await stranger.run({ autoCommit: false, eachBatch: async () => {} });
    const patience = sleep(JOIN_MS_MAX, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([joined, patience]);
    await stranger.commitOffsets(offsets);
  } catch {
    // The group was just changing: nobody minds.
  } finally {
    timer.abort();
    await stranger.disconnect().catch(() => {});
  }
}
