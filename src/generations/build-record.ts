// Changes the record of a build in the registry: why it waits, and why it failed.

import { messageOf } from '../process/describe-error.ts';
import { redactReason } from '../process/printable.ts';
import { withState } from '../store/generation-plan.ts';
import { changeRegistry, type GenerationRecord, type Registry } from '../store/registry.ts';
import type { GenerationsContext } from './generations-context.ts';
import { type BuildReference, type Fields, findBuild, waiting, withFailedBuild } from './lease.ts';

/**
 * Changes the record of a build, and returns it; null when it is no build any more, or when another process has the
 * lease.
 *
 * @param change returns the fields to change at this time, or null to change nothing
 */
export async function changeBuild(
  { database }: Pick<GenerationsContext, 'database'>,
  build: BuildReference,
  change: (own: GenerationRecord, now: Date) => Fields | null,
): Promise<GenerationRecord | null> {
  let isFound = false;
  const { generations } = await changeRegistry(database, (registry, now) => {
    const own = findBuild(registry, build);
    isFound = own !== undefined;
    const fields = own ? change(own, now) : null;
    return fields && withState(registry, build.id, fields);
  });
  return (isFound && generations.find(({ id }) => id === build.id)) || null;
}

/**
 * Stores and logs why a build is not switched to, when that has changed; null when nothing is in its way. Without a
 * lease it says so only while no process verifies the build.
 */
export async function noteWait(
  context: GenerationsContext,
  { id, lease }: BuildReference,
  waitsFor: string | null,
): Promise<void> {
  let isNew = false;
  await changeBuild(context, lease === undefined ? { id } : { id, lease }, (own, now) => {
    const fields = waiting(own, { waitsFor, lease }, now);
    isNew = fields !== null;
    return fields;
  });
  if (isNew && waitsFor !== null) {
    context.logger.warn({ generation: id }, `Not switched yet: ${waitsFor}`);
  }
}

/**
 * Marks a build as failed, unless it is no build any more or another process has the lease. Its version starts no build
 * by itself before a new attempt. Returns the registry.
 *
 * @param error the reason, or the error that it is the message of
 */
export async function failBuild(
  { database, logger }: GenerationsContext,
  build: BuildReference,
  error: unknown,
): Promise<Registry> {
  const reason = messageOf(error);
  let isNew = false;
  const registry = await changeRegistry(database, (read, now) => {
    const failed = withFailedBuild(read, build, { reason, now });
    isNew = failed !== null;
    return failed;
  });
  // The reason stands in the registry for a minute only. Values stay out of the log: they may be a person's.
  const details = error instanceof Error ? { err: error } : { reason: redactReason(reason) };
  if (isNew) logger.error({ generation: build.id, ...details }, 'A generation could not be built');
  return registry;
}
