// What a build's record in the registry says of it while it is on its way: why it waits, and why it failed.
import { changeRegistry, type GenerationRecord } from '../../read-store/registry.ts';
import type { GenerationsContext } from './context.ts';
import { isBuild, withOwnFailure, withState } from './plan.ts';

type Fields = Partial<Omit<GenerationRecord, 'id'>>;

/** Changes a build's record; `change` returns null where it is to stay. Does nothing once it is no build any more. */
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

/**
 * Says why a build is not switched to, where that changed; null once nothing is in its way. While one process verifies,
 * only that one tells.
 */
export async function noteWait(
  context: GenerationsContext,
  id: string,
  teller: 'verifier' | 'any',
  waitsFor: string | null,
): Promise<void> {
  const at = context.now();
  let isNew = false;
  await changeBuild(context, id, own => {
    const isLeased = own.state === 'verifying' && (own.verifyingUntil ?? at) > at;
    isNew = own.waitsFor !== waitsFor && (teller === 'verifier' || !isLeased);
    if (!isNew) return null;
    // Its verification was left by a process that was killed, and is not to be taken on yet.
    const left = { state: 'building', verifyingUntil: null, verified: null } as const;
    return isLeased ? { waitsFor } : { ...left, waitsFor };
  });
  if (isNew && waitsFor !== null) {
    context.logger.warn({ generation: id }, `Not switched yet: ${waitsFor}`);
  }
}

/** Marks a build as failed by itself; does nothing once it is no build any more. */
export async function failBuild(
  { database, logger, now }: GenerationsContext,
  id: string,
  reason: string,
): Promise<void> {
  let isNew = false;
  await changeRegistry(database, registry => {
    isNew = registry.generations.some(own => own.id === id && isBuild(own));
    return isNew ? withOwnFailure(registry, id, reason, now()) : null;
  });
  if (isNew) logger.error({ generation: id }, 'A generation could not be built');
}
