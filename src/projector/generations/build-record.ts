// Changes the record of a build in the registry: why it waits, and why it failed.
import { changeRegistry, type GenerationRecord } from '../../read-store/registry.ts';
import type { GenerationsContext } from './context.ts';
import { isBuild, withOwnFailure, withState } from './plan.ts';

type Fields = Partial<Omit<GenerationRecord, 'id'>>;

/**
 * Changes the record of a build, and returns it; null when the generation is no build any more.
 *
 * @param change returns the fields to change, or null to change nothing
 */
export async function changeBuild(
  { database }: Pick<GenerationsContext, 'database'>,
  id: string,
  change: (own: GenerationRecord) => Fields | null,
): Promise<GenerationRecord | null> {
  const { generations } = await changeRegistry(database, registry => {
    const own = registry.generations.find(generation => generation.id === id);
    const fields = own && isBuild(own) ? change(own) : null;
    return fields && withState(registry, id, fields);
  });
  return generations.find(generation => generation.id === id && isBuild(generation)) ?? null;
}

export interface WaitNote {
  /** Why the build is not switched to; null when nothing is in its way. */
  readonly waitsFor: string | null;
  /** While one process verifies the build, only the notes of that `verifier` count. */
  readonly from: 'verifier' | 'any';
}

/** Stores and logs why a build is not switched to, when that has changed. */
export async function noteWait(
  context: GenerationsContext,
  id: string,
  { waitsFor, from }: WaitNote,
): Promise<void> {
  const at = context.now();
  let isNew = false;
  await changeBuild(context, id, own => {
    const isLeased = own.state === 'verifying' && (own.verifyingUntil ?? at) > at;
    isNew = own.waitsFor !== waitsFor && (from === 'verifier' || !isLeased);
    if (!isNew) return null;
    // When the lease has run out, the verifying process was killed: the build goes back to building.
    const left = { state: 'building', verifyingUntil: null, verified: null } as const;
    return isLeased ? { waitsFor } : { ...left, waitsFor };
  });
  if (isNew && waitsFor !== null) {
    context.logger.warn({ generation: id }, `Not switched yet: ${waitsFor}`);
  }
}

/**
 * Marks a build as failed, unless it is no build any more. Its version starts no build by itself before a new attempt.
 */
export async function failBuild(
  { database, logger, now }: GenerationsContext,
  id: string,
  reason: string,
): Promise<void> {
  let isNew = false;
  await changeRegistry(database, registry => {
    isNew = registry.generations.some(own => own.id === id && isBuild(own));
    return isNew ? withOwnFailure(registry, id, { reason, now: now() }) : null;
  });
  if (isNew) logger.error({ generation: id }, 'A generation could not be built');
}
