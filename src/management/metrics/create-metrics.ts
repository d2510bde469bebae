// All metrics of a process: each role has its own, so that none is there that never moves.
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Look } from '../look.ts';
import type { OwnPartitions } from '../partitions.ts';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts';
import { createProjectorMetrics, type ProjectorMetrics } from './projector-metrics.ts';
import { createLagMetrics, createStatusMetrics } from './status-metrics.ts';

export interface Metrics {
  /** Null where the process does not read. */
  readonly http: HttpMetrics | null;
  /** Null where the process does not project. */
  readonly projector: ProjectorMetrics | null;
  readonly contentType: string;
  /** Prometheus' text format. */
  render(look: Look, isReady: boolean): Promise<string>;
}

export interface MetricsOptions {
  /** The command that the process runs. */
  readonly command: string;
  readonly reads: boolean;
  readonly projects: boolean;
  /** Of the projections. */
  readonly version: number;
  readonly own: OwnPartitions;
  readonly now: () => Date;
}

/** Gauges that are called as counters are, and ones that their makers give up. */
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
    async render(look, isReady) {
      if (look.registry) projector?.keep(idsOf(look.registry), look.at);
      showStatus(look, isReady);
      showLag?.(look);
      const text = await registry.metrics();
      // Prometheus takes this spelling of its maker's, other readers of the format do not.
      return text.replaceAll(/ Nan$/gm, ' NaN');
    },
  };
}

function idsOf({ generations }: NonNullable<Look['registry']>): string[] {
  return generations.map(({ id }) => id);
}
