// Counts the requests and refusals of the reader, and shows its bounds.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { LimitStatus, RateLimiter } from '../../../access/rate-limits.ts';
import { WINDOWS } from '../../../access/windows.ts';
import { BOUNDS, type BoundName, type ProcessBounds } from '../../../http/bounds.ts';
import type { RequestObservation } from '../../../http/middleware/request-log.ts';
import type { StreamObservation } from '../../../http/streams/streams.ts';

/** The number of answers of one route with one method and status. */
export interface RouteCount {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly count: number;
}

/** How many answers of one route were ready within a time. */
export interface RouteBucket extends Omit<RouteCount, 'status'> {
  /** Infinity for the count of all. */
  readonly seconds: number;
}

export interface HttpMetrics {
  observe(request: RequestObservation): void;
  observeStream(what: StreamObservation): void;
  /** Shows what is taken of the bounds of the reader. */
  watch(bounds: ProcessBounds): void;
  /** Returns the limiter with its refusals counted by window. */
  counted(limiter: RateLimiter): RateLimiter;
  counts(): Promise<readonly RouteCount[]>;
  buckets(): Promise<readonly RouteBucket[]>;
}

const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Others, which clients may invent or not send at all, count as `other`, so that the number of series stays bounded. */
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function createHttpMetrics(registry: Registry): HttpMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'budgeting_http_requests_total',
    help: 'Requests that were answered; route - is a path that is not known',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'budgeting_http_request_duration_seconds',
    help: 'Time until an answer was ready to be sent',
    labelNames: ['route', 'method'],
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const refusals = new Counter({
    name: 'budgeting_limiter_refusals_total',
    help: 'Requests refused with 429, by the window that was exhausted',
    labelNames: ['window'],
    registers,
  });
  // A counter starts at 0, so that Prometheus sees its first increase.
  for (const { name } of Object.values(WINDOWS)) refusals.inc({ window: name }, 0);
  const events = new Counter({
    name: 'budgeting_stream_events_total',
    help: 'Events that streams sent; those that a slow reader missed are not counted',
    labelNames: ['event'],
    registers,
  });
  for (const event of ['position', 'gone']) events.inc({ event }, 0);
  const refusedStreams = new Counter({
    name: 'budgeting_stream_refusals_total',
    help: 'Streams refused with 429 because their token had as many open as it may',
    registers,
  });

  const watch = createBoundMetrics(registry);

  function noted(status: LimitStatus): LimitStatus {
    if (!status.allowed) refusals.inc({ window: status.window });
    return status;
  }

  return {
    observe({ route, method: given, status, ms }) {
      const method = METHODS.includes(given) ? given : 'other';
      requests.inc({ route, method, status });
      durations.observe({ route, method }, ms / 1000);
    },
    observeStream(what) {
      if (what === 'refused') refusedStreams.inc();
      else events.inc({ event: what });
    },
    watch,
    counted: limiter => ({
      refusedHere(address) {
        const refused = limiter.refusedHere(address);
        return refused && noted(refused);
      },
      countHere: address => noted(limiter.countHere(address)),
      countAddress: async address => noted(await limiter.countAddress(address)),
      countToken: async (token, kind) => noted(await limiter.countToken(token, kind)),
    }),
    async counts() {
      const { values } = await requests.get();
      return values.map(({ labels, value }) => ({
        route: String(labels.route),
        method: String(labels.method),
        status: Number(labels.status),
        count: value,
      }));
    },
    async buckets() {
      const { values } = await durations.get();
      return values
        .filter(({ metricName }) => metricName?.endsWith('_bucket'))
        .map(({ labels, value }) => {
          // The types of prom-client leave out its own label.
          const { route, method, le } = labels as Readonly<Record<string, string | number>>;
          const seconds = le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le);
          return { route: String(route), method: String(method), seconds, count: value };
        });
    },
  };
}

const NAMES = Object.keys(BOUNDS) as BoundName[];

/**
 * Returns a function that begins to show what is taken of a reader's bounds, and how often none was free; before that all
 * of them are free.
 */
function createBoundMetrics(registry: Registry): (bounds: ProcessBounds) => void {
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
