// Shows what is taken of a reader's bounds, and how often none was free.
import { Counter, Gauge, type Registry } from 'prom-client';
import { BOUNDS, type BoundName, type ProcessBounds } from '../../../http/bounds.ts';

const NAMES = Object.keys(BOUNDS) as BoundName[];

/** Returns a function that begins to show bounds; before that all of them are free. */
export function createBoundMetrics(registry: Registry): (bounds: ProcessBounds) => void {
  let watched: ProcessBounds | null = null;
  const registers = [registry];
  const labelNames = ['bound'];
  new Gauge({
    name: 'budgeting_bound_taken',
    help: 'Places of a bound that are taken',
    labelNames,
    registers,
    collect() {
      for (const bound of NAMES) this.set({ bound }, watched?.[bound].taken() ?? 0);
    },
  });
  new Gauge({
    name: 'budgeting_bound_max',
    help: 'Places of a bound; beyond them requests get 503',
    labelNames,
    registers,
    collect() {
      for (const bound of NAMES) this.set({ bound }, watched?.[bound].max ?? BOUNDS[bound]);
    },
  });
  new Counter({
    name: 'budgeting_bound_refusals_total',
    help: 'Requests and connections that found no place',
    labelNames,
    registers,
    collect() {
      this.reset();
      for (const bound of NAMES) this.inc({ bound }, watched?.[bound].refused() ?? 0);
    },
  });
  return bounds => {
    watched = bounds;
  };
}
