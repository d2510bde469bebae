// The definition of a fault.
import type { Random } from '../histories/random.ts';
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
