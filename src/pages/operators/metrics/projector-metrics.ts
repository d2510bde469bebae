// Counts the records and chunks of the projector.
import { Counter, Histogram, type Registry } from 'prom-client';
import type { FoldCounts } from '../../../projector/fold/fold.ts';
import type { GenerationMetrics } from '../../../projector/partition/partition-context.ts';
import type { OwnPartitions } from '../partitions.ts';

export interface ProjectorMetrics {
  /** Returns the metrics to pass to the projector of a generation. */
  of(generation: string): GenerationMetrics;
  /** Removes the series of generations that no longer existed at `at`, so that rebuilds do not pile up series. */
  keep(generations: readonly string[], at: Date): void;
}

const SECONDS_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const DELAY_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** The clocks of the log's server and of this process may differ, so a delay may look negative. */
function delaySeconds(writtenAt: Date, now: Date): number {
  return Math.max(0, now.getTime() - writtenAt.getTime()) / 1000;
}

/** The value of the `outcome` label for each count of a fold. */
const OUTCOMES: Readonly<Record<keyof FoldCounts, string>> = {
  applied: 'applied',
  duplicates: 'duplicate',
  dropped: 'dropped',
  unknown: 'unknown_type',
  queued: 'held',
};

export function createProjectorMetrics(
  registry: Registry,
  own: OwnPartitions,
  now: () => Date,
): ProjectorMetrics {
  const registers = [registry];
  const events = new Counter({
    name: 'budgeting_projector_events_total',
    help: 'Records that this process took from the log, by what came of them',
    labelNames: ['generation', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'budgeting_projector_chunk_duration_seconds',
    help: 'Time from reading what a chunk touches to its commit, with all tries',
    labelNames: ['generation'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const delays = new Histogram({
    name: 'budgeting_projector_readable_seconds',
    help: "Time from when a chunk's first record was written to the log to the commit that makes it readable",
    labelNames: ['generation'],
    buckets: DELAY_BUCKETS,
    registers,
  });
  /** When each generation was first reported. */
  const known = new Map<string, Date>();
  return {
    of(generation) {
      known.set(generation, now());
      // A counter starts at 0, so that Prometheus sees its first increase.
      for (const outcome of Object.values(OUTCOMES)) events.inc({ generation, outcome }, 0);
      durations.zero({ generation });
      delays.zero({ generation });
      return {
        chunkApplied(counts, { seconds, writtenAt }) {
          for (const [name, outcome] of Object.entries(OUTCOMES)) {
            events.inc({ generation, outcome }, counts[name as keyof FoldCounts]);
          }
          durations.observe({ generation }, seconds);
          if (writtenAt) delays.observe({ generation }, delaySeconds(writtenAt, now()));
        },
        partition: (partition, state) => own.set(generation, partition, state),
      };
    },
    keep(generations, at) {
      for (const [generation, since] of known) {
        if (generations.includes(generation) || since >= at) continue;
        known.delete(generation);
        own.forget(generation);
        durations.remove({ generation });
        delays.remove({ generation });
        for (const outcome of Object.values(OUTCOMES)) events.remove({ generation, outcome });
      }
    },
  };
}
