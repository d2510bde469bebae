// How a build comes on, as its checkpoints and the log show it, and why it does not.
import type { EventLog } from '../../event-log/event-log.ts';
import { HALTED } from '../../read-store/checkpoints.ts';
import type { GenerationCollections } from '../../read-store/collections.ts';
import { partitionsProgress, sumOf } from '../catch-up.ts';

/** A partition that has no event is left out. */
export interface BuildPartition {
  readonly partition: number;
  /** The next offset to apply; null before the first claim. */
  readonly next: number | null;
  readonly end: number;
}

export interface BuildStanding {
  readonly partitions: readonly BuildPartition[];
  readonly applied: number;
  readonly total: number;
  /** Why a partition is halted: the log is not the one that was projected. */
  readonly halted: string | null;
}

export async function readBuild(
  { checkpoints }: GenerationCollections,
  eventLog: EventLog,
): Promise<BuildStanding> {
  const stored = await checkpoints.find().sort({ _id: 1 }).toArray();
  const all = await partitionsProgress(stored, eventLog);
  const partitions = all
    .filter(({ bounds }) => bounds.end > 0)
    .map(({ partition, next, bounds }) => ({ partition, next, end: bounds.end }));
  const halted = stored.find(one => one.halted)?.halted?.reason ?? null;
  return { partitions, ...sumOf(all), halted };
}

/** What people are told of a build that waits. */
export function notSwitchedWords(id: string, waitsFor: string): string {
  return `${id} is not switched to: ${waitsFor}`;
}

/** Why a partition of a generation is halted, or null. */
export async function haltedReason({ checkpoints }: GenerationCollections): Promise<string | null> {
  const found = await checkpoints.findOne(HALTED);
  return found?.halted?.reason ?? null;
}

/** The reason why a build that is behind does not come on; null where it does; undefined while that is not known. */
export type Standstill = string | null | undefined;

export interface BuildWatch {
  observe(
    build: { readonly id: string; readonly version: number },
    standing: BuildStanding,
    nowMs: number,
  ): Standstill;
  /** Forgets all builds but these. */
  keep(ids: readonly string[]): void;
}

/** A chunk may take long, and partitions take turns: a build stands still once none of them has moved for so long. */
export const STANDSTILL_MS = 30_000;

const UNCLAIMED = 'No projector of version';
const STILL = 'The log has more, but';
const PAUSED = 'It is paused:';

/** Why a paused build waits. */
export function pausedWords(reason: string): string {
  return `${PAUSED} ${reason}; budgeting parked resume lets it go on`;
}

/** Whether a reason is one of a standstill: it is gone once the build moves. */
export function isStandstill(reason: string | null): boolean {
  return [UNCLAIMED, STILL, PAUSED].some(words => reason?.startsWith(words) === true);
}

interface Observed {
  nexts: Map<number, number | null>;
  readonly since: number;
  movedAt: number | null;
}

/** Remembers when the partitions of the builds moved last. */
export function createBuildWatch(standstillMs = STANDSTILL_MS): BuildWatch {
  const known = new Map<string, Observed>();
  return {
    observe({ id, version }, { partitions }, nowMs) {
      const before = known.get(id) ?? { nexts: new Map(), since: nowMs, movedAt: null };
      const nexts = new Map(partitions.map(({ partition, next }) => [partition, next]));
      const isMoved = partitions.some(
        ({ partition, next }) =>
          before.nexts.has(partition) && before.nexts.get(partition) !== next,
      );
      const movedAt = isMoved ? nowMs : before.movedAt;
      known.set(id, { nexts, since: before.since, movedAt });
      const behind = partitions.filter(({ next, end }) => (next ?? 0) < end);
      const unclaimed = behind.filter(({ next }) => next === null);
      const [first] = behind;
      if (!first) return null;
      if (unclaimed.length > 0) {
        // The first claims take a moment; what is left over after that has nobody.
        if (nowMs - before.since < standstillMs) return undefined;
        return `${UNCLAIMED} ${version} has claimed ${named(unclaimed)}`;
      }
      if (nowMs - (movedAt ?? before.since) >= standstillMs) return stillWords(behind, version);
      return movedAt === null ? undefined : null;
    },
    keep(ids) {
      for (const id of known.keys()) if (!ids.includes(id)) known.delete(id);
    },
  };
}

// Without the end of the log, which moves: the words change only with what they say.
function stillWords(behind: readonly BuildPartition[], version: number): string {
  const places = behind.map(({ partition, next }) => `partition ${partition} at offset ${next}`);
  const hint = `the projectors of version ${version} say why in their logs`;
  return `${STILL} ${places.join(', ')} ${places.length === 1 ? 'stands' : 'stand'} still: ${hint}`;
}

function named(partitions: readonly BuildPartition[]): string {
  const numbers = partitions.map(({ partition }) => partition).join(', ');
  return `partition${partitions.length === 1 ? '' : 's'} ${numbers}`;
}
