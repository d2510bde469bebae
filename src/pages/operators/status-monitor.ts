// Takes snapshots of the status, which say whether database and log answer, and the state of generations and held
// streams: every 5 s for the history, and on request; never two at the same time.
import type { EventLog } from '../../event-log/event-log.ts';
import { type HeldEvents, readHeldEvents } from '../../projector/operate/held-events.ts';
import { type SystemStatus, systemStatus } from '../../projector/operate/system-status.ts';
import { type Registry, readRegistry } from '../../store/registry.ts';
import type { ReadDatabase } from '../../store/snapshot.ts';
import { lastVerifications, type Verification } from '../../store/verifications.ts';
import { createSamples, SAMPLE_MS, type Sample } from './samples.ts';

export interface StatusMonitor {
  /** Begins to take snapshots. Until then a snapshot says that no server answers. */
  watch(sources: StatusSources): void;
  /** Returns a snapshot that is at most a second old, or takes a new one. */
  snapshot(): Promise<StatusSnapshot>;
  /**
   * Returns the first events of the streams that the last snapshot names as held; null while the database does not
   * answer. Only the page shows them, so no snapshot reads them.
   */
  heldEvents(): Promise<HeldEvents | null>;
  /** Returns the progress of the generations over the last hour, oldest sample first. */
  history(): readonly Sample[];
  stop(): void;
}

/** Requests within this time after a snapshot share it. */
const SHARED_MS = 1000;

/** @param hasLog false for a reader, which never opens the log */
export function createStatusMonitor(hasLog: boolean, now: () => Date): StatusMonitor {
  const samples = createSamples();
  let take: TakeSnapshot | null = null;
  let probeHeld: Probe<HeldEvents | null> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<StatusSnapshot> | null = null;
  let last: StatusSnapshot = unconnected(hasLog, new Date(0));

  async function takeAndKeep(takeSnapshot: TakeSnapshot): Promise<StatusSnapshot> {
    last = await takeSnapshot();
    if (last.projection) samples.add(last.projection.at.getTime(), last.projection.status);
    return last;
  }

  function snapshot(): Promise<StatusSnapshot> {
    if (!take) return Promise.resolve(unconnected(hasLog, now()));
    if (Math.abs(now().getTime() - last.at.getTime()) < SHARED_MS) return Promise.resolve(last);
    underWay ??= takeAndKeep(take).finally(() => {
      underWay = null;
    });
    return underWay;
  }

  return {
    watch(sources) {
      take = createSnapshotTaker(sources, now);
      const held = async () =>
        last.projection && readHeldEvents(sources.readModel, last.projection.status);
      probeHeld = createProbe(held, STEP_MS_MAX);
      timer = setInterval(() => void snapshot(), SAMPLE_MS).unref();
    },
    snapshot,
    heldEvents: async () => (await probeHeld?.()) ?? null,
    history: () => samples.all(),
    stop: () => clearInterval(timer),
  };
}

function unconnected(hasLog: boolean, at: Date): StatusSnapshot {
  return { at, registry: null, logAnswers: hasLog ? false : null, projection: null };
}

/** The stores to inspect, once the process is connected. */
export interface StatusSources {
  readonly readModel: ReadDatabase;
  /** Null for a reader, which never opens the log. */
  readonly eventLog: EventLog | null;
}

export interface StatusSnapshot {
  /** When taking it began. */
  readonly at: Date;
  /** Null while the database does not answer. */
  readonly registry: Registry | null;
  /** Whether the log answers; null for a reader. */
  readonly logAnswers: boolean | null;
  /** Null for a reader, while database or log do not answer, and while the last result is older than 15 s. */
  readonly projection: ProjectionStatus | null;
}

/** Progress, held streams and verifications. Reading them may take longer than a snapshot, so they may be older. */
export interface ProjectionStatus {
  readonly at: Date;
  readonly status: SystemStatus;
  readonly verifications: readonly Verification[];
}

export type TakeSnapshot = () => Promise<StatusSnapshot>;

/** A snapshot takes two steps, and health checks wait for both. A step goes on without an answer after this time. */
export const STEP_MS_MAX = 1000;
/** An older result counts as unknown. */
const PROJECTION_AGE_MS_MAX = 15_000;

function createSnapshotTaker(
  { readModel, eventLog }: StatusSources,
  now: () => Date,
): TakeSnapshot {
  let known: ProjectionStatus | null = null;
  const probeDatabase = createProbe(() => readRegistry(readModel), STEP_MS_MAX);
  const probeLog = eventLog && createProbe(() => eventLog.bounds(0), STEP_MS_MAX);
  const probeProjection =
    eventLog &&
    createProbe(async () => {
      known = await readProjection(readModel, eventLog, now());
      return known;
    }, STEP_MS_MAX);
  // A clock that is set back makes nothing new.
  const isFresh = (at: Date) => Math.abs(now().getTime() - at.getTime()) <= PROJECTION_AGE_MS_MAX;
  return async () => {
    const at = now();
    const [registry, bounds] = await Promise.all([probeDatabase(), probeLog?.() ?? null]);
    const bothAnswer = registry && bounds;
    const projection = (bothAnswer && (await probeProjection?.())) ?? known;
    return {
      at,
      registry,
      logAnswers: probeLog ? bounds !== null : null,
      projection: bothAnswer && projection && isFresh(projection.at) ? projection : null,
    };
  };
}

async function readProjection(
  readModel: ReadDatabase,
  eventLog: EventLog,
  at: Date,
): Promise<ProjectionStatus> {
  const status = await systemStatus(readModel, eventLog, at);
  return { at, status, verifications: await lastVerifications(readModel) };
}

/** Returns the answer; null if the request failed or timed out. */
export type Probe<T> = () => Promise<T | null>;

/**
 * Sends a request to a server that may not answer: never two at the same time, and with a time limit for the caller. One
 * that timed out stays open, and later calls share it, so a hanging server never gets more than one.
 */
export function createProbe<T>(ask: () => Promise<T>, timeoutMs: number): Probe<T> {
  // A race of each caller with a request that is never answered would stay in memory.
  const waiting = new Set<(answer: T | null) => void>();
  let isAsked = false;
  return () =>
    new Promise(resolve => {
      const end = (answer: T | null) => {
        clearTimeout(timer);
        waiting.delete(end);
        resolve(answer);
      };
      // After this process itself stood still, timers run before an answer is read that came in time.
      const timer = setTimeout(() => setImmediate(end, null), timeoutMs);
      waiting.add(end);
      if (isAsked) return;
      isAsked = true;
      const answered = (answer: T | null) => {
        isAsked = false;
        for (const endOne of [...waiting]) endOne(answer);
      };
      ask().then(answered, () => answered(null));
    });
}
