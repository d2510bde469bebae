// What operators do about generations: build one from scratch, give a build up, roll back to the previous one.
import { UserError } from '../process/errors.ts';
import { isTransient } from '../store/database-errors.ts';
import {
  graceLeftMs,
  isBuild,
  switched,
  withAbandoned,
  withNew,
  without,
  withState,
} from '../store/generation-plan.ts';
import {
  changeRegistry,
  dropLeftovers,
  type GenerationRecord,
  type Registry,
} from '../store/registry.ts';
import type { ReadDatabase } from '../store/snapshot.ts';
import { NotReadyError } from '../store/writing/switch-generation.ts';
import { type SwitchStep, trySwitch } from './try-switch.ts';

/** A rollback waits this long for the former generation to catch up, then it fails. */
const ROLLBACK_MS_MAX = 30_000;

/** Another generation is being built, and at most two may exist. */
export class BuildUnderWayError extends UserError {
  readonly generation: GenerationRecord;

  /** @param progress how far the build is, null when that is not known */
  constructor(generation: GenerationRecord, progress: string | null = null) {
    const { id, version, waitsFor } = generation;
    const facts = [progress, waitsFor === null ? null : `waits: ${waitsFor}`];
    const details = facts.flatMap(fact => (fact === null ? [] : [`; ${fact}`])).join('');
    const hint = 'budgeting rebuild --abandon gives it up';
    super(`Generation ${id} is being built already, by version ${version}${details}; ${hint}`);
    this.generation = generation;
  }
}

/**
 * Requests a new generation of this version, to be built from the start of the log beside the active one.
 *
 * @throws BuildUnderWayError when one is being built already
 * @throws UserError when one has retired within the last minute, as readers may still use it
 */
export async function requestBuild(
  database: ReadDatabase,
  version: number,
): Promise<GenerationRecord> {
  const registry = await changeRegistry(database, (read, now) => withRequested(read, version, now));
  // The build is requested, and projectors drop leftovers too.
  await dropLeftovers(database).catch(error => {
    if (!isTransient(error)) throw error;
  });
  const made = registry.generations.at(-1);
  if (!made) throw new Error('A generation was just made');
  return made;
}

/**
 * Returns the registry with a requested generation, in place of all but the active one.
 *
 * @throws UserError, as `requestBuild` does
 */
export function withRequested(registry: Registry, version: number, now: Date): Registry {
  let rest = registry;
  for (const other of registry.generations.filter(({ id }) => id !== registry.active)) {
    refuseInUse(other, now);
    rest = without(rest, other.id);
  }
  return withNew(rest, version, now);
}

function refuseInUse(generation: GenerationRecord, now: Date): void {
  const { id, state } = generation;
  if (isBuild(generation)) throw new BuildUnderWayError(generation);
  const leftMs = graceLeftMs(generation, now);
  if (state === 'failed' || leftMs <= 0) return;
  const seconds = Math.ceil(leftMs / 1000);
  throw new UserError(`Generation ${id} has just retired: try again in ${seconds} s`);
}

/**
 * Gives a build up, of any version and at any point.
 *
 * @throws UserError when there is no build
 */
export async function abandonBuild(
  database: ReadDatabase,
): Promise<{ readonly build: GenerationRecord; readonly registry: Registry }> {
  let build: GenerationRecord | undefined;
  const registry = await changeRegistry(database, (read, now) => {
    build = read.generations.find(isBuild);
    return build ? withAbandoned(read, build, now) : null;
  });
  if (build) return { build, registry };
  const states = registry.generations.map(({ id, state }) => `${id} is ${state}`).join(', ');
  throw new UserError(`There is no build to give up: ${states || 'no projector has run yet'}`);
}

/**
 * Switches back to the previous generation. The rejected version starts no build by itself any more.
 *
 * @param msMax waits this long for the former generation to catch up
 * @throws UserError when there is no previous generation, or it does not catch up in time
 */
export async function rollBack(
  database: ReadDatabase,
  msMax = ROLLBACK_MS_MAX,
): Promise<RollbackParties> {
  const tried: { parties?: RollbackParties } = {};
  const next = async (registry: Registry): Promise<SwitchStep<RollbackParties>> => {
    if (tried.parties && registry.active === tried.parties.to.id) return { outcome: tried.parties };
    const parties = partiesOf(registry);
    tried.parties = parties;
    const after = (at: Date) => rolledBack(registry, parties, at);
    return { outcome: parties, change: { to: parties.to.id, after } };
  };
  const refused = async (error: NotReadyError) => {
    // A pause does not end by waiting.
    if (error.what === 'pause') throw error;
  };
  try {
    return await trySwitch(database, { next, refused, msMax });
  } catch (error) {
    if (!tried.parties || !(error instanceof NotReadyError)) throw error;
    throw notReady(tried.parties.to, error);
  }
}

function notReady({ id, version }: GenerationRecord, { what, message }: NotReadyError): UserError {
  if (what === 'pause') {
    return new UserError(
      `Generation ${id} cannot answer: it is paused: ${message}; budgeting parked resume lets it go on`,
    );
  }
  if (what !== 'partitions') return new UserError(`Generation ${id} cannot answer: ${message}`);
  return new UserError(
    `Generation ${id} did not catch up: ${message}; is a projector of version ${version} running?`,
  );
}

/** The generation to go back from, and the one to go back to. */
export interface RollbackParties {
  readonly from: GenerationRecord;
  readonly to: GenerationRecord;
}

/** @throws UserError when there is no previous generation */
export function partiesOf({ generations, active }: Registry): RollbackParties {
  const from = generations.find(({ id }) => id === active);
  const to = generations.find(({ state }) => state === 'retired');
  if (from && to) return { from, to };
  throw new UserError(`There is no generation to go back to: ${describeNone(generations, from)}`);
}

function describeNone(
  generations: Registry['generations'],
  from: GenerationRecord | undefined,
): string {
  const rejected = generations.find(({ state }) => state === 'rejected');
  if (from && rejected) return `${from.id} answers again, and ${rejected.id} is rejected`;
  const build = generations.find(isBuild);
  if (!from || !build) return 'none has retired within the window';
  return `${build.id} is being built beside ${from.id}, in place of the one before; budgeting rebuild --abandon gives it up`;
}

/** Returns the registry after a rollback. */
export function rolledBack(registry: Registry, { from, to }: RollbackParties, now: Date): Registry {
  const back = withState(switched(registry, to.id, now), from.id, {
    state: 'rejected',
    reason: 'Rolled back by an operator',
  });
  if (from.version === to.version) return back;
  return { ...back, rejectedVersions: [...back.rejectedVersions, from.version] };
}
