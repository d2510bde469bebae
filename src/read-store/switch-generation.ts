// The switch from one generation to another: one transaction, in which nobody can move the old one.
import type { Db, MongoClient } from 'mongodb';
import { generationCollections } from './collections.ts';
import { inSession } from './commit.ts';
import { pauseWithin } from './parking-alarm.ts';
import { type Registry, writeRegistry } from './registry.ts';
import { partitionsBehind, partitionsHalted, streamsBehind } from './switch-obstacles.ts';

/** Why a switch cannot take place now; it may a moment later. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
  /** What has to come on first. */
  readonly what: 'log' | 'partitions' | 'streams' | 'pause' | 'registry';

  constructor(what: NotReadyError['what'], message: string) {
    super(message);
    this.what = what;
  }
}

/**
 * Names a generation active, if it has applied at least as much of every partition as the active one, holds no stream
 * that the active one does not hold, and no held stream steps back: then no reader sees a step back.
 * A paused generation does not follow the log, so it is not switched to; and no generation is while the active one
 * finds the log damaged.
 *
 * @throws NotReadyError when it has not, or the registry changed since it was read
 */
export async function switchGeneration(
  client: MongoClient,
  db: Db,
  read: Registry,
  now: Registry,
): Promise<void> {
  await inSession(client, async session => {
    if (read.active !== null) {
      const parties = { from: read.active, to: now.active ?? '' };
      const { checkpoints } = generationCollections(db, parties.from);
      // Written first: a chunk of the old generation that is under way meets this, and is done again after it.
      await checkpoints.updateMany({}, { $inc: { switches: 1 } }, { session });
      const halted = await partitionsHalted(db, parties, session);
      if (halted !== null) throw new NotReadyError('log', halted);
      const partitions = await partitionsBehind(db, parties, session);
      if (partitions !== null) throw new NotReadyError('partitions', partitions);
      const streams = await streamsBehind(db, parties, session);
      if (streams !== null) throw new NotReadyError('streams', streams);
    }
    const pause = await pauseWithin(generationCollections(db, now.active ?? ''), session);
    if (pause) throw new NotReadyError('pause', pause.reason);
    if (!(await writeRegistry(db, read, now, session))) {
      throw new NotReadyError('registry', 'The registry changed meanwhile');
    }
  });
}
