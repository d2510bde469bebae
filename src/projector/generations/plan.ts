// What a projector of one version does about generations (projections.md, Generations). Pure.
import type { GenerationRecord, Registry } from '../../read-store/registry.ts';

/** Readers that began on a generation may still be at it so long after it retired. */
export const GRACE_MS = 60_000;

/** The reason of a build that an operator gave up: nothing has failed by itself. */
export const GIVEN_UP = 'Given up by an operator';

const FED: readonly GenerationRecord['state'][] = ['building', 'verifying', 'active', 'retired'];
const LET_GO: readonly GenerationRecord['state'][] = ['retired', 'rejected', 'failed'];

/** Those that projectors feed: the ones that answer, or can come to. */
export function fedOf(generations: readonly GenerationRecord[]): GenerationRecord[] {
  return generations.filter(({ state }) => FED.includes(state));
}

/** Whether it is on its way to be switched to. */
export function isBuild({ state }: Pick<GenerationRecord, 'state'>): boolean {
  return state === 'building' || state === 'verifying';
}

/** The generations that a projector of this version feeds: its own ones, for as long as they can answer. */
export function fedBy(registry: Registry, version: number): GenerationRecord[] {
  return fedOf(registry.generations).filter(generation => generation.version === version);
}

/**
 * The registry with a generation to be built, or null where none is due: a version builds by itself when there is
 * nothing at all, or when it is newer than the active one and was not rejected. It takes the place of an older
 * version's build, never the other way round; a version whose own build failed waits instead, or the two would take
 * turns for ever.
 */
export function withBuild(registry: Registry, version: number, now: Date): Registry | null {
  const { generations, active, rejectedVersions } = registry;
  const answering = generations.find(({ id }) => id === active);
  if (generations.some(generation => generation.version === version)) return null;
  if (rejectedVersions.includes(version)) return null;
  if (answering && answering.version >= version) return null;
  if (!answering && generations.some(generation => generation.version > version)) return null;
  // At most two exist: the one that answers, and one more.
  const [other] = generations.filter(({ id }) => id !== active);
  if (!other) return withBegun(registry, version, now);
  if (isBuild(other) && other.version < version) {
    if (registry.failedVersions?.includes(version)) return null;
    const failed = withFailure(registry, other.id, `Version ${version} takes its place`, now);
    return withState(failed, other.id, { replacedBy: version });
  }
  const isMeant = other.replacedBy !== undefined && other.replacedBy <= version;
  if (!isMeant || sinceMs(other, now) < GRACE_MS) return null;
  // In one step: the older version would build again in between.
  return withBegun(without(registry, other.id), version, now);
}

/** The registry with a new generation that an operator asked for, whatever else there is. */
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

/**
 * Generations whose time is over. A failed or rejected one stays no longer than readers may be at it and people need
 * to see why: until then no other one is built by itself. A build that was replaced stays twice as long: the newer
 * version takes it out when it begins, and only if that version is gone it is dropped like every other one.
 */
export function outdated(registry: Registry, now: Date, rollbackMs: number): GenerationRecord[] {
  return registry.generations.filter(generation => {
    const { id, state, replacedBy } = generation;
    if (id === registry.active || !LET_GO.includes(state)) return false;
    const graceMs = replacedBy === undefined ? GRACE_MS : 2 * GRACE_MS;
    return (
      sinceMs(generation, now) >= (state === 'retired' ? Math.max(graceMs, rollbackMs) : graceMs)
    );
  });
}

/** Milliseconds since a generation retired or failed. */
export function sinceMs(generation: GenerationRecord, now: Date): number {
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

/** The registry after a build that came to nothing. */
export function withFailure(registry: Registry, id: string, reason: string, now: Date): Registry {
  return withState(registry, id, { state: 'failed', reason, waitsFor: null, retiredAt: now });
}

/** The same where nobody wanted it to fail: its version takes the place of no other build until it has another try. */
export function withOwnFailure(
  registry: Registry,
  id: string,
  reason: string,
  now: Date,
): Registry {
  const failed = withFailure(registry, id, reason, now);
  const version = registry.generations.find(generation => generation.id === id)?.version;
  const known = registry.failedVersions ?? [];
  if (version === undefined || known.includes(version)) return failed;
  return { ...failed, failedVersions: [...known, version] };
}

/**
 * The registry after an operator gave a build up. A version that would build again by itself does so only when asked
 * to.
 */
export function withGivenUp(
  registry: Registry,
  { id, version }: GenerationRecord,
  now: Date,
): Registry {
  const failed = withFailure(registry, id, GIVEN_UP, now);
  const answering = registry.generations.find(generation => generation.id === registry.active);
  const { rejectedVersions } = registry;
  if (answering?.version === version || rejectedVersions.includes(version)) return failed;
  return { ...failed, rejectedVersions: [...rejectedVersions, version] };
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
    waitsFor: null,
    verifyingUntil: null,
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
