// Disks of servers that really fill up. The servers then end, and are restarted once there is room.
import { setTimeout as sleep } from 'node:timers/promises';
import { inBadWeather } from './database-faults.ts';
import type { Fault } from './fault.ts';
import type { World } from './world.ts';

/** A server that still runs after this time copes with the full disk. */
const FULL_MS_MAX = 12_000;

export const DISK_FAULTS: readonly Fault[] = [
  {
    name: 'disk of a member of the database full',
    weight: 1,
    of: 'database',
    isPossible: ({ set }) => memberWithDisk(set) !== undefined,
    run: world =>
      inBadWeather(world, async () => {
        const member = memberWithDisk(world.set);
        await member?.disk?.fill();
        await Promise.race([member?.ended(), sleep(FULL_MS_MAX)]);
        await member?.disk?.free();
        await member?.killAndRestart(0);
      }),
  },
  {
    name: 'disk of the broker full',
    weight: 1,
    of: 'broker',
    isPossible: ({ brokerDisk }) => brokerDisk !== null,
    async run({ broker, brokerDisk }) {
      await brokerDisk?.fill();
      await Promise.race([broker.ended(), sleep(FULL_MS_MAX)]);
      await broker.restart(async () => brokerDisk?.free(), 'SIGKILL');
    },
  },
];

function memberWithDisk({ members }: World['set']) {
  return members.find(({ disk }) => disk !== null);
}
