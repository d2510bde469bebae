// What operators do about generations: build one anew, go back to the one before.
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../errors.ts';
import { isTransient } from '../../read-store/commit.ts';
import {
  changeRegistry,
  dropGeneration,
  type GenerationRecord,
  type Registry,
  readRegistry,
} from '../../read-store/registry.ts';
import type { ReadDatabase } from '../../read-store/snapshot.ts';
import { NotReadyError, switchGeneration } from '../../read-store/switch-generation.ts';
import { GRACE_MS, switched, withNew, without, withState } from './plan.ts';

const ROLLBACK_RETRY_MS = 100;
/** How long a rollback waits for the former generation to catch up. */
export const ROLLBACK_MS_MAX = 30_000;

/**
 * Asks for a generation of this version, built from the log's start beside the one that answers.
 *
 * @throws UserError when one is being built already, or one has retired only just now
 */
export async function requestBuild(
  database: ReadDatabase,
  version: number,
  now: Date,
): Promise<GenerationRecord> {
  const dropped: string[] = [];
  const registry = await changeRegistry(database, read => {
    dropped.length = 0;
    let rest = read;
    for (const other of read.generations.filter(({ id }) => id !== read.active)) {
      mayGo(other, now);
      rest = without(rest, other.id);
      dropped.push(other.id);
    }
    return withNew(rest, version, now);
  });
  for (const id of dropped) await dropGeneration(database, id);
  const made = registry.generations.at(-1);
  if (!made) throw new Error('A generation was just made');
  return made;
}

function mayGo({ id, state, retiredAt, startedAt }: GenerationRecord, now: Date): void {
  if (state === 'building' || state === 'verifying') {
    throw new UserError(`Generation ${id} is being built already: see budgeting status`);
  }
  const sinceMs = now.getTime() - (retiredAt ?? startedAt).getTime();
  if (state === 'failed' || sinceMs >= GRACE_MS) return;
  const seconds = Math.ceil((GRACE_MS - sinceMs) / 1000);
  throw new UserError(`Generation ${id} has just retired: try again in ${seconds} s`);
}

/**
 * Goes back to the generation that answered before, and keeps the rejected version from building by itself.
 *
 * @throws UserError when there is none, or it cannot catch up in time
 */
export async function rollBack(
  client: ReadDatabase['client'],
  database: ReadDatabase,
  now: () => Date,
): Promise<{ readonly from: GenerationRecord; readonly to: GenerationRecord }> {
  const endsAtMs = now().getTime() + ROLLBACK_MS_MAX;
  let parties: ReturnType<typeof partiesOf> | null = null;
  for (;;) {
    const registry = await readRegistry(database);
    // A commit may have taken place though its result never came.
    if (parties && registry.active === parties.to.id) return parties;
    parties = partiesOf(registry);
    const { from, to } = parties;
    try {
      await switchGeneration(client, database, registry, rolledBack(registry, from, to, now()));
      return parties;
    } catch (error) {
      const isBehind = error instanceof NotReadyError;
      // A chunk of the generation that answers was being written, or the database was away for a moment.
      if (!isBehind && !isTransient(error)) throw error;
      if (now().getTime() > endsAtMs) {
        if (!isBehind) throw error;
        const hint = `is a projector of version ${to.version} running?`;
        throw new UserError(`Generation ${to.id} did not catch up: ${error.message}; ${hint}`);
      }
    }
    await sleep(ROLLBACK_RETRY_MS);
  }
}

function partiesOf({ generations, active }: Registry) {
  const from = generations.find(({ id }) => id === active);
  const to = generations.find(({ state }) => state === 'retired');
  if (from && to) return { from, to };
  throw new UserError('There is no generation to go back to: none has retired within the window');
}

function rolledBack(
  registry: Registry,
  from: GenerationRecord,
  to: GenerationRecord,
  now: Date,
): Registry {
  const back = withState(switched(registry, to.id, now), from.id, {
    state: 'rejected',
    reason: 'Rolled back by an operator',
  });
  if (from.version === to.version) return back;
  return { ...back, rejectedVersions: [...back.rejectedVersions, from.version] };
}
