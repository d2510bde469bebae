// Databases that ended files of this process leave to later ones: a generation's collections take ten times as long to make
// as to empty.
import type { CollectionInfo, Db, MongoClient } from 'mongodb';
import { COLLECTIONS } from '../../src/store/collections.ts';

/** Removing more documents takes longer than making their collection. */
const EMPTIED_MAX = 1000;

/** Without those that get indexes later: a test may be about their absence. */
const KEPT: ReadonlySet<string> = new Set(
  Object.entries(COLLECTIONS).flatMap(([name, { lateIndexes }]) =>
    lateIndexes === undefined ? [`g1_${name}`] : [],
  ),
);

export interface EmptiedDatabases {
  /** Returns the name of a database without documents; undefined if there is none. */
  take(): string | undefined;
  /** Empties the collections of the first generation, as they are made, and drops all others. */
  leave(database: Db): Promise<void>;
  /** Drops those that nobody took. */
  drop(client: MongoClient): Promise<void>;
}

export function createEmptiedDatabases(): EmptiedDatabases {
  const names: string[] = [];
  return {
    take: () => names.pop(),
    async leave(database) {
      const found: CollectionInfo[] = await database
        .listCollections({}, { nameOnly: false })
        .toArray();
      // One with options, such as a validator, is no longer as it was made.
      const isKept = ({ name, options = {} }: CollectionInfo): boolean =>
        KEPT.has(name) && Object.keys(options).length === 0;
      const kept = await Promise.all(
        found.map(one => (isKept(one) ? empty(database, one.name) : drop(database, one.name))),
      );
      if (kept.includes(true)) names.push(database.databaseName);
    },
    async drop(client) {
      await Promise.all(names.splice(0).map(name => client.db(name).dropDatabase()));
    },
  };
}

/** Returns whether the collection is still there. */
async function empty(database: Db, name: string): Promise<boolean> {
  const collection = database.collection(name);
  if ((await collection.estimatedDocumentCount()) > EMPTIED_MAX) return await drop(database, name);
  await collection.deleteMany({});
  return true;
}

async function drop(database: Db, name: string): Promise<false> {
  await database.dropCollection(name);
  return false;
}
