// Decides what a projector of one version does with the generations (rules/projecting.md#who-builds). Pure.
import type { GenerationRecord, Registry } from './registry.ts';

/** Readers may still use a generation this long after it retired. */
const GRACE_MS = 60_000;

/** The reason in the record of a build that an operator gave up. */
const ABANDONED_REASON = 'Given up by an operator';

const FED_STATES: readonly GenerationRecord['state'][] = [
  'building',
  'verifying',
  'active',
  'retired',
];
const ENDED_STATES: readonly GenerationRecord['state'][] = ['retired', 'rejected', 'failed'];

/** Returns the generations that projectors feed: those that serve readers, or may do so later. */
export function fedOf(generations: readonly GenerationRecord[]): GenerationRecord[] {
  return generations.filter(isFed);
}

export function isFed({ state }: Pick<GenerationRecord, 'state'>): boolean {
  return FED_STATES.includes(state);
}

/** Returns whether two records are of one generation: a database that was emptied gives its ids again. */
export function isSame(one: GenerationRecord, other: GenerationRecord): boolean {
  return one.id === other.id && one.startedAt.getTime() === other.startedAt.getTime();
}

/** Returns whether a generation is being built or verified, to be switched to then. */
export function isBuild({ state }: Pick<GenerationRecord, 'state'>): boolean {
  return state === 'building' || state === 'verifying';
}

/** Returns whether readers get one generation instead of another: they do already, or will after the next switch. */
export function supersedes(one: GenerationRecord, other: GenerationRecord): boolean {
  if (one.state === 'active') return other.state === 'retired';
  return isBuild(one) && !isBuild(other);
}

/** Returns whether a build broke, and was not given up or replaced: nobody waits for those. */
export function hasFailed({ state, reason, replacedBy }: GenerationRecord): boolean {
  return state === 'failed' && reason !== ABANDONED_REASON && replacedBy === undefined;
}

/** Returns the generations that a projector of this version feeds: those of the same version only. */
export function fedBy(registry: Registry, version: number): GenerationRecord[] {
  return fedOf(registry.generations).filter(generation => generation.version === version);
}

/**
 * Returns the registry with a generation to build, or null when none is due. A version builds by itself when no
 * generation exists, or when it is newer than the active one and was not rejected. It replaces an older version's
 * build, never the other way round; a version whose own build failed waits instead, because the two would replace each
 * other for ever.
 */
export function withBuild(registry: Registry, version: number, now: Date): Registry | null {
  const { generations, active, rejectedVersions } = registry;
  const current = generations.find(({ id }) => id === active);
  if (generations.some(generation => generation.version === version)) return null;
  if (rejectedVersions.includes(version)) return null;
  if (current && current.version >= version) return null;
  if (!current && generations.some(generation => generation.version > version)) return null;
  // At most two exist: the active one, and one more.
  const [other] = generations.filter(({ id }) => id !== active);
  if (!other) return withBegun(registry, version, now);
  if (isBuild(other) && other.version < version) {
    if (registry.failedVersions?.includes(version)) return null;
    const reason = `Version ${version} takes its place`;
    const failed = withFailure(registry, other.id, { reason, now });
    return withState(failed, other.id, { replacedBy: version });
  }
  const isForThisVersion = other.replacedBy !== undefined && other.replacedBy <= version;
  if (!isForThisVersion || graceLeftMs(other, now) > 0) return null;
  // In one step, because the older version would build again in between.
  return withBegun(without(registry, other.id), version, now);
}

/** Returns the retired generation whose rollback window a newer version waits for before it builds by itself, or null. */
export function windowBeforeBuild(
  {
    generations,
    active,
    rejectedVersions,
  }: Pick<Registry, 'generations' | 'active' | 'rejectedVersions'>,
  version: number,
): GenerationRecord | null {
  const current = generations.find(({ id }) => id === active);
  if (!current || current.version >= version || rejectedVersions.includes(version)) return null;
  return generations.find(({ state }) => state === 'retired') ?? null;
}

/** Returns the registry with a new generation that an operator requested, rejected version or not. */
export function withNew(registry: Registry, version: number, now: Date): Registry {
  const isOther = (known: number) => known !== version;
  const rejectedVersions = registry.rejectedVersions.filter(isOther);
  const failedVersions = (registry.failedVersions ?? []).filter(isOther);
  return withBegun({ ...registry, rejectedVersions, failedVersions }, version, now);
}

function withBegun(registry: Registry, version: number, now: Date): Registry {
  const made = registry.made + 1;
  const generation: GenerationRecord = {
    id: `g${made}`,
    version,
    state: 'building',
    startedAt: now,
    activatedAt: null,
    retiredAt: null,
    reason: null,
    waitsFor: null,
    verifyingUntil: null,
  };
  return { ...registry, made, generations: [...registry.generations, generation] };
}

/** Returns the registry without the generations to drop, or null when there are none. */
export function withoutOutdated(
  registry: Registry,
  now: Date,
  rollbackMs: number,
): Registry | null {
  const found = outdated(registry, now, rollbackMs);
  if (found.length === 0) return null;
  return found.reduce((rest, { id }) => without(rest, id), registry);
}

/**
 * Returns the generations to drop. A failed or rejected one stays for a grace time, in which readers may still use it
 * and people see the reason; no other one is built by itself meanwhile. A replaced build stays twice as long: the
 * newer version removes it when its own build begins, and it is dropped here only if that version is gone.
 */
export function outdated(registry: Registry, now: Date, rollbackMs: number): GenerationRecord[] {
  return registry.generations.filter(generation => {
    const { id, state, replacedBy } = generation;
    if (id === registry.active || !ENDED_STATES.includes(state)) return false;
    const graceMs = replacedBy === undefined ? GRACE_MS : 2 * GRACE_MS;
    return (
      sinceMs(generation, now) >= (state === 'retired' ? Math.max(graceMs, rollbackMs) : graceMs)
    );
  });
}

/** Returns how long readers may still use a generation that retired or failed. A clock that is set back gives no more. */
export function graceLeftMs(generation: GenerationRecord, now: Date): number {
  return GRACE_MS - Math.abs(sinceMs(generation, now));
}

/** Returns the milliseconds since a generation retired or failed. */
function sinceMs(generation: GenerationRecord, now: Date): number {
  return now.getTime() - (generation.retiredAt ?? generation.startedAt).getTime();
}

export function withState(
  registry: Registry,
  id: string,
  fields: Partial<Omit<GenerationRecord, 'id'>>,
): Registry {
  const generations = registry.generations.map(generation =>
    generation.id === id ? { ...generation, ...fields } : generation,
  );
  return { ...registry, generations };
}

export interface BuildFailure {
  readonly reason: string;
  readonly now: Date;
}

/** A process may be gone before it has taken its progress back. */
const NO_PROGRESS = { indexing: null, verified: null } as const;

/** Returns the registry after a build that failed or was replaced. */
export function withFailure(
  registry: Registry,
  id: string,
  { reason, now }: BuildFailure,
): Registry {
  const fields = {
    state: 'failed',
    reason,
    waitsFor: null,
    retiredAt: now,
    ...NO_PROGRESS,
  } as const;
  return withState(registry, id, fields);
}

/**
 * As `withFailure`, for a build that failed by itself: its version replaces no other build until an operator requests
 * one.
 */
export function withOwnFailure(registry: Registry, id: string, failure: BuildFailure): Registry {
  const failed = withFailure(registry, id, failure);
  const version = registry.generations.find(generation => generation.id === id)?.version;
  const known = registry.failedVersions ?? [];
  if (version === undefined || known.includes(version)) return failed;
  return { ...failed, failedVersions: [...known, version] };
}

/**
 * Returns the registry after an operator gave a build up. Its version builds again only when an operator requests it.
 */
export function withAbandoned(
  registry: Registry,
  { id, version }: GenerationRecord,
  now: Date,
): Registry {
  const failed = withFailure(registry, id, { reason: ABANDONED_REASON, now });
  const current = registry.generations.find(generation => generation.id === registry.active);
  const { rejectedVersions } = registry;
  if (current?.version === version || rejectedVersions.includes(version)) return failed;
  return { ...failed, rejectedVersions: [...rejectedVersions, version] };
}

/** Returns the registry after a switch: the active generation retires, the given one is active. */
export function switched(registry: Registry, id: string, now: Date): Registry {
  const retired =
    registry.active === null
      ? registry
      : withState(registry, registry.active, {
          state: 'retired',
          retiredAt: now,
        });
  const fields = {
    state: 'active',
    activatedAt: now,
    retiredAt: null,
    waitsFor: null,
    verifyingUntil: null,
    lease: null,
    brokenOff: 0,
    ...NO_PROGRESS,
  } as const;
  const version = registry.generations.find(generation => generation.id === id)?.version;
  const failedVersions = (registry.failedVersions ?? []).filter(failed => failed !== version);
  return { ...withState(retired, id, fields), failedVersions, active: id };
}

export function without(registry: Registry, id: string): Registry {
  return {
    ...registry,
    generations: registry.generations.filter(generation => generation.id !== id),
  };
}
