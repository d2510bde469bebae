// What figures are given: sizes, servers that are started when they are first needed, and a way to say what goes on.
import type { Measured } from './measured.ts';
import type { Mongod } from './mongod.ts';
import type { Sizes } from './sizes.ts';
import type { World } from './world.ts';

export interface Bench {
  readonly sizes: Sizes;
  /** Takes one line about each step that takes time. */
  readonly report: (line: string) => void;
  /** Addresses of the broker that all figures share. */
  kafka(): Promise<string>;
  /** A database server of the figure's own; it is stopped at the end, or earlier by the figure itself. */
  mongod(): Promise<Mongod>;
  /** The whole system with budgets to read, which figures of readers share. */
  world(): Promise<World>;
}

export interface Figure {
  readonly name: string;
  measure(bench: Bench): Promise<readonly Measured[]>;
}
