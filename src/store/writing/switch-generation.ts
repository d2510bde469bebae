// The switch from one generation to another: one transaction, during which the old generation cannot move.
import type { ClientSession, Db } from 'mongodb';
import { type GenerationCollections, generationCollections } from '../collections.ts';
import { HELD_STREAMS } from '../heads.ts';
import { databaseTime, type Registry, writeRegistry } from '../registry.ts';
import { lockDocuments } from '../write-commands.ts';
import { inSession } from './commit-transaction.ts';
import { readPause } from './parking-alarm.ts';
import { findObstacle, type Obstacle } from './switch-obstacles.ts';

/** The switch is not possible now, but may be a moment later. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
  /** The obstacle. */
  readonly what: Obstacle['what'] | 'pause' | 'registry';

  constructor(what: NotReadyError['what'], message: string) {
    super(message);
    this.what = what;
  }
}

export interface Switch {
  /** The generation that becomes active. */
  readonly to: string;
  /** Returns the registry after a switch at this time. */
  readonly after: (now: Date) => Registry;
}

/**
 * Makes a generation active, on condition that no budget steps back for a client: it has applied at least as much of
 * every partition of the same log as the active one, holds no stream that the active one does not hold, no held stream is
 * behind, and no deleted budget is back. The log must be intact for the active generation, and the new one must not be
 * paused, because it would not follow the log.
 *
 * @throws NotReadyError when a condition is not met, or the registry changed since it was read
 */
export async function switchGeneration(
  db: Db,
  read: Registry,
  { to, after }: Switch,
): Promise<void> {
  await inSession(db, async session => {
    const parties = read.active === null ? null : { from: read.active, to };
    if (parties) await lockPositions(generationCollections(db, parties.from), session);
    // A paused generation is behind, too.
    const pause = await readPause(generationCollections(db, to), session);
    if (pause) throw new NotReadyError('pause', pause.reason);
    const obstacle = parties && (await findObstacle(db, parties, { session }));
    if (obstacle !== null) throw new NotReadyError(obstacle.what, obstacle.message);
    // The clock is read last: readers of the old generation have their minute from the commit on.
    const now = after(await databaseTime(db));
    if (!(await writeRegistry(db, { read, now }, session))) {
      throw new NotReadyError('registry', 'The registry changed meanwhile');
    }
  });
}

/**
 * Locks everything that moves a budget's position in the old generation: the checkpoints for chunks, the held heads for
 * drains and swaps, which move no checkpoint. Who has begun to write one conflicts with it, and is retried afterwards.
 */
async function lockPositions(
  { checkpoints, heads }: GenerationCollections,
  session: ClientSession,
): Promise<void> {
  await checkpoints.updateMany({}, { $inc: { switches: 1 } }, { session });
  await lockDocuments(heads, HELD_STREAMS, session);
}
