// Computes how fast a generation applies events, and the time until it has caught up. Pure.
import type { Sample } from './samples.ts';

export interface ProjectionRate {
  readonly eventsPerSecond: number;
  /** Null if no event was applied in the window, or none is left. */
  readonly secondsLeft: number | null;
}

/** Older samples say little about the current rate. */
const WINDOW_MS = 60_000;

/** Returns the rate over the last minute; null until the generation has two samples in it. */
export function rateOf(samples: readonly Sample[], generation: string): ProjectionRate | null {
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
