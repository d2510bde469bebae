// How fast a generation comes on, and how long it will take. Pure.
import type { Sample } from './samples.ts';

export interface Pace {
  readonly eventsPerSecond: number;
  /** Null where nothing moves, or nothing is left. */
  readonly secondsLeft: number | null;
}

/** What lies further back says little of now. */
const WINDOW_MS = 60_000;

/** The pace over the last minute; null before two samples of the generation. */
export function paceOf(samples: readonly Sample[], generation: string): Pace | null {
  const last = samples.at(-1);
  const now = last?.generations.get(generation);
  if (!last || !now) return null;
  const first = samples.find(
    ({ atMs, generations }) => last.atMs - atMs <= WINDOW_MS && generations.has(generation),
  );
  const before = first?.generations.get(generation);
  if (!first || !before || first.atMs === last.atMs) return null;
  const seconds = (last.atMs - first.atMs) / 1000;
  const eventsPerSecond = Math.max(0, now.applied - before.applied) / seconds;
  const moves = eventsPerSecond > 0 && now.lagEvents > 0;
  return { eventsPerSecond, secondsLeft: moves ? now.lagEvents / eventsPerSecond : null };
}
