// Tracks the primary. A new primary does not know at once what a majority of members had under the former one: until it
// does, it shows an earlier instant, and a budget would step back.
import type { Db, MongoClient, ServerDescription, TopologyDescription } from 'mongodb';

export interface Primary {
  /** Changes whenever a member becomes primary, even the same one again. */
  term(): string;
  /** Resolves once the primary of this term shows everything that was ever shown. */
  catchUp(db: Db): Promise<void>;
}

/** The limit of every query; beyond it catching up fails. */
const CATCH_UP_MS_MAX = 2000;
const known = new WeakMap<MongoClient, Primary>();

/** Returns the tracker of the client's primary. */
export function primaryOf(client: MongoClient): Primary {
  const primary = known.get(client) ?? watchPrimary(client);
  known.set(client, primary);
  return primary;
}

function watchPrimary(client: MongoClient): Primary {
  let term = '';
  let caughtUpTerm: string | null = null;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    term = termOf(newDescription);
  });
  return {
    term: () => term,
    async catchUp(db) {
      const awaited = term;
      if (awaited === caughtUpTerm) return;
      await awaitMajority(db);
      if (awaited === term) caughtUpTerm = awaited;
    },
  };
}

function termOf({ servers }: TopologyDescription): string {
  const found = [...servers.values()].find(isPrimary);
  return found ? `${found.address} ${found.electionId?.toHexString()}` : 'none';
}

function isPrimary({ type }: ServerDescription): boolean {
  return type === 'RSPrimary';
}

/** A linearizable read returns only once a majority has the first write of the new primary. */
async function awaitMajority(db: Db): Promise<void> {
  const options = { readConcern: { level: 'linearizable' }, maxTimeMS: CATCH_UP_MS_MAX } as const;
  await db.collection<{ _id: string }>('registry').findOne({ _id: 'registry' }, options);
}
