// The environment of figures, and the form of a figure.
import type { Measured } from './measured.ts';
import type { BenchServers } from './servers.ts';
import type { Sizes } from './sizes.ts';
import type { World } from './world.ts';

export interface Bench extends BenchServers {
  readonly sizes: Sizes;
  /** Returns the whole system with budgets to read, which figures of readers share. */
  world(): Promise<World>;
}

export interface BenchFigure {
  readonly name: string;
  measure(bench: Bench): Promise<readonly Measured[]>;
}
