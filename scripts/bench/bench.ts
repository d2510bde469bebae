// The environment of figures, and the form of a figure.
import type { Measured } from './measured.ts';
import type { Servers } from './servers.ts';
import type { Sizes } from './sizes.ts';
import type { World } from './world.ts';

export interface Bench extends Servers {
  readonly sizes: Sizes;
  /** Returns the whole system with budgets to read, which figures of readers share. */
  world(): Promise<World>;
}

export interface Figure {
  readonly name: string;
  measure(bench: Bench): Promise<readonly Measured[]>;
}
