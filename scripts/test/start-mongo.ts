// The MongoDB of a test run: one fresh single-node replica set, gone afterwards.
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import { findMongod } from '../../src/embedded/find-mongod.ts';
import type { Resource } from './resource.ts';

/** Long, because everything else may be starting too. */
export const LAUNCH_TIMEOUT_MS = 120_000;

export async function startMongo(): Promise<Resource> {
  const report = (line: string): boolean => process.stderr.write(`${line}\n`);
  const binary = await findMongod({ env: process.env, report });
  const set = await MongoMemoryReplSet.create({
    binary: { systemBinary: binary.path, version: binary.version },
    instanceOpts: [
      {
        storageEngine: 'wiredTiger',
        launchTimeout: LAUNCH_TIMEOUT_MS,
        args: [
          '--wiredTigerCacheSizeGB',
          '0.5',
          '--wiredTigerEngineConfigString',
          'log=(prealloc=false)',
          '--networkMessageCompressors',
          'disabled',
        ],
      },
    ],
    replSet: {
      name: 'rs0',
      count: 1,
      // Named, because for old versions the library would pick an engine without transactions.
      storageEngine: 'wiredTiger',
      // In a process group of its own: ^C is for ava, and the database is stopped after it.
      spawn: { detached: true },
    },
  });
  return {
    env: { TEST_MONGODB_URL: set.getUri(), MONGOMS_SYSTEM_BINARY: binary.path },
    stop: async () => {
      await set.stop();
    },
  };
}
