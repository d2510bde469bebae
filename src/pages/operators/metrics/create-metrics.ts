// Creates the metrics of a process. Each role registers only its own, so that none stays at zero for ever.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { OwnPartitions } from '../partitions.ts';
import type { StatusSnapshot } from '../status-monitor.ts';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts';
import { createProjectorMetrics, type ProjectorMetrics } from './projector-metrics.ts';
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
  readonly reads: boolean;
  readonly projects: boolean;
  /** The version of the projections. */
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
      if (snapshot.registry) projector?.keep(idsOf(snapshot.registry), snapshot.at);
      showStatus(snapshot, isReady);
      showLag?.(snapshot);
      const text = await registry.metrics();
      // prom-client writes `Nan`; Prometheus accepts that spelling, other parsers of the format do not.
      return text.replaceAll(/ Nan$/gm, ' NaN');
    },
  };
}

function idsOf({ generations }: NonNullable<StatusSnapshot['registry']>): string[] {
  return generations.map(({ id }) => id);
}
