// A fresh MongoDB for measurements: a replica set of one member; stopping it removes its data.
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import type { MongodBinary } from '../../src/embedded/find-mongod.ts';

export interface Mongod {
  readonly url: string;
  readonly pid: number;
  /** The bench's own connection. */
  readonly client: MongoClient;
  stop(): Promise<void>;
}

/** Limited, so that the measured processes have room on a small machine. */
const CACHE_GB = '1.5';

export async function startBenchMongod(binary: MongodBinary): Promise<Mongod> {
  const set = await MongoMemoryReplSet.create({
    binary: { systemBinary: binary.path, version: binary.version },
    instanceOpts: [
      {
        storageEngine: 'wiredTiger',
        args: ['--wiredTigerCacheSizeGB', CACHE_GB, '--networkMessageCompressors', 'disabled'],
      },
    ],
    replSet: { count: 1, storageEngine: 'wiredTiger' },
  });
  const url = set.getUri();
  const client = await new MongoClient(url).connect();
  const { pid } = await client.db('admin').command({ serverStatus: 1 });
  return {
    url,
    pid: Number(pid),
    client,
    async stop() {
      await client.close();
      await set.stop();
    },
  };
}
