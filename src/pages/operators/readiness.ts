// Decides what a process still waits for before it is ready: servers, an active generation, partitions, an operator.
import { describeNotSwitched, describePartitions } from '../../generations/build-watch.ts';
import { redactReason } from '../../process/printable.ts';
import type { GenerationStatus, PartitionStatus } from '../../projector/operate/system-status.ts';
import { fedBy, hasFailed } from '../../store/generation-plan.ts';
import { pausedMessage } from '../../store/parking-limit.ts';
import type { Registry } from '../../store/registry.ts';
import type { OwnPartitions } from './partitions.ts';
import type { StatusSnapshot } from './status-monitor.ts';

/**
 * A projector may take this long to claim its first partition. One without a partition after that is a spare, because
 * there are more projectors than partitions; it is ready as long as the others keep up.
 */
const SHARE_MS_MAX = 15_000;

export interface Waiting {
  readonly what: 'shutdown' | 'database' | 'log' | 'generation' | 'partitions' | 'operator';
  /** A sentence for people. */
  readonly message: string;
}

export interface ReadinessOptions {
  /** The version of the projections that this process applies; null for a reader. */
  readonly feeds: number | null;
  readonly own: OwnPartitions;
  /** Aborted when the process begins to stop. */
  readonly stopping: AbortSignal;
  /** When the process began. */
  readonly startedAt: Date;
}

/** Returns a function that derives from a snapshot what the process waits for; nothing if it is ready. */
export function createReadiness(
  options: ReadinessOptions,
): (snapshot: StatusSnapshot) => readonly Waiting[] {
  const { feeds, own, stopping, startedAt } = options;
  const standing = createStandingPartitions();

  function partitionsWaitedFor({ id, partitions, paused }: GenerationStatus, at: Date): string[] {
    // A clock that is set back makes no process new.
    const ageMs = Math.abs(at.getTime() - startedAt.getTime());
    const halted = partitions.filter(
      status => status.halted !== null || own.state(id, status.partition) === 'halted',
    );
    const why = halted.find(status => status.halted !== null)?.halted?.reason;
    const left = partitions.filter(status => {
      const { partition, halted: isHalted } = status;
      const isStuck = standing.isStuck(`${id}/${partition}`, status, {
        at,
        paused: paused !== null,
      });
      return isStuck && isHalted === null && own.state(id, partition) === null;
    });
    const hasNone = own.count(id, 'claimed') === 0 && halted.length === 0;
    return [
      ...(halted.length > 0
        ? [
            `${id}: ${describePartitions(halted)} halted: ${why ?? 'the log is not the one that was projected'}`,
          ]
        : []),
      ...(hasNone && ageMs < SHARE_MS_MAX ? [`${id}: no partition is claimed yet`] : []),
      ...(left.length > 0 ? [`${id}: nobody works on ${describePartitions(left)}`] : []),
    ];
  }

  return snapshot => {
    const { at, registry, logAnswers, projection } = snapshot;
    const waiting: Waiting[] = [];
    const wait = (what: Waiting['what'], message: string) => waiting.push({ what, message });
    if (stopping.aborted) wait('shutdown', 'The process is shutting down');
    if (!registry) wait('database', 'The database does not answer');
    if (logAnswers === false) wait('log', 'The event log does not answer');
    if (registry && registry.active === null) {
      const [built] = registry.generations;
      const why = built ? `${built.id} is ${built.state}` : 'no projector has run';
      wait('generation', `No generation answers yet: ${why}`);
    }
    if (feeds === null || !registry) return waiting;
    for (const message of buildsWaitedFor(registry, feeds)) wait('generation', message);
    if (logAnswers !== true) return waiting;
    if (projection === null) {
      standing.forgetTimes();
      wait('partitions', 'The event log has not answered about every partition');
      return waiting;
    }
    const fed = fedBy(registry, feeds).map(({ id }) => id);
    const { settingsProblem, generations } = projection.status;
    if (settingsProblem !== null) wait('log', settingsProblem);
    for (const generation of generations) {
      if (!fed.includes(generation.id)) continue;
      const { id, state, paused } = generation;
      // Nobody waits for a retired generation: it is only kept for a rollback.
      if (state === 'retired') continue;
      if (paused) wait('operator', pausedMessage(id, paused.reason));
      for (const message of partitionsWaitedFor(generation, at)) wait('partitions', message);
    }
    return waiting;
  };
}

// Returns the builds of this version that wait or failed. A build that was given up or replaced is no longer wanted.
function buildsWaitedFor({ generations }: Registry, feeds: number): string[] {
  const own = generations.filter(({ version }) => version === feeds);
  return own.flatMap(generation => {
    const { id, reason, waitsFor } = generation;
    if (waitsFor !== null) return [describeNotSwitched(id, redactReason(waitsFor))];
    return hasFailed(generation) ? [`${id} failed: ${redactReason(reason ?? '')}`] : [];
  });
}

interface Standing {
  readonly next: number;
  /** Since when it has events to apply and stands there, in epoch milliseconds; null without any. */
  readonly sinceMs: number | null;
}

interface Moment {
  readonly at: Date;
  /** Nobody works meanwhile, and owners keep their partitions. */
  readonly paused: boolean;
}

interface StandingPartitions {
  /** Returns whether it has stood for `SHARE_MS_MAX` with events to apply. `place` names it within all generations. */
  isStuck(place: string, status: PartitionStatus, moment: Moment): boolean;
  /** Nothing is known of the partitions, so their times begin again. */
  forgetTimes(): void;
}

/** Follows which partitions have events to apply and stand still, from one snapshot of the status to the next. */
function createStandingPartitions(): StandingPartitions {
  const places = new Map<string, Standing>();
  return {
    isStuck(place, { next, lagEvents }, { at, paused }) {
      const last = places.get(place);
      const nowMs = at.getTime();
      const sinceMs = paused || lagEvents === 0 ? null : sinceMsOf(last, next, nowMs);
      places.set(place, { next, sinceMs });
      // A clock that is set back makes nothing move.
      return sinceMs !== null && Math.abs(nowMs - sinceMs) >= SHARE_MS_MAX;
    },
    forgetTimes() {
      for (const [place, { next }] of places) places.set(place, { next, sinceMs: null });
    },
  };
}

function sinceMsOf(last: Standing | undefined, next: number, nowMs: number): number {
  // Nothing is known of the time before the first snapshot: it counts as one that stands still.
  if (last === undefined) return Number.NEGATIVE_INFINITY;
  return last.next === next ? (last.sinceMs ?? nowMs) : nowMs;
}
