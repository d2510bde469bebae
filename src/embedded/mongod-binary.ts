// Probes mongod binaries, and keeps downloaded ones in a cache folder.
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface MongodBinary {
  readonly path: string;
  /** As the binary prints it, such as `6.0.5`. */
  readonly version: string;
}

/** The oldest version that the read store is tested with. */
const MAJOR_VERSION_MIN = 6;
const PROBE_TIMEOUT_MS = 20_000;

/**
 * Runs the binary once to get its version.
 *
 * @throws Error that says why the binary is unusable
 */
export async function probeMongod(path: string): Promise<MongodBinary> {
  const { stdout } = await promisify(execFile)(path, ['--version'], {
    timeout: PROBE_TIMEOUT_MS,
  }).catch((error: NodeJS.ErrnoException & { stderr?: string; signal?: string }) => {
    const output = error.stderr?.trim().split('\n').at(-1);
    throw new Error(`it does not run: ${output || error.signal || error.code || error.message}`);
  });
  const version = /db version v(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  if (version === undefined) throw new Error('it is no mongod');
  if (Number.parseInt(version, 10) < MAJOR_VERSION_MIN) {
    throw new Error(`it is ${version}, ${MAJOR_VERSION_MIN}.0 or later is needed`);
  }
  return { path, version };
}

/** Returns the paths of the cached binaries, newest version first. */
export async function cachedMongods(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const mongods = names.filter(name => /^mongod-\d+\.\d+\.\d+-[0-9a-f]{8}$/.test(name));
  mongods.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return mongods.map(name => join(folder, name));
}

/** Stores a mongod atomically in the cache, under its version and checksum. */
export async function cacheMongod(bytes: Buffer, folder: string): Promise<MongodBinary> {
  await mkdir(folder, { recursive: true });
  const temporary = join(folder, `.${randomUUID()}`);
  try {
    await writeFile(temporary, bytes, { mode: 0o755, flush: true });
    const { version } = await probeMongod(temporary);
    const sha8 = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
    const path = join(folder, `mongod-${version}-${sha8}`);
    await rename(temporary, path);
    return { path, version };
  } finally {
    await rm(temporary, { force: true });
  }
}
