// Keeps the progress of the generations over the last hour in memory, for the chart and the rate.
import type { SystemStatus } from '../../projector/operate/system-status.ts';

export interface GenerationSample {
  readonly applied: number;
  readonly lagEvents: number;
}

export interface Sample {
  readonly atMs: number;
  /** By id. */
  readonly generations: ReadonlyMap<string, GenerationSample>;
}

export interface Samples {
  /** Ignores a status with the time of the last one. */
  add(atMs: number, status: Pick<SystemStatus, 'generations'>): void;
  /** Returns the samples, oldest first. */
  all(): readonly Sample[];
}

export const SAMPLE_MS = 5000;
export const HISTORY_MS = 3_600_000;
const SAMPLES_MAX = HISTORY_MS / SAMPLE_MS + 1;

export function createSamples(): Samples {
  const samples: Sample[] = [];
  return {
    add(atMs, status) {
      const [beforeLast, last] = [samples.at(-2), samples.at(-1)];
      if (last && atMs === last.atMs) return;
      // The clock was set back: samples from before and after cannot be compared.
      if (last && atMs < last.atMs) samples.length = 0;
      // The newest sample replaces one that is less than 5 s after its predecessor: frequent requests add no samples.
      if (beforeLast && last && last.atMs - beforeLast.atMs < SAMPLE_MS) samples.pop();
      samples.push({ atMs, generations: sampled(status) });
      while (samples.length > SAMPLES_MAX || atMs - (samples[0]?.atMs ?? atMs) > HISTORY_MS) {
        samples.shift();
      }
    },
    all: () => samples,
  };
}

function sampled({
  generations,
}: Pick<SystemStatus, 'generations'>): ReadonlyMap<string, GenerationSample> {
  return new Map(
    generations.map(({ id, applied, partitions }) => {
      const lagEvents = partitions.reduce((sum, partition) => sum + partition.lagEvents, 0);
      return [id, { applied, lagEvents }];
    }),
  );
}
