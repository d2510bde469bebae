// The management port of a process: health checks, metrics and the operators' page.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { listen } from '../../http/listen.ts';
import { isAllowedHost } from '../../process/allowed-host.ts';
import type { Logger } from '../../process/log.ts';
import type { GenerationMetrics } from '../../projector/partition/partition-context.ts';
import { createMetrics, type Metrics, type MetricsOptions } from './metrics/create-metrics.ts';
import type { HttpMetrics } from './metrics/http-metrics.ts';
import { REFRESH_SCRIPT } from './page/assets.ts';
import { MANAGEMENT_POLICY, renderOperatorsPage } from './page/render-page.ts';
import { createOwnPartitions, type OwnPartitions } from './partitions.ts';
import { createReadiness, type Waiting } from './readiness.ts';
import {
  createStatusMonitor,
  type StatusMonitor,
  type StatusSnapshot,
  type StatusSources,
} from './status-monitor.ts';

export interface ManagementOptions extends Omit<MetricsOptions, 'own'> {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Aborted when the process begins to stop; from then on it is not ready. */
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

export interface Management {
  /** The configured port, or the one that was found for port 0. */
  readonly port: number;
  /** Null if the process does not serve the read API. */
  readonly http: HttpMetrics | null;
  /**
   * Returns the metrics to which the projector of a generation reports.
   *
   * @throws Error when the process runs no projector
   */
  projector(generation: string): GenerationMetrics;
  /** Call it once the process is connected; until then the process is not ready. */
  watch(sources: StatusSources): void;
  close(): Promise<void>;
}

const PATHS = { script: '/refresh.js', ready: '/readyz', metrics: '/metrics' } as const;
const VARIABLES = { host: 'MANAGEMENT_HOST', port: 'MANAGEMENT_PORT' };
/** Requests still open this long after the stop begins are cut off. */
const DRAIN_MS = 1000;

interface Parts {
  readonly options: ManagementOptions;
  readonly own: OwnPartitions;
  readonly metrics: Metrics;
  readonly monitor: StatusMonitor;
  readonly waitsOf: (snapshot: StatusSnapshot) => readonly Waiting[];
}

/**
 * Listens before the process is connected, so that /readyz can say what the process waits for.
 *
 * @throws UserError when the port is taken
 */
export async function createManagement(options: ManagementOptions): Promise<Management> {
  const { command, projects, version, stopping, now, logger } = options;
  const own = createOwnPartitions();
  const metrics = createMetrics({ ...options, own });
  const monitor = createStatusMonitor(projects, now);
  const feeds = projects ? version : null;
  const waitsOf = createReadiness({ feeds, own, stopping, startedAt: now() });
  const endpoints = endpointsOf({ options, own, metrics, monitor, waitsOf });
  const names = { listensOn: options.host, machine: hostname() };
  const handler = createHandler({
    endpoints,
    isAllowedHost: host => isAllowedHost(host, names),
    logger,
  });
  const { host, port } = options;
  const listening = await listen(handler, { host, port, variables: VARIABLES });
  return {
    port: listening.port,
    http: metrics.http,
    projector(generation) {
      if (!metrics.projector) throw new Error(`budgeting ${command} has no projector`);
      return metrics.projector.of(generation);
    },
    watch: monitor.watch,
    async close() {
      monitor.stop();
      await listening.stop(DRAIN_MS);
    },
  };
}

function endpointsOf(parts: Parts): Readonly<Record<string, ManagementEndpoint>> {
  const { monitor, metrics, waitsOf } = parts;
  return {
    '/': query => page(parts, query === 'still'),
    // An answer proves that the event loop runs.
    '/livez': () => plain(200, 'alive'),
    [PATHS.ready]: async () => readiness(waitsOf(await monitor.snapshot())),
    async [PATHS.metrics]() {
      const snapshot = await monitor.snapshot();
      const body = await metrics.render(snapshot, waitsOf(snapshot).length === 0);
      return { status: 200, type: metrics.contentType, body };
    },
    [PATHS.script]: () => ({
      status: 200,
      type: 'text/javascript; charset=utf-8',
      body: REFRESH_SCRIPT,
    }),
  };
}

function readiness(waitsFor: readonly Waiting[]): Answer {
  const ready = waitsFor.length === 0;
  const body = `${JSON.stringify({ ready, waitsFor })}\n`;
  return { status: ready ? 200 : 503, type: 'application/json', body };
}

async function page(parts: Parts, still: boolean): Promise<Answer> {
  const { options, own, metrics, monitor, waitsOf } = parts;
  const { http } = metrics;
  const snapshot = await monitor.snapshot();
  const facts = {
    command: options.command,
    projects: options.projects,
    snapshot,
    heldEvents: await monitor.heldEvents(),
    own,
    waiting: waitsOf(snapshot),
    history: monitor.history(),
    requests: http && { counts: await http.counts(), buckets: await http.buckets() },
  };
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: renderOperatorsPage(facts, PATHS, still),
    headers: { 'Content-Security-Policy': MANAGEMENT_POLICY },
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the answer for one path. `query` is the raw query string without the question mark. */
type ManagementEndpoint = (query: string) => Answer | Promise<Answer>;

interface HandlerOptions {
  readonly endpoints: Readonly<Record<string, ManagementEndpoint>>;
  readonly isAllowedHost: (host: string | undefined) => boolean;
  readonly logger: Logger;
}

/** Forbids storing, content sniffing, framing, and reading by pages of other sites. */
const HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Serves the paths of the management port. All are read-only, so a forged request from another site changes nothing. */
function createHandler(options: HandlerOptions): RequestListener {
  return (request, response) => {
    answer(options, request).then(
      found => send(response, request.method === 'HEAD', found),
      (err: unknown) => {
        options.logger.error({ err }, 'management request failed');
        send(response, request.method === 'HEAD', plain(500, 'Something went wrong'));
      },
    );
  };
}

async function answer(
  { endpoints, isAllowedHost }: HandlerOptions,
  { url = '', method, headers }: IncomingMessage,
): Promise<Answer> {
  if (!isAllowedHost(headers.host)) {
    return plain(403, 'Expected a Host that is this machine: see docs/monitoring.md');
  }
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const endpoint = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined;
  if (!endpoint) return plain(404, `Expected one of ${Object.keys(endpoints).join(' ')}`);
  if (method !== 'GET' && method !== 'HEAD') {
    return { ...plain(405, 'Expected GET or HEAD'), headers: { Allow: 'GET, HEAD' } };
  }
  return await endpoint(mark === -1 ? '' : url.slice(mark + 1));
}

function plain(status: number, text: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${text}\n` };
}

function send(response: ServerResponse, isHead: boolean, answered: Answer): void {
  const { status, type, body, headers } = answered;
  response.writeHead(status, {
    ...HEADERS,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(isHead ? undefined : body);
}
