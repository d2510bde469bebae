// Creates the metrics of a process. Each role registers only its own, so that none stays at zero for ever. Those of the
// projector, which count its records and chunks, are made here too.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { FoldCounts } from '../../../projector/fold/fold.ts';
import type { GenerationMetrics } from '../../../projector/partition/partition-context.ts';
import type { OwnPartitions } from '../partitions.ts';
import type { StatusSnapshot } from '../status-monitor.ts';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts';
import { createLagMetrics, createStatusMetrics } from './status-metrics.ts';

export interface Metrics {
  /** Null if the process does not serve the read API. */
  readonly http: HttpMetrics | null;
  /** Null if the process runs no projector. */
  readonly projector: ProjectorMetrics | null;
  readonly contentType: string;
  /** Returns all metrics in Prometheus' text format. */
  render(snapshot: StatusSnapshot, isReady: boolean): Promise<string>;
}

export interface MetricsOptions {
  /** The command that the process runs. */
  readonly command: string;
  /** Whether it serves the read API. */
  readonly reads: boolean;
  /** Whether it runs a projector. */
  readonly projects: boolean;
  /** The version of the projections in this process. */
  readonly version: number;
  readonly own: OwnPartitions;
  readonly now: () => Date;
}

/** Gauges whose names end like those of counters, and deprecated ones. */
const LEFT_OUT = [
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export function createMetrics(options: MetricsOptions): Metrics {
  const { command, own } = options;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of LEFT_OUT) registry.removeSingleMetric(name);
  const info = new Gauge({
    name: 'budgeting_process_info',
    help: 'The command that the process runs, and the version of its projections; always 1',
    labelNames: ['command', 'projections_version'],
    registers: [registry],
  });
  info.set({ command, projections_version: options.version }, 1);
  const showStatus = createStatusMetrics(registry);
  const http = options.reads ? createHttpMetrics(registry) : null;
  const projector = options.projects ? createProjectorMetrics(registry, own, options.now) : null;
  const showLag = options.projects ? createLagMetrics(registry, own) : null;
  return {
    http,
    projector,
    contentType: registry.contentType,
    async render(snapshot, isReady) {
      const ids = snapshot.registry?.generations.map(({ id }) => id);
      if (ids) projector?.keep(ids, snapshot.at);
      showStatus(snapshot, isReady);
      showLag?.(snapshot);
      const text = await registry.metrics();
      // prom-client writes `Nan`; Prometheus accepts that spelling, other parsers of the format do not.
      return text.replaceAll(/ Nan$/gm, ' NaN');
    },
  };
}

interface ProjectorMetrics {
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
