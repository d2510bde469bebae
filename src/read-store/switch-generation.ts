// The switch from one generation to another: one transaction, in which nobody can move the old one.
import type { Db, MongoClient } from 'mongodb';
import { generationCollections } from './collections.ts';
import { inSession } from './commit.ts';
import { HELD } from './heads.ts';
import { pauseWithin } from './parking-alarm.ts';
import { type Registry, writeRegistry } from './registry.ts';

/** Why a switch cannot take place now; it may a moment later. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

/**
 * Names `to` active, if it has applied at least as much of every partition as the active generation, and holds no
 * stream that the active one does not hold: then no reader sees a step back. A paused generation does not follow the
 * log, so it is not switched to.
 *
 * @throws NotReadyError when it has not, or the registry changed since it was read
 */
export async function switchGeneration(
  client: MongoClient,
  db: Db,
  read: Registry,
  now: Registry,
): Promise<void> {
  const to = generationCollections(db, now.active ?? '');
  const from = read.active === null ? null : generationCollections(db, read.active);
  await inSession(client, async session => {
    // Written first: a chunk of the old generation that is under way meets this, and is done again after it.
    if (from) await from.checkpoints.updateMany({}, { $inc: { switches: 1 } }, { session });
    if (await pauseWithin(to, session)) throw new NotReadyError('It is paused');
    const applied = new Map<number, number>();
    for await (const { _id, next } of to.checkpoints.find({}, { session })) applied.set(_id, next);
    const old = from ? await from.checkpoints.find({}, { session }).toArray() : [];
    const behind = old.find(({ _id, next }) => (applied.get(_id) ?? 0) < next);
    if (behind) throw new NotReadyError(`Partition ${behind._id} is behind offset ${behind.next}`);
    if (from) {
      const held = await to.heads.find(HELD, { session }).toArray();
      for (const head of held) {
        const other = await from.heads.findOne({ _id: head._id }, { session });
        if (other && (!other.held || other.sequence > head.sequence)) {
          throw new NotReadyError(`Stream ${head._id} is held at sequence ${head.sequence}`);
        }
      }
    }
    if (!(await writeRegistry(db, read, now, session))) {
      throw new NotReadyError('The registry changed meanwhile');
    }
  });
}
