// What a projector of one version does about generations (projections.md, Generations). Pure.
import type { GenerationRecord, Registry } from '../../read-store/registry.ts';

/** Readers that began on a generation may still be at it so long after it retired. */
export const GRACE_MS = 60_000;

const FED: readonly GenerationRecord['state'][] = ['building', 'verifying', 'active', 'retired'];
const LET_GO: readonly GenerationRecord['state'][] = ['retired', 'rejected', 'failed'];

/** Those that projectors feed: the ones that answer, or can come to. */
export function fedOf(generations: readonly GenerationRecord[]): GenerationRecord[] {
  return generations.filter(({ state }) => FED.includes(state));
}

/** The generations that a projector of this version feeds: its own ones, for as long as they can answer. */
export function fedBy(registry: Registry, version: number): GenerationRecord[] {
  return fedOf(registry.generations).filter(generation => generation.version === version);
}

/**
 * The registry with a generation to be built, or null where none is due: a version builds by itself when there is
 * nothing at all, or when it is newer than the active one and was not rejected.
 */
export function withBuild(registry: Registry, version: number, now: Date): Registry | null {
  const { generations, active, rejectedVersions } = registry;
  const answering = generations.find(({ id }) => id === active);
  if (generations.some(generation => generation.version === version)) return null;
  if (rejectedVersions.includes(version)) return null;
  if (answering && answering.version >= version) return null;
  if (!answering && generations.some(generation => generation.version > version)) return null;
  // At most two exist: the one that answers, and one more.
  const others = generations.filter(({ id }) => id !== active);
  return others.length > 0 ? null : withNew(registry, version, now);
}

/** The registry with a new generation, whatever else there is. */
export function withNew(registry: Registry, version: number, now: Date): Registry {
  const made = registry.made + 1;
  const generation: GenerationRecord = {
    id: `g${made}`,
    version,
    state: 'building',
    startedAt: now,
    activatedAt: null,
    retiredAt: null,
    reason: null,
    verifyingUntil: null,
  };
  const rejectedVersions = registry.rejectedVersions.filter(rejected => rejected !== version);
  return {
    ...registry,
    made,
    rejectedVersions,
    generations: [...registry.generations, generation],
  };
}

/**
 * Generations whose time is over. A failed or rejected one stays no longer than readers may be at it and people need
 * to see why: until then no other one is built by itself.
 */
export function outdated(registry: Registry, now: Date, rollbackMs: number): GenerationRecord[] {
  return registry.generations.filter(({ id, state, retiredAt, startedAt }) => {
    if (id === registry.active || !LET_GO.includes(state)) return false;
    const sinceMs = now.getTime() - (retiredAt ?? startedAt).getTime();
    return sinceMs >= Math.max(GRACE_MS, state === 'retired' ? rollbackMs : GRACE_MS);
  });
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

/** The registry after a build that came to nothing. */
export function withFailure(registry: Registry, id: string, reason: string, now: Date): Registry {
  return withState(registry, id, { state: 'failed', reason, retiredAt: now });
}

/** The registry after a switch: what answered retires, what was built answers. */
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
    verifyingUntil: null,
  } as const;
  return { ...withState(retired, id, fields), active: id };
}

export function without(registry: Registry, id: string): Registry {
  return {
    ...registry,
    generations: registry.generations.filter(generation => generation.id !== id),
  };
}
