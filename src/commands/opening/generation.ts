// Picks the generation that an operator's command works on.
import { PROJECTIONS_VERSION } from '../../../projections/version.ts';
import { UserError } from '../../process/errors.ts';
import type { StoreConnection } from '../../store/connect.ts';
import { type GenerationRecord, readRegistry } from '../../store/registry.ts';

/**
 * Returns the generation that operators' commands work on: the active one, or the newest one before any is active.
 *
 * @throws UserError when no projector has run yet
 */
export async function currentGeneration(connection: StoreConnection): Promise<GenerationRecord> {
  const { active, generations } = await readRegistry(connection.readModel);
  const current = generations.find(({ id }) => id === active) ?? generations.at(-1);
  if (current !== undefined) return current;
  throw noReadModel();
}

/**
 * Returns the current generation for a command that folds events. Another version of the projections would derive
 * other documents from the same events.
 *
 * @throws UserError when no projector has run yet, or when another version of the projections made the generation
 */
export async function ownGeneration(connection: StoreConnection): Promise<GenerationRecord> {
  const current = await currentGeneration(connection);
  requireOwn(current);
  return current;
}

/** @throws UserError when another version of the projections made the generation */
export function requireOwn(generation: GenerationRecord): void {
  if (!isOwn(generation)) throw otherVersion(generation, PROJECTIONS_VERSION);
}

export function isOwn({ version }: Pick<GenerationRecord, 'version'>): boolean {
  return version === PROJECTIONS_VERSION;
}

/** Returns the command that builds a version of the projections, which only an image of that version does. */
export function rebuildCommandOf(version: number): string {
  return `budgeting rebuild${isOwn({ version }) ? '' : ` from an image of version ${version}`}`;
}

/** Returns the sentence for people about a version that an operator rejected. */
export function describeRejected(version: number): string {
  return `Version ${version} builds again only when asked to: ${rebuildCommandOf(version)}`;
}

export function noReadModel(): UserError {
  return new UserError('There is no read model yet: start a projector first');
}

export function otherVersion(
  { id, version }: Pick<GenerationRecord, 'id' | 'version'>,
  own: number,
): UserError {
  const versions = `is of version ${version} of the projections, this program of version ${own}`;
  return new UserError(`Generation ${id} ${versions}: use the command of the release that made it`);
}
