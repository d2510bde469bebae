// The states of the model of generations, as plain JSON.
import type { GenerationRecord, Registry } from '../../src/store/registry.ts';

export const MINUTE_MS = 60_000;

/** A record with times in milliseconds, and without what no decision reads. */
interface KeptRecord extends Pick<GenerationRecord, 'id' | 'version' | 'state' | 'replacedBy'> {
  startedAt: number;
  retiredAt: number | null;
  verifyingUntil: number | null;
  lease: string | null;
  waits: boolean;
}

export interface Kept {
  active: string | null;
  generations: KeptRecord[];
  rejectedVersions: readonly number[];
  failedVersions: readonly number[];
  made: number;
}

/** One stream in one partition of a generation. */
export interface Generation {
  /** The next offset. */
  next: number;
  sequence: number;
  /** Sequences that wait behind a gap. */
  queue: number[];
  isDropped: boolean;
  /** A claim made it again after it was dropped. */
  isBack?: true;
}

/** A registry that a process read for a compare-and-set; `stale` once another one has changed it. */
export type Reading = Kept | 'stale' | null;

export interface Supervisor {
  version: number;
  at: string;
  fed: string[];
  /** The generations that the registry named in the round before; null in the first round. */
  named: string[] | null;
  /** The build of this round. */
  build: string | null;
  /** The registry as the round began; only for the model of a supervisor that drops by it. */
  round: Kept | null;
  read: Reading;
  /** The generations to drop. */
  drop: string[];
}

export interface Operator {
  at: 'idle' | 'read' | 'begin' | 'commit';
  /** The commands that were given. */
  done: number;
  read: Reading;
  /** The generation that a rollback goes back to. */
  begun: string | null;
}

export interface State {
  minute: number;
  /** Number of records in the log. */
  log: number;
  restarts: number;
  registry: Kept;
  generations: Record<string, Generation>;
  /** Who switches, and from which generation. */
  lock: { by: string; generation: string | null } | null;
  /** Who has chunks of a generation refused. */
  hold: { by: string; generation: string } | null;
  supervisors: Supervisor[];
  operator: Operator;
  /** A request that found this generation active at that minute. */
  reader: { generation: string; minute: number } | null;
  /** The highest position that any reader may have seen. */
  seen: number;
  steppedBack: boolean;
}

export function thaw({ generations, ...registry }: Kept): Registry {
  const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));
  return {
    ...registry,
    revision: 0,
    generations: generations.map(({ waits, ...record }) => ({
      ...record,
      startedAt: new Date(record.startedAt),
      activatedAt: null,
      retiredAt: dateOf(record.retiredAt),
      verifyingUntil: dateOf(record.verifyingUntil),
      reason: null,
      waitsFor: waits ? 'the model' : null,
    })),
  };
}

export function keep({ active, generations, made, ...registry }: Registry): Kept {
  const { rejectedVersions, failedVersions = [] } = registry;
  return {
    active,
    generations: generations.map(({ id, version, state, replacedBy, ...record }) => ({
      ...{ id, version, state },
      ...(replacedBy !== undefined && { replacedBy }),
      startedAt: record.startedAt.getTime(),
      retiredAt: record.retiredAt?.getTime() ?? null,
      verifyingUntil: record.verifyingUntil?.getTime() ?? null,
      lease: record.lease ?? null,
      waits: record.waitsFor !== null,
    })),
    rejectedVersions,
    failedVersions,
    made,
  };
}

export function supervisor(version: number): Supervisor {
  return {
    version,
    at: 'plan',
    fed: [],
    named: null,
    build: null,
    round: null,
    read: null,
    drop: [],
  };
}

export const EMPTY: Generation = { next: 0, sequence: 0, queue: [], isDropped: false };

function record(id: string, state: KeptRecord['state']): KeptRecord {
  const version = Number(id.slice(1));
  const none = { retiredAt: null, verifyingUntil: null, lease: null, waits: false };
  return { id, version, state, startedAt: 0, ...none };
}

export type Start = 'empty' | 'upgrade' | 'window';

/** `upgrade`: version 1 answers, and version 2 is not built yet; `window`: version 2 has just replaced version 1. */
export function begin(start: Start, versions: readonly number[]): State {
  const registry: Kept = {
    ...{ active: null, generations: [], rejectedVersions: [], failedVersions: [], made: 0 },
  };
  const state: State = {
    ...{ minute: 0, log: 0, restarts: 0, registry, generations: {}, lock: null, hold: null },
    supervisors: versions.map(supervisor),
    operator: { at: 'idle', done: 0, read: null, begun: null },
    ...{ reader: null, seen: -1, steppedBack: false },
  };
  if (start === 'empty') return state;
  state.generations = { g1: { ...EMPTY } };
  if (start === 'upgrade') {
    state.registry = { ...registry, active: 'g1', generations: [record('g1', 'active')], made: 1 };
    return state;
  }
  const applied = { ...EMPTY, next: 1, sequence: 1 };
  const generations = [{ ...record('g1', 'retired'), retiredAt: 0 }, record('g2', 'active')];
  state.registry = { ...registry, active: 'g2', generations, made: 2 };
  return { ...state, log: 1, generations: { g1: applied, g2: { ...applied } } };
}
