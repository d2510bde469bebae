// What a fault is.
import type { Random } from '../histories/random.ts';
import type { World } from './world.ts';

export interface Fault {
  readonly name: string;
  /** How often, compared with others. */
  readonly weight: number;
  /** Faults of the same one come one after the other. */
  readonly of:
    | 'projectors'
    | 'freezing'
    | 'readers'
    | 'clocks'
    | 'broker'
    | 'database'
    | 'events'
    | 'strays'
    | 'queue';
  /** Takes so long that short runs leave it out. */
  readonly isLong?: boolean;
  /** Whether this machine can do it (default: any can). */
  isPossible?(world: World): boolean;
  run(world: World, random: Random): Promise<void>;
}

/** Of freezes that outlast every time limit but the watchdog's. */
export const MINUTE_MS = 60_000;
