// What a process waits for before work should be sent to it: servers, a generation that answers, partitions.
import { describeNotSwitched } from '../projector/generations/build-watch.ts';
import { fedBy, GIVEN_UP_REASON } from '../projector/generations/plan.ts';
import type { GenerationStatus } from '../projector/system-status.ts';
import { pausedMessage } from '../read-store/parking-limit.ts';
import type { Registry } from '../read-store/registry.ts';
import type { Look } from './look.ts';
import { reasonWords } from './page/words.ts';
import type { OwnPartitions } from './partitions.ts';

export interface Waiting {
  readonly what: 'shutdown' | 'database' | 'log' | 'generation' | 'partitions' | 'operator';
  /** A sentence for people. */
  readonly message: string;
}

export interface ReadinessOptions {
  /** The version of the projections that this process feeds; null for a reader. */
  readonly feeds: number | null;
  readonly own: OwnPartitions;
  /** Aborted when the process begins to stop. */
  readonly stopping: AbortSignal;
  /** When the process began. */
  readonly startedAt: Date;
}

/**
 * So long a projector may take to get its share. One that has none by then is a spare: there are more projectors
 * than partitions, and it is ready as long as the others keep up.
 */
export const SHARE_MS_MAX = 15_000;

/** Tells from a look what the process waits for; nothing when it is ready. */
export function createReadiness(options: ReadinessOptions): (look: Look) => readonly Waiting[] {
  const { feeds, own, stopping, startedAt } = options;
  /** The `next` that a partition had when it was seen first. */
  const firstNexts = new Map<string, number>();

  function partitionsWaitedFor({ id, partitions }: GenerationStatus, ageMs: number): string[] {
    const halted = partitions.filter(
      status => status.halted !== null || own.state(id, status.partition) === 'halted',
    );
    const why = halted.find(status => status.halted !== null)?.halted?.reason;
    const left = partitions.filter(({ partition, next, lagEvents }) => {
      const place = `${id}/${partition}`;
      const first = firstNexts.get(place) ?? next;
      firstNexts.set(place, first);
      return own.state(id, partition) === null && lagEvents > 0 && next === first;
    });
    const hasNone = own.count(id, 'claimed') === 0 && halted.length === 0;
    return [
      ...(halted.length > 0
        ? [`${id}: ${named(halted)} halted: ${why ?? 'the log is not the one that was projected'}`]
        : []),
      ...(hasNone && ageMs < SHARE_MS_MAX ? [`${id}: no partition is claimed yet`] : []),
      ...(left.length > 0 ? [`${id}: nobody works on ${named(left)}`] : []),
    ];
  }

  return look => {
    const { at, registry, logAnswers, standing } = look;
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
    const fed = fedBy(registry, feeds).map(({ id }) => id);
    const settings = standing?.status.settingsProblem ?? null;
    if (settings !== null) wait('log', settings);
    const ageMs = at.getTime() - startedAt.getTime();
    for (const generation of standing?.status.generations ?? []) {
      if (!fed.includes(generation.id)) continue;
      const { id, state, paused } = generation;
      // One that has retired holds nobody up: it is kept for a rollback alone.
      if (paused && state !== 'retired') wait('operator', pausedMessage(id, paused.reason));
      for (const message of partitionsWaitedFor(generation, ageMs)) wait('partitions', message);
    }
    return waiting;
  };
}

// What was asked for and does not happen. A build that was given up or replaced is not wanted any more.
function buildsWaitedFor({ generations }: Registry, feeds: number): string[] {
  const own = generations.filter(({ version }) => version === feeds);
  return own.flatMap(({ id, state, reason, waitsFor, replacedBy }) => {
    if (waitsFor !== null) return [describeNotSwitched(id, reasonWords(waitsFor))];
    const isUnwanted = reason === GIVEN_UP_REASON || replacedBy !== undefined;
    return state === 'failed' && !isUnwanted ? [`${id} failed: ${reasonWords(reason ?? '')}`] : [];
  });
}

function named(partitions: readonly { readonly partition: number }[]): string {
  const numbers = partitions.map(({ partition }) => partition).join(', ');
  return `partition${partitions.length === 1 ? '' : 's'} ${numbers}`;
}
