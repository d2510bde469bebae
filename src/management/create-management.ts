// The management port of a process: health, metrics and a page for operators, over what its parts report.
import { hostname } from 'node:os';
import { UserError } from '../errors.ts';
import { listen } from '../http/listen.ts';
import type { Log } from '../log.ts';
import type { GenerationMetrics } from '../projector/metrics.ts';
import { isAllowedHost } from './allowed-host.ts';
import { type Answer, createHandler, type Endpoint, plain } from './handler.ts';
import type { Look, Sources } from './look.ts';
import { createLookout, type Lookout } from './lookout.ts';
import { createMetrics, type Metrics } from './metrics/create-metrics.ts';
import type { HttpMetrics } from './metrics/http-metrics.ts';
import { REFRESH_SCRIPT } from './page/refresh-script.ts';
import { MANAGEMENT_POLICY, renderPage } from './page/render-page.ts';
import { createOwnPartitions, type OwnPartitions } from './partitions.ts';
import { createReadiness, type Waiting } from './readiness.ts';

export interface ManagementOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** The command that the process runs, and what it does. */
  readonly command: string;
  readonly reads: boolean;
  readonly projects: boolean;
  /** The version of the projections in this process. */
  readonly version: number;
  /** Aborted when the process begins to stop: from then on it is not ready. */
  readonly stopping: AbortSignal;
  readonly now: () => Date;
  readonly log: Log;
}

export interface Management {
  /** The port that was given, or the one found for port 0. */
  readonly port: number;
  /** Null where the process does not read. */
  readonly http: HttpMetrics | null;
  /** What the projector of a generation reports to. */
  projector(generation: string): GenerationMetrics;
  /** To be called once the process is connected: until then it waits for its servers. */
  watch(sources: Sources): void;
  close(): Promise<void>;
}

const PATHS = { script: '/refresh.js', ready: '/readyz', metrics: '/metrics' } as const;
/** Requests in hand may take so long to finish when the process stops. */
const DRAIN_MS = 1000;

interface Parts {
  readonly options: ManagementOptions;
  readonly own: OwnPartitions;
  readonly metrics: Metrics;
  readonly lookout: Lookout;
  readonly waitsOf: (look: Look) => readonly Waiting[];
}

/**
 * Listens at once, so that a process tells what it waits for.
 *
 * @throws UserError when the port is taken
 */
export async function createManagement(options: ManagementOptions): Promise<Management> {
  const { command, reads, projects, version, stopping, now, log } = options;
  const own = createOwnPartitions();
  const metrics = createMetrics({ command, reads, projects, version, own, now });
  const lookout = createLookout(projects, now);
  const feeds = projects ? version : null;
  const waitsOf = createReadiness({ feeds, own, stopping, startedAt: now() });
  const endpoints = endpointsOf({ options, own, metrics, lookout, waitsOf });
  const names = { listensOn: options.host, machine: hostname() };
  const handler = createHandler({
    endpoints,
    isAllowedHost: host => isAllowedHost(host, names),
    log,
  });
  const listening = await listen(handler, options).catch(namePort);
  return {
    port: listening.port,
    http: metrics.http,
    projector(generation) {
      if (!metrics.projector) throw new Error(`budgeting ${command} has no projector`);
      return metrics.projector.of(generation);
    },
    watch: lookout.watch,
    async close() {
      lookout.stop();
      await listening.stop(DRAIN_MS);
    },
  };
}

function namePort(error: unknown): never {
  if (!(error instanceof UserError)) throw error;
  const hint = 'set MANAGEMENT_PORT to another, or to 0 for any free one';
  throw new UserError(`${error.message}: ${hint}`, { cause: error });
}

function endpointsOf(parts: Parts): Readonly<Record<string, Endpoint>> {
  const { lookout, metrics, waitsOf } = parts;
  return {
    '/': query => page(parts, query === 'still'),
    // That it is answered is the proof: nobody else than the event loop could.
    '/livez': () => plain(200, 'alive'),
    [PATHS.ready]: async () => readiness(waitsOf(await lookout.look())),
    async [PATHS.metrics]() {
      const look = await lookout.look();
      const body = await metrics.render(look, waitsOf(look).length === 0);
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
  const { options, own, metrics, lookout, waitsOf } = parts;
  const look = await lookout.look();
  const facts = {
    command: options.command,
    projects: options.projects,
    look,
    own,
    waiting: waitsOf(look),
    history: lookout.history(),
    requests: (await metrics.http?.counts()) ?? null,
  };
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body: renderPage(facts, PATHS, still),
    headers: { 'Content-Security-Policy': MANAGEMENT_POLICY },
  };
}
