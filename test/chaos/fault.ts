// The definition of a fault.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../histories/random.ts';
import type { TcpProxy } from './proxy.ts';
import type { World } from './world.ts';

export interface Fault {
  readonly name: string;
  /** Its frequency, relative to other faults. */
  readonly weight: number;
  /** Only one fault of each of these runs at a time. */
  readonly of:
    | 'projectors'
    | 'freezing'
    | 'readers'
    | 'clocks'
    | 'broker'
    | 'database'
    | 'events'
    | 'strays'
    | 'queue'
    | 'generations'
    | 'operators';
  /** Takes so long that short runs leave it out. */
  readonly isLong?: boolean;
  /** Returns whether this machine can do it (default: always). */
  isPossible?(world: World): boolean;
  run(world: World, random: Random): Promise<void>;
}

/** The length of freezes that outlast every timeout except the watchdog's. */
export const MINUTE_MS = 60_000;

export async function freeze(
  server: { signal(name: NodeJS.Signals): unknown },
  lastsMs: number,
): Promise<void> {
  server.signal('SIGSTOP');
  await sleep(lastsMs);
  server.signal('SIGCONT');
}

export async function cut(proxy: TcpProxy, random: Random): Promise<void> {
  proxy.cut();
  await sleep(random.between(50, 6000));
  proxy.mend();
}

/** Leaves connections half-open. */
export async function swallow(proxy: TcpProxy, random: Random): Promise<void> {
  proxy.swallow();
  await sleep(random.between(1000, 12_000));
  proxy.mend();
}
