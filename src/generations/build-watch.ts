// Follows the progress of a build by its checkpoints and the log, and finds out why it stands still.
import type { LogBounds } from '../event-log/event-log.ts';
import { partitionsProgress, sumOf } from '../projector/catch-up.ts';
import type { GenerationCollections } from '../store/collections.ts';
import type { GenerationRecord } from '../store/registry.ts';
import { HALTED } from '../store/writing/checkpoints.ts';

/** A partition with events; empty ones are left out. */
export interface BuildPartition {
  readonly partition: number;
  /** The next offset to apply; null before the first claim. */
  readonly next: number | null;
  readonly end: number;
}

export interface BuildProgress {
  readonly partitions: readonly BuildPartition[];
  readonly applied: number;
  readonly total: number;
  /** Why a partition is halted, null when none is: the log is not the one that was projected. */
  readonly halted: string | null;
}

/** Returns the progress of a build towards the ends of a log with these bounds. */
export async function readBuild(
  { checkpoints }: GenerationCollections,
  bounds: readonly LogBounds[],
): Promise<BuildProgress> {
  const stored = await checkpoints.find().sort({ _id: 1 }).toArray();
  const all = partitionsProgress(stored, bounds);
  const partitions = all
    .filter(one => one.bounds.end > 0)
    .map(({ partition, next, bounds: { end } }) => ({ partition, next, end }));
  const halted = stored.find(one => one.halted)?.halted?.reason ?? null;
  return { partitions, ...sumOf(all), halted };
}

/** Returns the sentence for people about a build that waits. */
export function describeNotSwitched(id: string, waitsFor: string): string {
  return `${id} is not switched to: ${waitsFor}`;
}

/** Returns the sentence for people about row indexes that are being built. */
export function describeIndexing({ percent }: NonNullable<GenerationRecord['indexing']>): string {
  const share = percent === null ? '' : `: ${percent} % of the rows are read`;
  return `Its row indexes are being built${share}`;
}

/** Returns why a partition of a generation is halted, or null. */
export async function haltedReason({ checkpoints }: GenerationCollections): Promise<string | null> {
  const found = await checkpoints.findOne(HALTED);
  return found?.halted?.reason ?? null;
}

/** Why a build that is behind makes no progress; null when it does, undefined while that is not known. */
export type Stall = string | null | undefined;

export interface BuildWatch {
  observe(
    build: { readonly id: string; readonly version: number },
    progress: BuildProgress,
    nowMs: number,
  ): Stall;
  /** Forgets all other builds. */
  keep(ids: readonly string[]): void;
}

/**
 * A chunk may take long, and partitions take turns: one stands still when neither it nor any that is far behind has moved
 * for this long.
 */
export const STALL_MS = 30_000;

// How the reasons of a stall begin.
const UNCLAIMED = 'No projector of version';
const STILL = 'The log has more, but';
const PAUSED = 'It is paused:';
const UNFED = 'No projector feeds it; one that tried could not:';

/** Returns the reason of a build that no process claims, with why one of them could not. */
export function describeUnfed(message: string): string {
  return `${UNFED} ${message}`;
}

/** Returns whether a reason says that no process feeds the build; one that feeds it knows better. */
export function isUnfed(reason: string | null): boolean {
  return reason?.startsWith(UNFED) === true;
}

/** Returns the reason of a paused build. */
export function describePaused(reason: string): string {
  return `${PAUSED} ${reason}; budgeting parked resume lets it go on`;
}

/** Returns whether a reason is one of a stall, which ends as soon as the build moves. */
export function isStall(reason: string | null): boolean {
  return [UNCLAIMED, STILL, PAUSED].some(start => reason?.startsWith(start) === true);
}

interface Observed {
  readonly since: number;
  partitions: ReadonlyMap<number, BuildPartition>;
  /** Since when a partition has more to read, as far as this watch has seen it, and has not moved. */
  readonly behindSince: Map<number, number>;
  hasMoved: boolean;
  /** When a partition moved last that others wait for; at first, the beginning. */
  turnAt: number;
}

/** A partition with more to read is one of those that take turns; the others follow what comes, and hold up none. */
const FAR_MIN = 1000;

/** Returns a watch that remembers when the partitions of each build moved last. */
export function createBuildWatch(stallMs = STALL_MS): BuildWatch {
  const known = new Map<string, Observed>();
  return {
    observe({ id, version }, { partitions }, nowMs) {
      const own = known.get(id) ?? {
        ...{ since: nowMs, partitions: new Map(), behindSince: new Map() },
        ...{ hasMoved: false, turnAt: nowMs },
      };
      for (const { partition, next, end } of partitions) {
        const before = own.partitions.get(partition);
        const isMoved = before !== undefined && before.next !== next;
        own.hasMoved ||= isMoved;
        if (isMoved && before.end - (before.next ?? 0) >= FAR_MIN) own.turnAt = nowMs;
        if (isMoved || (next ?? 0) >= end) own.behindSince.delete(partition);
        if ((next ?? 0) < end && !own.behindSince.has(partition)) {
          own.behindSince.set(partition, nowMs);
        }
      }
      own.partitions = new Map(partitions.map(one => [one.partition, one]));
      known.set(id, own);
      const behind = partitions.filter(({ next, end }) => (next ?? 0) < end);
      const unclaimed = behind.filter(({ next }) => next === null);
      if (behind.length === 0) return null;
      if (unclaimed.length > 0) {
        // The first claims take a moment; a partition that is unclaimed after that has no projector.
        if (nowMs - own.since < stallMs) return undefined;
        return `${UNCLAIMED} ${version} has claimed ${describePartitions(unclaimed)}`;
      }
      const still = behind.filter(
        ({ partition }) =>
          nowMs - Math.max(own.behindSince.get(partition) ?? nowMs, own.turnAt) >= stallMs,
      );
      if (still.length > 0) return describeStall(still, version);
      return own.hasMoved ? null : undefined;
    },
    keep(ids) {
      for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
    },
  };
}

// Leaves the end of the log out, because it moves: the reason stays the same text while the build stands still.
function describeStall(behind: readonly BuildPartition[], version: number): string {
  const places = behind.map(({ partition, next }) => `partition ${partition} at offset ${next}`);
  const hint = `the projectors of version ${version} say why in their logs`;
  return `${STILL} ${places.join(', ')} ${places.length === 1 ? 'stands' : 'stand'} still: ${hint}`;
}

export function describePartitions(
  partitions: readonly Pick<BuildPartition, 'partition'>[],
): string {
  const numbers = partitions.map(({ partition }) => partition).join(', ');
  return `partition${partitions.length === 1 ? '' : 's'} ${numbers}`;
}
