// The MongoDB of a test run: the one that TEST_MONGODB_URL names, or a fresh replica set of one member, removed afterwards.
import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoMemoryReplSet } from 'mongodb-memory-server';
import { findMongod } from '../../src/embedded/find-mongod.ts';
import type { Resource } from './resource.ts';

/** Long, because other servers may be starting at the same time. */
export const LAUNCH_TIMEOUT_MS = 120_000;

/** Memory that looks like a disk: nothing that a test stores must outlive it. */
const MEMORY_FOLDER = '/dev/shm';

/** A run of all tests needs about a third of it. A container may have only 64 MB. */
const MEMORY_BYTES_MIN = 6 * 2 ** 30;

export async function startMongo(port?: number): Promise<Resource> {
  const report = (line: string): boolean => process.stderr.write(`${line}\n`);
  const binary = await findMongod({ env: process.env, report });
  const env = { MONGOMS_SYSTEM_BINARY: binary.path };
  const given = process.env.TEST_MONGODB_URL;
  if (given && port === undefined) return { env, stop: async () => {} };
  const dbPath = await mkdtemp(join(await folderOfData(), 'budgeting-test-'));
  const set = await MongoMemoryReplSet.create({
    binary: { systemBinary: binary.path, version: binary.version },
    instanceOpts: [
      {
        dbPath,
        ...(port !== undefined && { port }),
        storageEngine: 'wiredTiger',
        launchTimeout: LAUNCH_TIMEOUT_MS,
        args: [
          // Large transactions of several tests have room in it; without room the server refuses those of others.
          '--wiredTigerCacheSizeGB',
          '1',
          '--wiredTigerEngineConfigString',
          // Files of dropped databases stay open until they have been idle for so many seconds: thousands of tests would
          // reach the limit of open files.
          'log=(prealloc=false),file_manager=(close_idle_time=20,close_scan_interval=5)',
          '--networkMessageCompressors',
          'disabled',
          // Nobody reads the diagnostics that it collects each second.
          '--setParameter',
          'diagnosticDataCollectionEnabled=false',
        ],
      },
    ],
    replSet: {
      name: 'rs0',
      count: 1,
      // Explicit, because the library picks an engine without transactions for old versions.
      storageEngine: 'wiredTiger',
      // In its own process group, so that ^C reaches only ava; the database is stopped after it.
      spawn: { detached: true },
    },
  });
  return {
    env: { ...env, TEST_MONGODB_URL: set.getUri() },
    stop: async () => {
      await set.stop();
      await rm(dbPath, { recursive: true, force: true });
    },
  };
}

async function folderOfData(): Promise<string> {
  try {
    await access(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    return bavail * bsize < MEMORY_BYTES_MIN ? tmpdir() : MEMORY_FOLDER;
  } catch {
    return tmpdir();
  }
}
