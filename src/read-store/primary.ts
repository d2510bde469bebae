// Which primary answers. A new one does not know at once how far a majority had come under the one before: until it
// does, it shows an earlier instant, and a budget would step back.
import type { Db, MongoClient, ServerDescription, TopologyDescription } from 'mongodb';

export interface Primary {
  /** Changes when another member, or the same one anew, becomes primary. */
  term(): string;
  /** Resolves once the primary of this term shows all that was ever shown. */
  settled(db: Db): Promise<void>;
}

/** As long as any query may take. */
const SETTLE_MS_MAX = 2000;
const known = new WeakMap<MongoClient, Primary>();

/** The primary that this client talks to. */
export function primaryOf(client: MongoClient): Primary {
  const primary = known.get(client) ?? watchPrimary(client);
  known.set(client, primary);
  return primary;
}

function watchPrimary(client: MongoClient): Primary {
  let term = '';
  let settledTerm: string | null = null;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    term = termOf(newDescription);
  });
  return {
    term: () => term,
    async settled(db) {
      const asked = term;
      if (asked === settledTerm) return;
      await settle(db);
      if (asked === term) settledTerm = asked;
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

/** A linearizable read is answered once a majority has what the primary wrote on taking over. */
async function settle(db: Db): Promise<void> {
  const options = { readConcern: { level: 'linearizable' }, maxTimeMS: SETTLE_MS_MAX } as const;
  await db.collection<{ _id: string }>('registry').findOne({ _id: 'registry' }, options);
}
